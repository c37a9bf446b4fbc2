import { seedKey, seedsOfRecord } from "../../catalog/lists/seed.ts";
import type { ExportRow } from "../../catalog/patrons/exports.ts";
import { type CatalogRecord, textOf } from "../../catalog/record.ts";
import { type BelowRow, readBelow } from "../../db/records/users.ts";
import { olidOfKey } from "../../search/indexing/ids.ts";
import { type RequestContext, catalogReader } from "../http/operation.ts";

/** Lists that are read at a time: each can have thousands of seeds. */
export const EXPORTED_LISTS = 20;

/** One row for each seed of a patron's lists, list by list (patrons.md 13). */
export async function* listRows(context: RequestContext, username: string): AsyncGenerator<ExportRow[]> {
  const database = catalogReader(context);
  for (let after = ""; ;) {
    const found = await readBelow(database, `/people/${username}/`, {
      after,
      limit: EXPORTED_LISTS,
      type: "/type/list",
    });
    const last = found.at(-1);
    if (last === undefined) return;
    yield found.flatMap(rowsOf);
    after = last.key;
  }
}

function rowsOf({ key, document }: BelowRow): ExportRow[] {
  // What is stored went through validation when it was written.
  const record = JSON.parse(document) as CatalogRecord;
  const [name, description] = [textOf(record["name"]) ?? "", textOf(record["description"]) ?? ""];
  const [created, modified] = [timeOf(record["created"]), timeOf(record["last_modified"])];
  return seedsOfRecord(record).map((seed) => [
    olidOfKey(key),
    name,
    description,
    seedKey(seed) ?? "",
    created,
    modified,
  ]);
}

function timeOf(value: CatalogRecord[string] | undefined): string {
  return (textOf(value) ?? "").slice(0, "YYYY-MM-DDTHH:MM:SS".length).replace("T", " ");
}
