import { call } from "../../scripts/lib/service.mjs";

/** @import { Batch, Item } from "../../scripts/lib/import-batch.mjs" */
/** @import { Target } from "../../scripts/lib/service.mjs" */
/** @import { FeedModel } from "./feed-model.mjs" */
/** @import { Line } from "./import-records.mjs" */

const PAGE = 100;

/**
 * A batch that is done with, and the catalog as it is then; `before`: keys of the editions that were there.
 * @typedef {{ lines: Line[], target: Target, batch: Batch, counts: Record<string, number>, model: FeedModel, before: Set<string> }} Imported
 */

/**
 * Compares the items of a batch with its lines, and the catalog with both; throws what is wrong. Answers how many records
 * were made.
 * @param {Imported} imported
 */
export async function checkBatch(imported) {
  const { lines, batch, counts, model, before } = imported;
  const items = await itemsOf(imported);
  const byEnd = (/** @type {string} */ end) => lines.filter((line) => line.end === end).length;
  same("lines read", batch.records, lines.length);
  same("skipped lines", batch.skipped, byEnd("skipped"));
  same("items", items.length, lines.length - byEnd("skipped") - byEnd("comment"));
  const of = (/** @type {string} */ status) => items.filter((item) => item.status === status).length;
  same("created", of("created"), byEnd("book"));
  same("enriched", of("modified") + of("matched"), byEnd("again"));
  same("failed", of("failed"), byEnd("failed"));
  for (const [status, count] of Object.entries(counts)) same(`counted ${status}`, count, of(status));
  checkErrors(lines, items);

  const editions = model.recordsOf("/type/edition").filter(({ key }) => !before.has(key));
  same("editions made", editions.length, of("created"));
  const keys = new Set(items.filter(({ status }) => status === "created").map(({ ol_key: key }) => key));
  same("different editions of created items", keys.size, of("created"));
  distinct(
    "ISBN",
    editions.flatMap((edition) => /** @type {string[]} */ (edition["isbn_13"] ?? [])),
  );
  distinct(
    "source",
    editions.flatMap((edition) => /** @type {string[]} */ (edition["source_records"] ?? [])),
  );
  checkSources(items, editions);
  return { editions: editions.length, ...checkWorks(model, editions) };
}

/**
 * All items of the batch, one after the other.
 * @param {Imported} imported
 */
async function itemsOf({ target, batch }) {
  /** @type {(Item & { ol_key: string | null })[]} */
  const items = [];
  for (;;) {
    const after = items.at(-1)?.id ?? 0;
    const path = `/import/batch/${batch.id}.json?limit=${PAGE}&after=${after}`;
    const page = (await call(target, path)).items;
    items.push(...page);
    if (page.length < PAGE) return items;
  }
}

/**
 * Codes must be those that the lines deserve.
 * @param {Line[]} lines
 * @param {Item[]} items
 */
function checkErrors(lines, items) {
  const byPlace = new Map(items.map((item) => [item.place, item]));
  for (const [index, { error }] of lines.entries()) {
    const item = byPlace.get(index + 1);
    if (item !== undefined) same(`error of line ${index + 1}`, item.error, error ?? null);
  }
}

/**
 * The edition of each item must name its source.
 * @param {(Item & { ol_key: string | null })[]} items
 * @param {{ key: string }[]} editions
 */
function checkSources(items, editions) {
  const byKey = new Map(editions.map((edition) => [edition.key, edition]));
  for (const { ia_id: source, status, ol_key: key } of items) {
    if (status === "failed") continue;
    const sources = /** @type {Record<string, unknown>} */ (byKey.get(key ?? "") ?? {})["source_records"];
    if (!Array.isArray(sources) || !sources.includes(source)) {
      throw new Error(`${source}: ${key} does not name it`);
    }
  }
}

/**
 * Every new edition has a work, every work an edition, every work authors that there are; no name is there twice.
 * @param {FeedModel} model
 * @param {Record<string, any>[]} editions
 */
function checkWorks(model, editions) {
  const works = new Map(model.recordsOf("/type/work").map((work) => [work.key, work]));
  const authors = new Map(model.recordsOf("/type/author").map((author) => [author.key, author]));
  const used = new Set(editions.map((edition) => edition["works"]?.[0]?.key));
  for (const key of used) if (!works.has(key)) throw new Error(`an edition of ${key}, which is not there`);
  const all = new Set(model.recordsOf("/type/edition").map((edition) => worksOf(edition)[0]?.key));
  for (const key of works.keys()) if (!all.has(key)) throw new Error(`${key} has no edition`);
  const written = new Set();
  for (const key of used) {
    for (const { author } of /** @type {any} */ (works.get(key))["authors"] ?? []) {
      if (!authors.has(author.key)) throw new Error(`${key} is by ${author.key}, which is not there`);
      written.add(author.key);
    }
  }
  distinct(
    "name of an author",
    [...written].map((key) => String(authors.get(key)?.["name"])),
  );
  return { works: used.size, authors: written.size };
}

/**
 * @param {Record<string, unknown>} edition
 * @returns {{ key: string }[]}
 */
function worksOf(edition) {
  return /** @type {{ key: string }[] | undefined} */ (edition["works"]) ?? [];
}

/**
 * @param {string} what
 * @param {readonly string[]} list
 */
function distinct(what, list) {
  const seen = new Set();
  for (const one of list) {
    if (seen.has(one)) throw new Error(`${what} ${one} is there twice`);
    seen.add(one);
  }
}

/**
 * @param {string} what
 * @param {unknown} found
 * @param {unknown} expected
 */
function same(what, found, expected) {
  if (found !== expected) throw new Error(`${what}: ${found} instead of ${expected}`);
}
