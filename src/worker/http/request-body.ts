import { MIB } from "../../catalog/units.ts";
import { findControl, findHalfSurrogate, hasControl, withoutControls } from "../../catalog/storable-text.ts";
import { mayHaveHalfSurrogates } from "../../catalog/bytes.ts";
import { type Json, DOCUMENT_DEPTH_MAX, isTooDeep } from "../../catalog/record.ts";
import { takeBodyRoom } from "./body-room.ts";
import { bodyText } from "./bytes.ts";
import { tooLarge, validationFailed } from "./errors.ts";
import { type Failure, failure } from "./failure.ts";
import type { AnyOperation, Parameters } from "./operation.ts";
import { JSON_TYPE } from "./reply.ts";
import type * as z from "zod";
import { invalid } from "./input-failures.ts";
import { english } from "../../catalog/texts.ts";

const BODY_BYTES = MIB;

export type ReceivedBody =
  | { kind: "none" }
  | { kind: "form"; fields: URLSearchParams }
  | { kind: "json"; value: Json | undefined };

const ANY_JSON = /^[\w.-]+\/(?:[\w.-]+\+)?json$/;

/**
 * Reads the body that an operation declares. Throws 422 for invalid JSON and for control characters (Q777) before
 * anything else is checked. A JSON operation that gets another type receives the raw text, which its schema then rejects.
 */
export async function receiveBody(operation: AnyOperation, request: Request): Promise<ReceivedBody> {
  const body = await readBody(operation, request);
  if (operation.checksTexts === true) return body;
  const fields = body.kind === "form" ? [...body.fields] : [];
  const field = fields
    .find((texts) => texts.some(hasControl))
    ?.slice(0, 1)
    .map(withoutControls);
  const path = body.kind === "json" ? findControl(body.value) : field;
  if (path !== undefined) throw refuseText(path, "validation.control");
  return body;
}

async function readBody(
  { form, json, bodyBytes = BODY_BYTES }: AnyOperation,
  request: Request,
): Promise<ReceivedBody> {
  if (form === undefined && json === undefined) return { kind: "none" };
  const type = mediaTypeOf(request);
  if (form !== undefined && type === "multipart/form-data") return readMultipart(request, form, bodyBytes);
  const text = await bodyText(request, bodyBytes);
  if (form !== undefined) {
    // As below, a body without a type may be JSON; no field name begins with `{`.
    const isObject = formType(request, text) === JSON_TYPE || (type === "" && text.startsWith("{"));
    if (!isObject) return { kind: "form", fields: new URLSearchParams(text) };
    return { kind: "form", fields: fieldsOf(text === "" ? {} : bodyJson(text)) };
  }
  if (text === "") return { kind: "json", value: undefined };
  return { kind: "json", value: type === "" || ANY_JSON.test(type) ? bodyJson(text) : text };
}

export function isJson(request: Request): boolean {
  return ANY_JSON.test(mediaTypeOf(request));
}

/**
 * Returns the `Content-Type` of a form (Q524). openlibrary-client labels every body JSON; a body that starts like a
 * form and unlike JSON is read as a form. An empty body is an empty form.
 */
