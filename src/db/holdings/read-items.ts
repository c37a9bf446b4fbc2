import { inArray, sql } from "drizzle-orm";
import { drizzle } from "drizzle-orm/d1";
import type { ItemMetadata } from "../../catalog/ebook-access.ts";
import { item } from "../schema/catalog.ts";

/** Metadata of scanned items, by item id; items without a row are absent. One statement. */
export async function readItems(
  database: D1DatabaseSession,
  ocaids: readonly string[],
): Promise<ReadonlyMap<string, ItemMetadata>> {
  if (ocaids.length === 0) return new Map();
  const { ocaid, collections, accessRestricted } = item;
  // drizzle's driver knows no sessions, though a session has all of a database that it calls.
  const found = await drizzle(database as unknown as D1Database)
    .select({ ocaid, collections, accessRestricted })
    .from(item)
    .where(inArray(ocaid, sql`(SELECT value FROM json_each(${JSON.stringify(ocaids)}))`));
  return new Map(found.map((row) => [row.ocaid, row]));
}
