import { MIB } from "../../catalog/units.ts";
import { failure, Failure } from "../http/failure.ts";
import type { WriteFailure } from "../../catalog/editing/failure.ts";
import { type FormField, fieldsOfJson, formTextOf } from "../../catalog/editing/form-fields.ts";
import type { CatalogRecord } from "../../catalog/record.ts";
import { wantsHtml } from "../http/accept.ts";
import { bodyText } from "../http/bytes.ts";
import type { RequestContext } from "../http/operation.ts";
import { type Reply, JSON_TYPE } from "../http/reply.ts";
import { badJson, bodyJson, formType } from "../http/request-body.ts";
import { field } from "../ui/form.ts";
import type { Markup } from "../ui/markup.ts";
import { reason, t } from "../ui/words.ts";
import { WriteError } from "./edit-desk.ts";

/** Maximum size of a form, in bytes. */
const FORM_BODY_BYTES = MIB;

const MULTIPART = /^multipart\/form-data\s*;/i;

/** Reads the fields of the query, then those of the body, a form or JSON. Skips files. Throws 400 and 413. */
export async function readForm(context: RequestContext): Promise<FormField[]> {
  return [...context.url.searchParams, ...(await readBodyFields(context))];
}

async function readBodyFields(context: RequestContext): Promise<FormField[]> {
  const { request } = context;
  if (request.body === null) return [];
  const text = await bodyText(request, FORM_BODY_BYTES);
  const type = formType(request, text);
  if (type === JSON_TYPE) return fieldsOfJson(bodyJson(text, badJson));
  return MULTIPART.test(type) ? parseMultipart(text, type) : [...new URLSearchParams(text)];
}

async function parseMultipart(text: string, type: string): Promise<FormField[]> {
  try {
    const form = await new Response(text, { headers: { "Content-Type": type } }).formData();
    return [...form].flatMap(([name, value]): FormField[] =>
      typeof value === "string" ? [[name, value]] : [],
    );
  } catch (error) {
    if (error instanceof TypeError) throw failure("bad_data.form_unreadable", { reason: error.message });
    throw error;
  }
}

export function commentOf(form: CatalogRecord): string | null {
  return formTextOf(form, "_comment") ?? null;
}

export type FormFailure = Pick<WriteFailure, "text" | "at"> & Partial<Pick<WriteFailure, "error">>;

/** Returns true for the failure of a date that is saved once it is confirmed. */
export function isUndated({ text }: FormFailure): boolean {
  return text.key === "edit.no_year";
}

export function confirmUndated(): Markup {
  return field({ name: "_undated", label: t("edit.undated"), type: "checkbox" });
}

export function formFailureText({ text, error }: FormFailure): Markup {
  return error === "conflict" ? t("edit.conflict") : reason(text);
}

function failuresOf(error: Failure): readonly FormFailure[] | undefined {
  if (error instanceof WriteError) return error.failures;
  // Other errors of these routes have another body.
  return error.text !== undefined && error.body !== null && "error" in error.body
    ? [{ text: error.text }]
    : undefined;
}

/** Saves a form. If it is refused, browsers get `page`, the form with all failures; programs get the failures as JSON. */
export async function answerEditForm(
  context: RequestContext,
  { save, page }: { save(): Promise<Reply>; page(failures: readonly FormFailure[]): Promise<Reply> },
): Promise<Reply> {
  try {
    return await save();
  } catch (error) {
    if (!(error instanceof Failure) || !wantsHtml(context.request)) throw error;
    const failures = failuresOf(error);
    if (failures === undefined) throw error;
    return { ...(await page(failures)), status: error.status === 404 ? 400 : error.status };
  }
}
