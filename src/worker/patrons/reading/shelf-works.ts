import type { JsonObject } from "../../../catalog/record.ts";
import { readLostWorks } from "../../../db/records/titles.ts";
import type { ShelfEntry } from "../../../durable/patron/shelves.ts";
import type { Document, SearchEngine } from "../../../search/engine.ts";
import { READING_LOG_FIELDS, readingLogWork, titledWork } from "../../../search/present/works.ts";
import { type RequestContext, catalogReader } from "../../http/operation.ts";
import { editionKey, workKey } from "./parameters.ts";

/** Title of a deleted work. */
const DELETED = "[Record deleted]";

type Shelved = Pick<ShelfEntry, "work" | "edition">;

/**
 * Returns the works of some entries as a shelf shows them, by number. One round trip to the index; one to the catalog
 * if works are missing there, and one more to the index if they were merged into others.
 */
export async function shelfWorks(
  context: RequestContext,
  engine: SearchEngine,
  entries: readonly Shelved[],
): Promise<Map<number, JsonObject>> {
  const keys = entries.map(({ work }) => workKey(context, work));
  const documents = byKey(await engine.getMany(keys, READING_LOG_FIELDS));
  const missing = entries.filter(({ work }) => !documents.has(workKey(context, work)));
  const found = await missingWorks(context, engine, missing);
  return new Map(
    entries.map(({ work }) => {
      const key = workKey(context, work);
      const document = documents.get(key);
      return [
        work,
        document === undefined ? (found.get(key) ?? titledWork(key, key)) : readingLogWork(key, document),
      ];
    }),
  );
}

async function missingWorks(
  context: RequestContext,
  engine: SearchEngine,
  entries: readonly Shelved[],
): Promise<Map<string, JsonObject>> {
  if (entries.length === 0) return new Map();
  const lost = await readLostWorks(
    catalogReader(context),
    entries.map(({ work, edition }) => [workKey(context, work), editionKey(context, edition)]),
  );
  const moved = lost.flatMap(({ type, workOfEdition }) =>
    type === "/type/redirect" && workOfEdition !== null ? [workOfEdition] : [],
  );
  const documents = byKey(await engine.getMany([...new Set(moved)], READING_LOG_FIELDS));
  return new Map(
    lost.map(({ key, type, workOfEdition }) => {
      if (type === "/type/delete") return [key, titledWork(key, DELETED)];
      if (type !== "/type/redirect") return [key, titledWork(key, key)];
      // Q219: the target of a merged work is found by the edition that the patron logged.
      const document = documents.get(workOfEdition ?? "");
      return [key, document === undefined ? titledWork(key, "") : readingLogWork(key, document)];
    }),
  );
}

function byKey(documents: readonly Document[]): Map<unknown, Document> {
  return new Map(documents.map((document) => [document["key"], document]));
}
