import { type FormField, fieldsOfJson } from "../../catalog/editing/form-fields.ts";
import { bodyText } from "../http/bytes.ts";
import { badData } from "../http/errors.ts";
import type { RequestContext } from "../http/operation.ts";
import { isJson } from "../http/request-body.ts";
import { requestJson } from "./json-request.ts";

/** Largest form, in bytes. */
const FORM_BODY_BYTES = 1024 * 1024;

const MULTIPART = /^multipart\/form-data\s*;/i;

/**
 * All fields of a request: those of the query, and after them those of the body, which is a form of either kind or JSON.
 * Files are left out.
 */
export async function readForm(context: RequestContext): Promise<FormField[]> {
  return [...context.url.searchParams, ...(await bodyFields(context))];
}

async function bodyFields(context: RequestContext): Promise<FormField[]> {
  const { request } = context;
  if (request.body === null) return [];
  if (isJson(request)) return fieldsOfJson(await requestJson(context, FORM_BODY_BYTES));
  const text = await bodyText(request, FORM_BODY_BYTES);
  const type = request.headers.get("Content-Type") ?? "";
  return MULTIPART.test(type) ? multipartFields(text, type) : [...new URLSearchParams(text)];
}

async function multipartFields(text: string, type: string): Promise<FormField[]> {
  try {
    const form = await new Response(text, { headers: { "Content-Type": type } }).formData();
    return [...form].flatMap(([name, value]): FormField[] =>
      typeof value === "string" ? [[name, value]] : [],
    );
  } catch (error) {
    if (error instanceof TypeError) throw badData(`Bad form: ${error.message}`);
    throw error;
  }
}
