import { MIB } from "../../catalog/units.ts";
import type { WriteFailure } from "../../catalog/editing/failure.ts";
import { type FormField, fieldsOfJson, formTextOf } from "../../catalog/editing/form-fields.ts";
import type { CatalogRecord } from "../../catalog/record.ts";
import { bodyText } from "../http/bytes.ts";
import { failure, type Failure } from "../http/failure.ts";
import type { RequestContext } from "../http/operation.ts";
import { JSON_TYPE } from "../http/reply.ts";
import { badJson, bodyJson, formType } from "../http/request-body.ts";
import { WriteError } from "./edit-desk.ts";

/** Maximum size of a form, in bytes. */
const FORM_BODY_BYTES = MIB;

const MULTIPART = /^multipart\/form-data\s*;/i;

/** Reads the fields of the query, then those of the body, a form or JSON. Skips files. Throws 400 and 413. */
export async function readForm({ request, url }: RequestContext): Promise<FormField[]> {
  const query = [...url.searchParams];
  if (request.body === null) return query;
  const text = await bodyText(request, FORM_BODY_BYTES);
  const type = formType(request, text);
  if (type === JSON_TYPE) return [...query, ...fieldsOfJson(bodyJson(text, badJson))];
  if (!MULTIPART.test(type)) return [...query, ...new URLSearchParams(text)];
  try {
    const form = await new Response(text, { headers: { "Content-Type": type } }).formData();
    const fields = [...form].flatMap(([name, value]): FormField[] =>
      typeof value === "string" ? [[name, value]] : [],
    );
    return [...query, ...fields];
  } catch (error) {
    if (error instanceof TypeError) throw failure("bad_data.form_unreadable", { reason: error.message });
    throw error;
  }
}

export function commentOf(form: CatalogRecord): string | null {
  return formTextOf(form, "_comment") ?? null;
}

export type FormFailure = Pick<WriteFailure, "text" | "at"> & Partial<Pick<WriteFailure, "error">>;

/** Returns the failures that a form shows. Throws a refusal without a text, which is shown on a page of its own. */
export function failuresOf(refusal: Failure): readonly FormFailure[] {
  if (refusal instanceof WriteError) return refusal.failures;
  if (refusal.text === undefined) throw refusal;
  return [{ text: refusal.text }];
}