export function formType(request: Request, start: string): string {
  const type = request.headers.get("Content-Type") ?? "";
  if (!isJson(request)) return type;
  const [, boundary] = /^--([\w'()+,./:=? -]{1,70})\r\n/.exec(start) ?? [];
  if (boundary !== undefined) return `multipart/form-data; boundary="${boundary}"`;
  return start === "" || /^[^\s"{}[\]=&]+=/.test(start) ? "application/x-www-form-urlencoded" : JSON_TYPE;
}

function mediaTypeOf(request: Request): string {
  return (request.headers.get("Content-Type") ?? "").split(";")[0]?.trim().toLowerCase() ?? "";
}

/** Parses JSON of a bounded depth: code that traverses it, or returns it in a failure, must not overflow the stack. */
function parseJson(text: string, refusal = invalidJson): Json {
  const value = parseUnbounded(text, refusal);
  if (isTooDeep(value)) throw refusal(`nested deeper than ${DOCUMENT_DEPTH_MAX} values`, 0);
  return value;
}

/** Parses the JSON of a body. Throws 422 for half a surrogate pair, which no answer could show (Q671). */
export function bodyJson(text: string, refusal?: typeof invalidJson): Json {
  const value = parseJson(text, refusal);
  const path = mayHaveHalfSurrogates(text) ? findHalfSurrogate(value) : undefined;
  if (path === undefined) return value;
  throw refuseText(path, "validation.unicode");
}

function refuseText(
  path: readonly (string | number)[],
  key: "validation.control" | "validation.unicode",
): Failure {
  return validationFailed([invalid(["body", ...path], { key }, { type: "string_unicode" })]);
}

function parseUnbounded(text: string, refusal: typeof invalidJson): Json {
  try {
    // Any JSON text parses to JSON.
    return JSON.parse(text) as Json;
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
    throw refusal(error.message, Number(/position (\d+)/.exec(error.message)?.[1] ?? 0));
  }
}

function invalidJson(error: string, position: number): Failure {
  const more = { type: "json_invalid", input: {}, ctx: { error } };
  return validationFailed([invalid(["body", position], { key: "validation.json" }, more)]);
}

function fieldsOf(body: unknown): URLSearchParams {
  const fields = new URLSearchParams();
  if (typeof body !== "object" || body === null) return fields;
  for (const [name, member] of Object.entries(body)) {
    const values: unknown[] = Array.isArray(member) ? member : [member];
    for (const value of values) {
      if (value === null || value === undefined) continue;
      fields.append(name, typeof value === "object" ? JSON.stringify(value) : String(value));
    }
  }
  return fields;
}

async function readMultipart(request: Request, form: Parameters, limit: number): Promise<ReceivedBody> {
  // Without a declared length the runtime would read without end.
  const declared = request.headers.get("Content-Length");
  if (declared === null || Number(declared) > limit) throw tooLarge(limit);
  await takeBodyRoom(request, limit);
  const fields = new URLSearchParams();
  for (const [name, value] of await readFormData(request)) {
    if (typeof value === "string") fields.append(name, value);
    // A file counts as its text if the form has such a field. Its author may be a program, so it is not refused.
    else if (name in form) fields.append(name, withoutControls(decodeFile(await value.arrayBuffer())));
  }
  return { kind: "form", fields };
}

/** Decodes a text file: UTF-16 with its mark, UTF-8, or Windows-1252 if it is not UTF-8, as spreadsheets save it. */
function decodeFile(bytes: ArrayBuffer): string {
  const [first, second] = new Uint8Array(bytes, 0, Math.min(2, bytes.byteLength));
  if (first === 0xff && second === 0xfe) return new TextDecoder("utf-16le").decode(bytes);
  if (first === 0xfe && second === 0xff) return new TextDecoder("utf-16be").decode(bytes);
  try {
    return new TextDecoder("utf-8", { fatal: true, ignoreBOM: false }).decode(bytes);
  } catch {
    return new TextDecoder("windows-1252").decode(bytes);
  }
}

async function readFormData(request: Request): Promise<FormData> {
  try {
    return await request.formData();
  } catch (error) {
    const text = { key: "validation.body" } as const;
    const entry = { type: "value_error", loc: ["body"], msg: english(text), text };
    throw validationFailed([{ ...entry, input: String(error) }]);
  }
}

/** Reads the request body as JSON, with any content type. Throws 400 with the reason if it is invalid, and 422 (Q671). */
export async function requestJson({ request }: { request: Request }, limit: number): Promise<Json> {
  return bodyJson(await bodyText(request, limit), badJson);
}

const QUERY_TEXT_LENGTH = 16_384;

/** Parses the JSON of a query parameter or of a body that was read. Throws 400 with the reason if it is invalid. */
export function queryJson(text: string, length = QUERY_TEXT_LENGTH): Json {
  if (text.length > length) throw failure("bad_data.query_length", { most: length });
  return parseJson(text, badJson);
}

export function badJson(error: string): Failure {
  return failure("bad_data.json", { reason: error });
}

/** Reads JSON that an operator sends. Throws a 400 that shows an `example`; `otherwise` replaces an empty body. */
export async function readJsonBody<Schema extends z.ZodType>(
  request: Request,
  schema: Schema,
  { limit, example, otherwise }: { limit: number; example: string; otherwise?: string },
): Promise<z.output<Schema>> {
  const text = await bodyText(request, limit);
  const parsed = schema.safeParse(queryJson(text.trim() === "" ? (otherwise ?? text) : text));
  if (!parsed.success) throw failure("bad_data.body", { example });
  return parsed.data;
}
