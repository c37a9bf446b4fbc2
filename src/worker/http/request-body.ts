import { type Json, DOCUMENT_DEPTH_MAX, isTooDeep } from "../../catalog/record.ts";
import { bodyText } from "./bytes.ts";
import { type CarrelError, badData, tooLarge, validationFailed } from "./errors.ts";
import type { AnyOperation, Parameters, RequestContext } from "./operation.ts";
import { JSON_TYPE } from "./reply.ts";

/** Largest body of a form or JSON operation that names no other limit, in bytes. */
const BODY_BYTES = 1024 * 1024;

/** A body as it was received: fields of a form, or a JSON value. */
export type ReceivedBody =
  | { readonly kind: "none" }
  | { readonly kind: "form"; readonly fields: URLSearchParams }
  | { readonly kind: "json"; readonly value: unknown };

const ANY_JSON = /^[\w.-]+\/(?:[\w.-]+\+)?json$/;

/**
 * Reads the body that an operation declares. What is called JSON and is none is a 422 before anything else is looked
 * at; a JSON operation given another type gets the raw text, which its schema then refuses.
 */
export async function receiveBody(
  { form, json, bodyBytes = BODY_BYTES }: AnyOperation,
  request: Request,
): Promise<ReceivedBody> {
  if (form === undefined && json === undefined) return { kind: "none" };
  const type = mediaType(request);
  if (form !== undefined && type === "multipart/form-data") return multipart(request, form, bodyBytes);
  const text = await bodyText(request, bodyBytes);
  if (form !== undefined) {
    // As below, a body without a type may be JSON; no name of a field begins so.
    const isObject = formType(request, text) === JSON_TYPE || (type === "" && text.startsWith("{"));
    if (!isObject) return { kind: "form", fields: new URLSearchParams(text) };
    return { kind: "form", fields: fieldsOf(text === "" ? {} : parseJson(text)) };
  }
  if (text === "") return { kind: "json", value: undefined };
  return { kind: "json", value: type === "" || ANY_JSON.test(type) ? parseJson(text) : text };
}

/** True when the body of a request is called JSON. */
export function isJson(request: Request): boolean {
  return ANY_JSON.test(mediaType(request));
}

/**
 * Q524: the `Content-Type` of a form. openlibrary-client calls every body JSON; one that begins as no JSON does, but as a
 * form, is taken for that. A form without anything in it is an empty one.
 */
export function formType(request: Request, start: string): string {
  const type = request.headers.get("Content-Type") ?? "";
  if (!isJson(request)) return type;
  const [, boundary] = /^--([\w'()+,./:=? -]{1,70})\r\n/.exec(start) ?? [];
  if (boundary !== undefined) return `multipart/form-data; boundary="${boundary}"`;
  return start === "" || /^[^\s"{}[\]=&]+=/.test(start) ? "application/x-www-form-urlencoded" : JSON_TYPE;
}

function mediaType(request: Request): string {
  return (request.headers.get("Content-Type") ?? "").split(";")[0]?.trim().toLowerCase() ?? "";
}

/** Parses JSON of a bounded depth: what walks through it, or sends it back in a failure, must not overflow. */
function parseJson(text: string, refusal = jsonInvalid): Json {
  const value = parsed(text, refusal);
  if (isTooDeep(value)) throw refusal(`nested deeper than ${DOCUMENT_DEPTH_MAX} values`, 0);
  return value;
}

function parsed(text: string, refusal: typeof jsonInvalid): Json {
  try {
    // Any JSON text parses to JSON.
    return JSON.parse(text) as Json;
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
    throw refusal(error.message, Number(/position (\d+)/.exec(error.message)?.[1] ?? 0));
  }
}

function jsonInvalid(error: string, position: number): CarrelError {
  const failure = { type: "json_invalid", loc: ["body", position], msg: "JSON decode error", input: {} };
  return validationFailed([{ ...failure, ctx: { error } }]);
}

/** Members of a JSON object as a form would have them; arrays are repeated fields. */
function fieldsOf(value: unknown): URLSearchParams {
  const fields = new URLSearchParams();
  if (typeof value !== "object" || value === null) return fields;
  for (const [name, member] of Object.entries(value)) {
    const several: unknown[] = Array.isArray(member) ? member : [member];
    for (const one of several) {
      if (one === null || one === undefined) continue;
      fields.append(name, typeof one === "object" ? JSON.stringify(one) : String(one));
    }
  }
  return fields;
}

async function multipart(request: Request, form: Parameters, limit: number): Promise<ReceivedBody> {
  // Without a declared length the runtime would read without end.
  const declared = request.headers.get("Content-Length");
  if (declared === null || Number(declared) > limit) throw tooLarge(limit);
  const fields = new URLSearchParams();
  for (const [name, value] of await formData(request)) {
    if (typeof value === "string") fields.append(name, value);
    // A file is its text, where one is asked for.
    else if (name in form) fields.append(name, await value.text());
  }
  return { kind: "form", fields };
}

async function formData(request: Request): Promise<FormData> {
  try {
    return await request.formData();
  } catch (error) {
    const msg = "There was an error parsing the body";
    throw validationFailed([{ type: "value_error", loc: ["body"], msg, input: String(error) }]);
  }
}

/** The JSON that a request brings, whatever it calls it; a 400 says why it is none. */
export async function requestJson(
  { request }: Pick<RequestContext, "request">,
  limit: number,
): Promise<Json> {
  return parseJson(await bodyText(request, limit), badJson);
}

/** Longest query text, in UTF-16 units. */
const QUERY_TEXT_LENGTH = 16_384;

/** The JSON of a query parameter, or of a body that was read; a 400 says what is wrong with it. */
export function queryJson(text: string, length = QUERY_TEXT_LENGTH): Json {
  if (text.length > length) throw badData(`Bad query: longer than ${length} characters`);
  return parseJson(text, badJson);
}

function badJson(error: string): CarrelError {
  return badData(`Bad JSON: ${error}`);
}
