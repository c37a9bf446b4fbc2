import * as z from "zod";
import { latestText, olderText } from "../../catalog/document.ts";
import { renderYaml } from "../../catalog/yaml.ts";
import type { RecordRow } from "../../db/records/record-rows.ts";
import { FORMAT_TYPES } from "../../export/formats.ts";
import { callbackName, listPageText } from "../http/parameters.ts";
import { recordSchema } from "./schemas.ts";
import { type Reply, IMMUTABLE, REVALIDATE, jsonText, jsonp, plain } from "../http/reply.ts";

const historyRow = z
  .looseObject({
    key: z.string(),
    revision: z.int(),
    id: z.int(),
    action: z.string(),
    comment: z.string().nullable(),
    created: z.string(),
    author: z.string().nullable(),
  })
  .meta({ id: "HistoryRow" });
const difference = z.strictObject({ a: recordSchema.nullable(), b: recordSchema }).meta({ id: "Difference" });

/** Returns the schema of answers by `m`: the record, the rows of its history, or two of its revisions. */
export function recordAnswer(record: z.ZodType = recordSchema) {
  return z.union([record, z.array(historyRow), difference]);
}

/** Response for a mode in a form that it does not have. */
export const NO_SUCH_FORM = { 406: { description: "The mode does not exist in this form", isBare: true } };

/** Media types of a record besides JSON, chosen by the suffix, `Accept` and the parameter `text`. */
export const RECORD_FORMS = [
  "text/html",
  "text/plain",
  "text/x-yaml",
  "application/rdf+xml",
  ...FORMAT_TYPES,
];

export const recordParameters = {
  v: z.string().optional().describe("Number of a revision"),
  m: z.string().optional().describe("Mode: view (default), history or diff"),
  callback: callbackName(),
  text: z.string().optional().describe("`true`: as text/plain"),
  limit: z.string().optional().describe("With m=history: rows, at most 1000 (20)"),
  offset: z.string().optional().describe("With m=history: rows to skip"),
  author: z.string().optional().describe("With m=history: changes by this user key only"),
  page: listPageText("For people: page of the editions or works, with m=history of the list, from 1"),
  kind: z.string().optional().describe("For people, with m=history: changes of this kind only"),
  bot: z
    .string()
    .optional()
    .describe("For people, with m=history: `true` by bots only, `false` by others only"),
  begin: z.string().optional().describe("For people, with m=history: the first day, `2026-11-01`"),
  end: z.string().optional().describe("For people, with m=history: the last day"),
  a: z.string().optional().describe("With m=diff: the earlier revision (the one before `b`)"),
  b: z.string().optional().describe("With m=diff: the later revision (the latest)"),
};

export type RecordParameters = { [name in keyof typeof recordParameters]?: string | undefined };

/** TTLs of an answer in an isolate and in a data centre, in seconds; never more than `edge` in all. */
export const RECORD_KEEP = { isolate: 5, edge: 30 };

export function jsonReply(row: RecordRow, { callback, text }: RecordParameters): Reply {
  const more = validators(row, "");
  // Q15: plain text, even with a callback.
  return text === "true" ? plain(textOf(row), more) : jsonp(textOf(row), callback, more);
}

export function yamlReply(row: RecordRow, { text }: RecordParameters): Reply {
  const contentType = text === "true" ? "text/plain; charset=utf-8" : "text/x-yaml; charset=utf-8";
  return jsonText(renderYaml(JSON.parse(textOf(row))), { ...validators(row, "-yml"), contentType });
}

function textOf(row: RecordRow): string {
  return row.revision === row.latest ? latestText(row) : olderText(row.document);
}

/** Returns entity tag and times of an answer that shows one record. */
function validators(row: RecordRow, form: string) {
  return {
    // Q24: the number alone, although a load can correct a revision.
    etag: `${row.revision}${form}`,
    lastModified: row.lastModified,
    cacheControl: row.revision === row.latest ? REVALIDATE : IMMUTABLE,
    headers: { Vary: "Accept" },
    records: [row.key],
  };
}
