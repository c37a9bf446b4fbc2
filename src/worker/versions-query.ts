import * as z from "zod";
import type { Json } from "../catalog/record.ts";
import { type VersionRow, readVersions } from "../db/records/read-history.ts";
import type { Database } from "../db/statement.ts";
import { badData } from "./errors.ts";

/** Rows of a versions query: default and most (records.md 7.6); highest offset. */
export const VERSIONS_LIMIT = { default: 20, max: 1000 };
export const VERSIONS_OFFSET_MAX = 100_000;

const count = z.coerce.number().int().min(0);
const reference = z.union([z.string(), z.object({ key: z.string() }).transform(({ key }) => key)]);
const fields = {
  key: z.string().optional(),
  type: reference.optional(),
  revision: count.optional(),
  author: reference.optional(),
  ip: z.string().optional(),
  comment: z.string().optional(),
  created: z.string().optional(),
  bot: z.boolean().optional(),
  limit: count.default(VERSIONS_LIMIT.default),
  offset: count.max(VERSIONS_OFFSET_MAX).default(0),
  sort: z.enum(["created", "-created", "id", "-id"]).default("-created"),
};
const schema = z.object(fields);

/** Who asks: only the service itself and administrators may look for addresses. */
export type Asker = "service" | "administrator" | "client";

/** Answers a versions query. Names it does not know make an empty answer, as in the reference. */
export async function queryVersions(database: Database, query: Json, asker: Asker): Promise<VersionRow[]> {
  if (typeof query !== "object" || query === null || Array.isArray(query)) {
    throw badData("Bad query: expected a JSON object");
  }
  const names = Object.keys(query);
  // Q22: no rows for names that mean nothing.
  if (names.some((name) => !Object.hasOwn(fields, name)) || (asker === "client" && names.includes("ip")))
    return [];
  const parsed = schema.safeParse(query);
  if (!parsed.success) throw badData(`Bad query: ${z.prettifyError(parsed.error)}`);
  const { limit, offset, sort, ...filter } = parsed.data;
  const page = { limit: Math.min(limit, VERSIONS_LIMIT.max), offset, descending: sort.startsWith("-") };
  return readVersions(database, filter, page);
}
