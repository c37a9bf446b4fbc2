import * as z from "zod";
import { formatCsvLine } from "../../../catalog/patrons/csv.ts";
import {
  type ExportRow,
  type ExportType,
  EXPORTS,
  toCsvValue,
  memberNameOf,
} from "../../../catalog/patrons/exports.ts";
import { ownSession } from "../../accounts/own-session.ts";
import { textStream } from "../../http/bytes.ts";
import type { AnyOperation } from "../../http/operation.ts";
import { type Reply, JSON_TYPE, PRIVATE } from "../../http/reply.ts";
import { resource } from "../../http/views.ts";
import { exportRows } from "./export-rows.ts";

const TYPES = Object.keys(EXPORTS) as ExportType[];

export const exportOwn = resource({
  id: "exportOwn",
  summary: "Download your data as CSV",
  tag: "account",
  query: { type: z.enum(TYPES).describe("Data set to export") },
  responses: {
    200: {
      description: "CSV file; with `Accept: application/json` the response of `/account/export.json`",
      contentType: "text/csv",
      also: ["application/json"],
    },
  },
  isPageByDefault: true,
  async read({ query: { type } }, context) {
    const { username } = await ownSession(context);
    return { type, pages: exportRows(context, username, type) };
  },
  asJson: ({ type, pages }) => fileReply(jsonText(type, pages), JSON_TYPE),
  page: ({ type, pages }) =>
    fileReply(csvText(type, pages), "text/csv; charset=utf-8", {
      "Content-Disposition": `attachment; filename=${EXPORTS[type].file}`,
    }),
});

function fileReply(
  text: AsyncGenerator<string>,
  contentType: string,
  headers?: Record<string, string>,
): Reply {
  return {
    status: 200,
    body: textStream(text, contentType),
    contentType,
    cacheControl: PRIVATE,
    headers: { Vary: "Accept, Cookie", ...headers },
  };
}

async function* jsonText(type: ExportType, pages: AsyncIterable<ExportRow[]>): AsyncGenerator<string> {
  const names = EXPORTS[type].columns.map(memberNameOf);
  let separator = "[";
  for await (const rows of pages) {
    const objects = rows.map((row) => Object.fromEntries(names.map((name, at) => [name, row[at] ?? null])));
    if (objects.length === 0) continue;
    yield separator + objects.map((object) => JSON.stringify(object)).join(",\n");
    separator = ",\n";
  }
  yield separator === "[" ? "[]" : "]";
}

async function* csvText(type: ExportType, pages: AsyncIterable<ExportRow[]>): AsyncGenerator<string> {
  yield formatCsvLine(EXPORTS[type].columns);
  for await (const rows of pages) yield rows.map((row) => formatCsvLine(row.map(toCsvValue))).join("");
}

const texts = z.array(z.string());
const number = z.int().nullable();
/** Schemas of the members of rows. Members without one are strings. */
const MEMBERS: Readonly<Record<string, z.ZodType>> = {
  authors: texts,
  book_id: z.int(),
  edition_count: number,
  edition_id: z.string().nullable().describe("Null for a note on the work itself"),
  first_publish_year: number,
  has_ebook: z.boolean(),
  lists: texts,
  my_rating: z.int().describe("0 if not rated"),
  my_ratings: number,
  observations: texts,
  owned_copies: z.int(),
  percentage: z.number().describe("Share that has been read, from 0 to 1"),
  rating: number,
  ratings_average: z.number().nullable(),
  ratings_count: number,
  read_count: z.int(),
  readings: texts,
  subject_people: texts,
  subject_places: texts,
  subject_times: texts,
  subjects: texts,
};

export function rowsSchema(type: ExportType): z.ZodType {
  const names = EXPORTS[type].columns.map(memberNameOf);
  const members = names.map((name) => [name, MEMBERS[name] ?? z.string()] as const);
  return z.array(z.strictObject(Object.fromEntries(members))).describe(`Rows of \`${type}\``);
}

/** `GET /account/export.json`: the rows of the file, for programs (Q232). */
export const exportOwnJson: AnyOperation = {
  ...exportOwn,
  id: "exportOwnJson",
  summary: "Download your data as JSON",
  responses: { 200: { description: "Rows of the data set", schema: z.union(TYPES.map(rowsSchema)) } },
};
