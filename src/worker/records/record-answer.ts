import * as z from "zod";
import { latestTextOf, olderTextOf, parseDocument } from "../../catalog/document.ts";
import type { RecordRow } from "../../db/records/record-rows.ts";
import { FORMAT_TYPES } from "../../export/formats.ts";
import { callbackName, listPageText } from "../http/parameters.ts";
import { type PartSelection, partParameters } from "./part-parameters.ts";
import type { Parts } from "./parts.ts";
import { type Reply, IMMUTABLE, REVALIDATE, jsonText, jsonp, plain } from "../http/reply.ts";

// Schemas of records in the interface description. Other members, and deviations in old dumps, are sent as stored.
const textSchema = z
  .union([z.string(), z.object({ type: z.string(), value: z.string() })])
  .meta({ id: "Text", description: "Text as stored: a string or an object" });
const reference = z.looseObject({ key: z.string() }).meta({ id: "Reference" });
const references = z.array(reference).optional();
const strings = z.array(z.string()).optional();
const covers = z.array(z.int().nullable()).optional();

const recordMembers = {
  key: z.string(),
  type: z.object({ key: z.string() }),
  revision: z.int(),
  latest_revision: z.int().optional(),
  created: z.unknown().optional(),
  last_modified: z.unknown().optional(),
};

const recordSchema = z.looseObject(recordMembers).meta({ id: "Record" });

const bookMembers = {
  ...recordMembers,
  title: z.string().optional(),
  subtitle: z.string().optional(),
  description: textSchema.optional(),
  covers: covers.describe("Numbers of covers, best first"),
  subjects: strings,
};
const MAYBE_GONE = "a record of type delete or redirect if it was deleted or merged";

export const workSchema = z
  .looseObject({
    ...bookMembers,
    authors: z.array(z.looseObject({ author: reference.optional() })).optional(),
  })
  .meta({ id: "Work", description: `A work; ${MAYBE_GONE}` });

export const editionSchema = z
  .looseObject({
    ...bookMembers,
    works: references,
    authors: references,
    publishers: strings,
    publish_date: z.string().optional(),
    languages: references,
    isbn_10: strings,
    isbn_13: strings,
    ocaid: z.string().optional().describe("ID of the scan"),
  })
  .meta({ id: "Edition", description: `An edition; ${MAYBE_GONE}` });

export const authorSchema = z
  .looseObject({
    ...recordMembers,
    name: z.string().optional(),
    bio: textSchema.optional(),
    birth_date: z.string().optional(),
    death_date: z.string().optional(),
    alternate_names: strings,
    photos: covers,
  })
  .meta({ id: "Author", description: `An author; ${MAYBE_GONE}` });

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

const selected = z
  .looseObject({ key: z.string() })
  .meta({ id: "SelectedMembers", description: "Key, and the members that `fields` names" });

/** Returns the schema of a record of which `fields` can select members. */
export function withSelectedMembers(record: z.ZodType) {
  return z.union([record, selected]);
}

/** Returns the schema of answers for every `m`: the record, the rows of its history, or two of its revisions. */
export function recordAnswer(record: z.ZodType = recordSchema) {
  return z.union([record, z.array(historyRow), difference, selected]);
}

export const NO_SUCH_FORM = { 406: { description: "Mode not available in this format", isBare: true } };

/** Media types of a record besides JSON, chosen by the suffix, `Accept` and the parameter `text`. */
export const RECORD_FORMS = [
  "text/html",
  "text/plain",
  "text/x-yaml",
  "application/rdf+xml",
  ...FORMAT_TYPES,
];

const textParameters = {
  v: z.string().optional().describe("Revision number"),
  m: z.string().optional().describe("Mode: view (default), history or diff"),
  callback: callbackName(),
  text: z.string().optional().describe("`true`: respond as text/plain"),
  limit: z.string().optional().describe("With `m=history`: number of rows, at most 1000; default 20"),
  offset: z.string().optional().describe("With `m=history`: number of rows to skip"),
  author: z.string().optional().describe("With `m=history`: only changes by this user key"),
  page: listPageText("Page number of editions, works or, with `m=history`, changes (HTML)"),
  kind: z.string().optional().describe("With `m=history` (HTML): only changes of this kind"),
  bot: z
    .string()
    .optional()
    .describe("With `m=history` (HTML): `true` for changes by bots only, `false` for changes by others only"),
  begin: z.string().optional().describe("With `m=history` (HTML): first day, for example `2026-11-01`"),
  end: z.string().optional().describe("With `m=history` (HTML): last day"),
  a: z.string().optional().describe("With `m=diff`: earlier revision; default: the one before `b`"),
  b: z.string().optional().describe("With `m=diff`: later revision; default: the latest"),
};

export type RecordParameters = { [name in keyof typeof textParameters]?: string | undefined } & PartSelection;
export const recordParameters = { ...textParameters, ...partParameters };

export function addressWithout(url: URL, ...names: readonly string[]): string {
  const target = new URL(url);
  for (const name of names) target.searchParams.delete(name);
  return target.pathname + target.search;
}

/** TTLs of an answer in an isolate and in a data centre, in seconds; never more than `edge` in all. */
export const RECORD_CACHE = { isolate: 5, edge: 30 };

export function jsonReply(row: RecordRow, { callback, text }: RecordParameters, parts?: Parts): Reply {
  const shown = parts === undefined ? textOf(row) : JSON.stringify(parts.show(parseDocument(textOf(row))));
  const more = validators(row, "");
  const validated = parts === undefined ? more : parts.reply(more);
  // Q15: plain text, even with a callback.
  return text === "true" ? plain(shown, validated) : jsonp(shown, callback, validated);
}

export async function yamlReply(row: RecordRow, { text }: RecordParameters): Promise<Reply> {
  const { renderYaml } = await import("../../catalog/yaml.ts");
  const contentType = text === "true" ? "text/plain; charset=utf-8" : "text/x-yaml; charset=utf-8";
  return jsonText(renderYaml(JSON.parse(textOf(row))), { ...validators(row, "-yml"), contentType });
}

function textOf(row: RecordRow): string {
  return row.revision === row.latest ? latestTextOf(row) : olderTextOf(row.document);
}

function validators(row: RecordRow, etagSuffix: string) {
  return {
    // Q24: the number alone, although a load can correct a revision.
    etag: `${row.revision}${etagSuffix}`,
    lastModified: row.lastModified,
    cacheControl: row.revision === row.latest ? REVALIDATE : IMMUTABLE,
    headers: { Vary: "Accept" },
    records: [row.key],
  };
}
