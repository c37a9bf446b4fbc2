import { type Target, call } from "../../scripts/lib/service.ts";
import type { Batch, Item } from "../../scripts/lib/import-batch.ts";
import type { Document, FeedModel } from "./feed-model.ts";
import type { Line } from "./import-records.ts";

const PAGE = 100;

type ImportedItem = Item & { ol_key: string | null };

/** A finished batch and the catalog after it. `before`: keys of editions that existed before. */
interface Imported {
  lines: Line[];
  target: Target;
  batch: Batch;
  counts: Record<string, number>;
  model: FeedModel;
  before: Set<string>;
}

/**
 * Compares the items of a batch with its lines, and the catalog with both. Throws for any difference; returns
 * how many records were made.
 */
export async function checkBatch(imported: Imported) {
  const { lines, batch, counts, model, before } = imported;
  const items = await itemsOf(imported);
  const expected = (end: string) => lines.filter((line) => line.end === end).length;
  checkEqual("lines read", batch.records, lines.length);
  checkEqual("skipped lines", batch.skipped, expected("skipped"));
  checkEqual("items", items.length, lines.length - expected("skipped") - expected("comment"));
  const of = (status: string) => items.filter((item) => item.status === status).length;
  checkEqual("created", of("created"), expected("book"));
  checkEqual("enriched", of("modified") + of("matched"), expected("again"));
  checkEqual("failed", of("failed"), expected("failed"));
  for (const [status, count] of Object.entries(counts)) checkEqual(`counted ${status}`, count, of(status));
  checkErrors(lines, items);

  const editions = model.recordsOf("/type/edition").filter(({ key }) => !before.has(key));
  checkEqual("editions made", editions.length, of("created"));
  const keys = new Set(items.filter(({ status }) => status === "created").map(({ ol_key: key }) => key));
  checkEqual("different editions of created items", keys.size, of("created"));
  checkDistinct(
    "ISBN",
    editions.flatMap((edition) => edition.isbn_13 ?? []),
  );
  checkDistinct(
    "source",
    editions.flatMap((edition) => edition.source_records ?? []),
  );
  checkSources(items, editions);
  return { editions: editions.length, ...checkWorks(model, editions) };
}

async function itemsOf({ target, batch }: Imported) {
  const items: ImportedItem[] = [];
  for (;;) {
    const after = items.at(-1)?.id ?? 0;
    const path = `/import/batch/${batch.id}.json?limit=${PAGE}&after=${after}`;
    const page = (await call(target, path)).items;
    items.push(...page);
    if (page.length < PAGE) return items;
  }
}

/** Throws unless each item has the error code of its line. */
function checkErrors(lines: Line[], items: Item[]) {
  const byPlace = new Map(items.map((item) => [item.place, item]));
  for (const [index, { error }] of lines.entries()) {
    const item = byPlace.get(index + 1);
    if (item !== undefined) checkEqual(`error of line ${index + 1}`, item.error, error ?? null);
  }
}

/** Throws unless the edition of each item names its source. */
function checkSources(items: ImportedItem[], editions: Document[]) {
  const byKey = new Map(editions.map((edition) => [edition.key, edition]));
  for (const { ia_id: source, status, ol_key: key } of items) {
    if (status === "failed") continue;
    const sources: unknown[] = byKey.get(key ?? "")?.source_records ?? [];
    if (!sources.includes(source)) throw new Error(`${key} does not name its source ${source}`);
  }
}

/**
 * Throws unless every new edition has a work, every work an edition, every author exists, and no author name
 * exists twice.
 */
function checkWorks(model: FeedModel, editions: Document[]) {
  const works = new Map(model.recordsOf("/type/work").map((work) => [work.key, work]));
  const authors = new Map(model.recordsOf("/type/author").map((author) => [author.key, author]));
  const used = new Set(editions.map((edition) => edition.works?.[0]?.key ?? ""));
  for (const key of used) if (!works.has(key)) throw new Error(`an edition of ${key}, which does not exist`);
  const all = new Set(model.recordsOf("/type/edition").map((edition) => edition.works?.[0]?.key));
  for (const key of works.keys()) if (!all.has(key)) throw new Error(`${key} has no edition`);
  const written = new Set<string>();
  for (const key of used) {
    for (const { author } of works.get(key)?.authors ?? []) {
      if (!authors.has(author.key)) throw new Error(`${key} is by ${author.key}, which does not exist`);
      written.add(author.key);
    }
  }
  checkDistinct(
    "author name",
    [...written].map((key) => String(authors.get(key)?.name)),
  );
  return { works: used.size, authors: written.size };
}

function checkDistinct(what: string, list: readonly string[]) {
  const seen = new Set();
  for (const one of list) {
    if (seen.has(one)) throw new Error(`${what} ${one} exists twice`);
    seen.add(one);
  }
}

function checkEqual(what: string, found: unknown, expected: unknown) {
  if (found !== expected) throw new Error(`${what}: ${found} instead of ${expected}`);
}
