import * as z from "zod";
import { csvLine } from "../../../catalog/patrons/csv.ts";
import {
  type ExportRow,
  type ExportType,
  EXPORTS,
  csvValue,
  memberName,
} from "../../../catalog/patrons/exports.ts";
import { ownSession } from "../../accounts/own-session.ts";
import { wantsHtml } from "../../http/accept.ts";
import { type RequestContext, operation } from "../../http/operation.ts";
import { type Reply, JSON_TYPE, PRIVATE } from "../../http/reply.ts";
import { textStream } from "../../http/bytes.ts";
import { exportRows } from "./export-rows.ts";

// The keys of an object are its names.
const TYPES = Object.keys(EXPORTS) as ExportType[];

const exportType = z.enum(TYPES).describe("Which file");

/** `GET /account/export`: the patron's data as a file. */
export const exportOwn = operation({
  id: "exportOwn",
  summary: "Download what one has here",
  tag: "account",
  query: { type: exportType },
  responses: {
    200: {
      description: "The file; with `Accept: application/json` the answer of `/account/export.json`",
      contentType: "text/csv",
      also: ["application/json"],
    },
  },
  handle: async ({ query: { type } }, context) =>
    exportFile(context, (await ownSession(context)).username, type),
});

/** Returns a file of a patron's data, sent as it is read. */
function exportFile(context: RequestContext, username: string, type: ExportType): Reply {
  const rows = exportRows(context, username, type);
  const isJson = wantsJson(context);
  const headers = { Vary: "Accept, Cookie" };
  const file = { "Content-Disposition": `attachment; filename=${EXPORTS[type].file}` };
  return {
    status: 200,
    body: textStream(isJson ? jsonText(type, rows) : csvText(type, rows)),
    contentType: isJson ? JSON_TYPE : "text/csv; charset=utf-8",
    cacheControl: PRIVATE,
    headers: isJson ? headers : { ...headers, ...file },
  };
}

/** Returns true for programs that ask for JSON, by the path or by `Accept`; all other clients get CSV. */
function wantsJson({ url, request }: RequestContext): boolean {
  if (url.pathname.endsWith(".json")) return true;
  return (request.headers.get("Accept") ?? "").includes(JSON_TYPE) && !wantsHtml(request);
}

/** Yields a JSON array of objects with the CSV's values under member names; multiple values stay arrays. */
async function* jsonText(type: ExportType, parts: AsyncIterable<ExportRow[]>): AsyncGenerator<string> {
  const names = EXPORTS[type].columns.map(memberName);
  let separator = "[";
  for await (const rows of parts) {
    const objects = rows.map((row) => Object.fromEntries(names.map((name, at) => [name, row[at] ?? null])));
    if (objects.length === 0) continue;
    yield separator + objects.map((one) => JSON.stringify(one)).join(",\n");
    separator = ",\n";
  }
  yield separator === "[" ? "[]" : "]";
}

async function* csvText(type: ExportType, parts: AsyncIterable<ExportRow[]>): AsyncGenerator<string> {
  yield csvLine(EXPORTS[type].columns);
  for await (const rows of parts) yield rows.map((row) => csvLine(row.map(csvValue))).join("");
}

const texts = z.array(z.string());
const number = z.int().nullable();
/** Schemas of the members of rows; all others are texts. */
const MEMBERS: Readonly<Record<string, z.ZodType>> = {
  authors: texts,
  edition_count: number,
  edition_id: z.string().nullable().describe("null: the work as a whole"),
  first_publish_year: number,
  has_ebook: z.boolean(),
  my_ratings: number,
  rating: number,
  ratings_average: z.number().nullable(),
  ratings_count: number,
  subject_people: texts,
  subject_places: texts,
  subject_times: texts,
  subjects: texts,
};

/** Returns the schema of a file's rows as JSON. */
export function rowsSchema(type: ExportType): z.ZodType {
  const names = EXPORTS[type].columns.map(memberName);
  const members = names.map((name) => [name, MEMBERS[name] ?? z.string()] as const);
  return z.array(z.strictObject(Object.fromEntries(members))).describe(`The rows of \`${type}\``);
}

/** `GET /account/export.json`: the rows of the file, for programs (Q232). */
export const exportOwnJson = operation({
  id: "exportOwnJson",
  summary: "Download what one has here as JSON",
  tag: "account",
  query: { type: exportType },
  responses: { 200: { description: "The rows of the file", schema: z.union(TYPES.map(rowsSchema)) } },
  handle: exportOwn.handle,
});
