import * as z from "zod";
import { reference } from "../history/change-query.ts";
import type { Json } from "../../catalog/record.ts";
import { ADMIN_GROUP } from "../../catalog/roles.ts";
import { recordsByKey, revisionOf, viewOf } from "../../db/records/records.ts";
import { type VersionRow, readVersions } from "../../db/history/versions.ts";
import type { Database } from "../../db/statement.ts";
import { ownError, recordNotFound } from "../http/errors.ts";
import { type AnyOperation, type RequestContext, catalogReader, operation } from "../http/operation.ts";
import { NO_STORE, json, plain } from "../http/reply.ts";
import { HISTORY_LIMIT, HISTORY_OFFSET_MAX, versionEntry } from "./history.ts";
import { queryKeys, queryRecords } from "./query.ts";
import { queryJson } from "../http/request-body.ts";
import { failure } from "../http/failure.ts";

export const getHook = readHook({
  name: "get",
  summary: "Get a record",
  query: { key: z.string().optional(), revision: z.string().optional() },
  async run({ key, revision }, context) {
    if (key === undefined) throw failure("bad_data.argument", { name: "key" });
    const row = await revisionOf(catalogReader(context), key, revision);
    if (row === undefined) throw recordNotFound(key);
    return viewOf(row);
  },
});

/** Maximum keys in one request, and characters of their JSON text. */
const GET_MANY_KEYS = 1000;
const GET_MANY_TEXT_LENGTH = 65_536;

export const getManyHook = readHook({
  name: "get_many",
  summary: "Get several records by key",
  query: { keys: z.string().optional().describe("JSON array of keys") },
  run: async ({ keys }, context) => recordsByKey(catalogReader(context), keysOfParameter(keys)),
});

/** Returns keys of the records that match a query, or with `details=true` the members that it selects. */
export const thingsHook = readHook({
  name: "things",
  summary: "Query keys of records by their members",
  query: { query: z.string().optional().describe("JSON query object"), details: z.string().optional() },
  async run({ query, details }, context) {
    if (query === undefined) throw failure("bad_data.argument", { name: "query" });
    const object = queryJson(query);
    const reader = catalogReader(context);
    return details === "true" ? queryRecords(reader, object, { loose: false }) : queryKeys(reader, object);
  },
});

/** Returns revisions by record, author, comment and the like; IP addresses for administrators only. */
export const versionsHook = readHook({
  name: "versions",
  summary: "Query revisions of records",
  query: { query: z.string().optional().describe("JSON query object") },
  async run({ query }, context) {
    if (query === undefined) throw failure("bad_data.argument", { name: "query" });
    const isAdmin = (await context.actor()).groups.has(ADMIN_GROUP);
    const origin = isAdmin ? "administrator" : "client";
    const rows = await queryVersions(catalogReader(context), queryJson(query), origin);
    return rows.map((row) => Object.assign(versionEntry(row), isAdmin ? { ip: row.ip } : {}));
  },
});

/** Parses the keys in the JSON text of a `keys` parameter. Throws 400 if it is invalid. */
export function keysOfParameter(text: string | undefined): string[] {
  if (text === undefined) throw failure("bad_data.argument", { name: "keys" });
  const parsed = z.array(z.string()).max(GET_MANY_KEYS).safeParse(queryJson(text, GET_MANY_TEXT_LENGTH));
  if (!parsed.success) throw failure("bad_data.keys", { most: GET_MANY_KEYS });
  return parsed.data;
}

const count = z.coerce.number().int().min(0);
const versionFields = {
  key: z.string().optional(),
  type: reference.optional(),
  revision: count.optional(),
  author: reference.optional(),
  ip: z.string().optional(),
  comment: z.string().optional(),
  created: z.string().optional(),
  bot: z.boolean().optional(),
  limit: count.default(HISTORY_LIMIT.default),
  offset: count.max(HISTORY_OFFSET_MAX).default(0),
  sort: z.enum(["created", "-created", "id", "-id"]).default("-created"),
};
/** Runs a versions query. Only the service itself and administrators may search for IP addresses. */
export async function queryVersions(
  database: Database,
  query: Json,
  origin: "service" | "administrator" | "client",
): Promise<VersionRow[]> {
  if (typeof query !== "object" || query === null || Array.isArray(query)) {
    throw failure("bad_data.query_object");
  }
  const names = Object.keys(query);
  // Q22: no rows for unknown names.
  if (names.some((name) => !Object.hasOwn(versionFields, name))) return [];
  if (origin === "client" && names.includes("ip")) return [];
  const parsed = z.object(versionFields).safeParse(query);
  if (!parsed.success) throw failure("bad_data.query", { problem: z.prettifyError(parsed.error) });
  const { limit, offset, sort, ...filter } = parsed.data;
  const page = { limit: Math.min(limit, HISTORY_LIMIT.max), offset, descending: sort.startsWith("-") };
  return readVersions(database, filter, page);
}

/** Defines a hook of the older read API: `{status: "ok", result}` or `{status: "fail", message}`. */
function readHook<Q extends Record<string, z.ZodType>>({
  name,
  summary,
  query,
  run,
}: {
  name: string;
  summary: string;
  query: Q;
  run(query: { [name in keyof Q]: z.output<Q[name]> }, context: RequestContext): Promise<unknown>;
}): AnyOperation {
  return operation({
    id: `api_${name}`,
    summary,
    tag: "records",
    query: { ...query, text: z.string().optional().describe("`true`: respond as text/plain") },
    responses: {
      200: {
        description: "Result or failure",
        schema: z.object({
          status: z.enum(["ok", "fail"]),
          result: z.unknown().optional(),
          message: z.string().optional(),
        }),
        also: ["text/plain"],
      },
    },
    async handle({ query: values }, context) {
      let outcome: Readonly<Record<string, unknown>>;
      try {
        // The values were produced by `query` and `text`.
        const result = await run(values as { [key in keyof Q]: z.output<Q[key]> }, context);
        outcome = { status: "ok", result };
      } catch (error) {
        // Q39: a failure is 200 as well.
        const refusal = ownError(error);
        if (refusal === undefined) throw error;
        const message = refusal.code === "notfound" ? "notfound" : refusal.message;
        outcome = { status: "fail", message };
      }
      const more = { cacheControl: NO_STORE };
      return values["text" as keyof typeof values] === "true"
        ? plain(JSON.stringify(outcome), more)
        : json(outcome, more);
    },
  });
}
