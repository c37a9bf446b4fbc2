import type { WriteFailure } from "../../catalog/editing/failure.ts";
import { type FormField, fieldsOfJson, formText } from "../../catalog/editing/form-fields.ts";
import type { CatalogRecord } from "../../catalog/record.ts";
import { wantsHtml } from "../http/accept.ts";
import { bodyText } from "../http/bytes.ts";
import { CarrelError, badData } from "../http/errors.ts";
import type { RequestContext } from "../http/operation.ts";
import { type Reply, JSON_TYPE } from "../http/reply.ts";
import { formType, queryJson } from "../http/request-body.ts";
import { failureWords } from "../ui/failure-words.ts";
import { field } from "../ui/form.ts";
import type { Markup } from "../ui/markup.ts";
import { say } from "../ui/words.ts";

/** Largest form, in bytes. */
const FORM_BODY_BYTES = 1024 * 1024;

const MULTIPART = /^multipart\/form-data\s*;/i;

/** Reads all fields of a request: those of the query, then those of the body, a form or JSON; files are left out. */
export async function readForm(context: RequestContext): Promise<FormField[]> {
  return [...context.url.searchParams, ...(await bodyFields(context))];
}

async function bodyFields(context: RequestContext): Promise<FormField[]> {
  const { request } = context;
  if (request.body === null) return [];
  const text = await bodyText(request, FORM_BODY_BYTES);
  const type = formType(request, text);
  if (type === JSON_TYPE) return fieldsOfJson(queryJson(text, FORM_BODY_BYTES));
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

/** Returns the comment on a change in a form; null if there is none. */
export function commentOf(form: CatalogRecord): string | null {
  return formText(form, "_comment") ?? null;
}

/** Failure of a form, with the members that people and pages need. */
export type FormFailure = Pick<WriteFailure, "message" | "at"> & Partial<Pick<WriteFailure, "error">>;

const UNDATED = /^This date has no year: /;

/** Returns true for a date that is saved once it is confirmed. */
export function isUndated({ message }: FormFailure): boolean {
  return UNDATED.test(message);
}

/** Renders the checkbox that confirms a date without a year. */
export function confirmUndated(): Markup {
  return field({ name: "_undated", label: say("edit.undated"), type: "checkbox" });
}

/** Renders a failure, in the reader's language if it is a frequent one. */
export function failureText({ message, error }: FormFailure): Markup {
  return error === "conflict" ? say("edit.conflict") : failureWords(message);
}

/** Returns the failures of a form; undefined for errors of another kind. */
function formFailures(error: unknown): readonly FormFailure[] | undefined {
  if (!(error instanceof CarrelError) || error.body === null || !("error" in error.body)) return undefined;
  const { errors } = error.body;
  // `writeError` builds this body from failures.
  return (Array.isArray(errors) ? errors : [error.body]) as readonly FormFailure[];
}

interface FormAnswers {
  save(): Promise<Reply>;
  /** Writes the form again, with its failures. */
  page(failures: readonly FormFailure[]): Promise<Reply>;
}

/** Saves a form. If it is refused, people get it again with all failures, programs get those as JSON. */
export async function answeredForm(context: RequestContext, { save, page }: FormAnswers): Promise<Reply> {
  try {
    return await save();
  } catch (error) {
    const failures = wantsHtml(context.request) ? formFailures(error) : undefined;
    if (failures === undefined || !(error instanceof CarrelError)) throw error;
    return { ...(await page(failures)), status: error.status === 404 ? 400 : error.status };
  }
}
