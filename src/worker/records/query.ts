import * as z from "zod";
import { ByteBudget, READ_DOCUMENT_BYTES } from "../../catalog/bytes.ts";
import { latestRecordOf } from "../../catalog/document.ts";
import { parseQuery } from "../../catalog/query/parse-query.ts";
import {
  type RecordQuery,
  type ReferencedRecords,
  QueryError,
  unreadReferences,
  selectMembers,
} from "../../catalog/query/record-query.ts";
import type { CatalogRecord, Json } from "../../catalog/record.ts";
import { SCAN_RECORDS, runKeyQuery, runQuery } from "../../db/query/run-query.ts";
import { readRecords } from "../../db/records/records.ts";
import { DocumentsTooLarge } from "../../db/records/record-rows.ts";
import type { Database } from "../../db/statement.ts";
import { catalogReader, operation } from "../http/operation.ts";
import { callbackName } from "../http/parameters.ts";
import { NO_STORE, jsonp, plain } from "../http/reply.ts";
import { queryJson } from "../http/request-body.ts";
import { failure } from "../http/failure.ts";

/** Records besides the rows of a query whose members it may select. */
const REFERENCED_RECORDS = 5000;

export const queryOperation = operation({
  id: "query",
  summary: "Query records by their members",
  tag: "records",
  query: {
    query: z.string().optional().describe("JSON query object; replaces conditions in other parameters"),
    callback: callbackName(),
    text: z.string().optional().describe("`true`: respond as text/plain"),
  },
  responses: {
    200: {
      description: "Records, each with its key and the selected members",
      schema: z.array(z.looseObject({})),
      also: ["text/plain"],
    },
    400: { description: "Invalid query" },
    413: { description: "Response too large" },
    503: { description: "Query would scan too many records" },
  },
  async handle({ query: { query, callback, text } }, context) {
    const loose = query === undefined;
    const object = loose ? plainQuery(context.url.searchParams) : queryJson(query);
    const records = await queryRecords(catalogReader(context), object, { loose });
    const body = JSON.stringify(records);
    const more = { cacheControl: NO_STORE };
    return text === "true" ? plain(body, more) : jsonp(body, callback, more);
  },
});

/** Runs a query object. Returns the matching records, with the members that it selects. */
export async function queryRecords(
  database: Database,
  query: Json,
  { loose }: { loose: boolean },
): Promise<CatalogRecord[]> {
  const parsed = parseOrRefuse(query, loose);
  const { all, members } = parsed.selection;
  // Keys are known without reading a record.
  if (!all && [...members].every(([name, nested]) => name === "key" && nested === null)) {
    return (await rowsOrRefuse(runKeyQuery(database, parsed))).map((key) => ({ key }));
  }
  const records = (await rowsOrRefuse(runQuery(database, parsed))).map(latestRecordOf);
  const referenced = await readReferenced(database, records, parsed);
  const budget = new ByteBudget(READ_DOCUMENT_BYTES);
  return records.map((record) => selectMembers(record, parsed.selection, { referenced, budget }));
}

export async function queryKeys(database: Database, query: Json): Promise<string[]> {
  return rowsOrRefuse(runKeyQuery(database, parseOrRefuse(query, false)));
}

function parseOrRefuse(query: Json, loose: boolean): RecordQuery {
  try {
    return parseQuery(query, { loose });
  } catch (error) {
    throw refusal(error);
  }
}

async function rowsOrRefuse<Row>(running: Promise<Row[] | "cut-off">): Promise<Row[]> {
  const rows = await running.catch((error: unknown) => {
    throw refusal(error);
  });
  if (rows === "cut-off") throw failure("timeout.query", { most: SCAN_RECORDS });
  return rows;
}

function refusal(error: unknown): unknown {
  return error instanceof QueryError ? failure(error.text.key, error.text.values) : error;
}

/** Reads the records that the selection reaches by references: one statement per step. */
async function readReferenced(
  database: Database,
  records: readonly CatalogRecord[],
  { selection }: RecordQuery,
): Promise<ReferencedRecords> {
  const referenced = new Map<string, CatalogRecord | undefined>();
  let length = 0;
  for (;;) {
    const keys = unreadReferences(records, selection, referenced);
    if (keys.length === 0) return referenced;
    if (referenced.size + keys.length > REFERENCED_RECORDS) {
      throw failure("bad_data.query_references", { most: REFERENCED_RECORDS });
    }
    for (const key of keys) referenced.set(key, undefined);
    for (const row of await readRecords(database, keys)) {
      length += row.document.length;
      referenced.set(row.key, latestRecordOf(row));
    }
    if (length > READ_DOCUMENT_BYTES) throw new DocumentsTooLarge();
  }
}

const NOT_CONDITIONS = new Set(["query", "callback", "text"]);

/**
 * Converts parameters to a query: every parameter is a condition, an empty one selects that member. Of repeated ones
 * the last counts (Q37).
 */
function plainQuery(search: URLSearchParams): Json {
  const query: Record<string, Json> = {};
  for (const [name, value] of search) {
    if (!name.startsWith("_") && !NOT_CONDITIONS.has(name)) query[name] = value === "" ? null : value;
  }
  return query;
}
