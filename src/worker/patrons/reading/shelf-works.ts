import type { JsonObject } from "../../../catalog/record.ts";
import { readLostWorks } from "../../../db/records/titles.ts";
import type { ShelfEntry } from "../../../durable/patron/shelves.ts";
import type { Document, SearchEngine } from "../../../search/engine.ts";
import { READING_LOG_FIELDS, toReadingLogWork, toTitledWork } from "../../../search/present/works.ts";
import { type RequestContext, catalogReader } from "../../http/operation.ts";
import { workKey } from "./own-data.ts";

const DELETED_TITLE = "[Record deleted]";

/**
 * Reads the works of entries as a shelf shows them, by number. One round trip to the index; one to the catalog if works
 * are missing in the index, and one more to the index if they were merged into others.
 */
export async function readShelfWorks(
  context: RequestContext,
  engine: SearchEngine,
  entries: readonly ShelfEntry[],
) {
  const keys = entries.map(({ work }) => workKey(context, work));
  const documents = byKey(await engine.getMany(keys, READING_LOG_FIELDS));
  const missing = keys.filter((key) => !documents.has(key));
  const unindexed = await readMissingWorks(context, engine, missing);
  const works = new Map<number, JsonObject>();
  for (const { work } of entries) {
    const key = workKey(context, work);
    const document = documents.get(key);
    const missingWork = unindexed.get(key) ?? toTitledWork(key, key);
    works.set(work, document === undefined ? missingWork : toReadingLogWork(key, document));
  }
  return works;
}

async function readMissingWorks(
  context: RequestContext,
  engine: SearchEngine,
  keys: readonly string[],
): Promise<Map<string, JsonObject>> {
  if (keys.length === 0) return new Map();
  const works = await readLostWorks(catalogReader(context), keys);
  const moved = works.flatMap(({ key, target }) => (target === key ? [] : [target]));
  const documents = byKey(await engine.getMany([...new Set(moved)], READING_LOG_FIELDS));
  return new Map(
    works.map(({ key, type, target }) => {
      if (type === "/type/delete") return [key, toTitledWork(key, DELETED_TITLE)];
      if (type !== "/type/redirect") return [key, toTitledWork(key, key)];
      // Q219: a merged work is shown as its target, with the key that the patron logged.
      const document = documents.get(target);
      return [key, document === undefined ? toTitledWork(key, "") : toReadingLogWork(key, document)];
    }),
  );
}

function byKey(documents: readonly Document[]): Map<unknown, Document> {
  return new Map(documents.map((document) => [document["key"], document]));
}
