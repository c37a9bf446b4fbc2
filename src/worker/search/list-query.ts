import { latestRecord } from "../../catalog/document.ts";
import { type CatalogRecord, type Json, isObject, keyOf } from "../../catalog/record.ts";
import { readRecord, readRecords } from "../../db/records/read-record.ts";
import { type Query, equals } from "../../search/query/query.ts";
import { type RequestContext, catalogReader } from "../context.ts";
import { workKeyOf } from "../lookup/bundles.ts";

/** Members of a list that are looked at. */
const LIST_MEMBERS_MAX = 10_000;

/** A text that starts with the key of a list, and what remains of it. */
export interface ListText {
  readonly key: string;
  readonly isSeries: boolean;
  readonly rest: string;
}

/** Recognises `/people/<user>/lists/OL1L words`, `/lists/OL1L`, `/series/OL1L` (search.md 2.7). */
export function listText(text: string, prefix: string): ListText | undefined {
  const expression = new RegExp(`^\\s*((?:/people/[^/\\s]+)?/(lists|series)/${prefix}\\d{1,15}L)(?![\\w])`);
  const match = expression.exec(text);
  if (match === null) return undefined;
  const [whole, key = "", folder] = match;
  return { key, isSeries: folder === "series", rest: text.slice(whole.length).trim() };
}

/** Which works a list means: those of a window of its seeds, or, of a series, those that name it. */
export type ListWorks = { readonly keys: readonly string[] } | { readonly filter: Query };

interface Window {
  readonly start: number;
  readonly rows: number;
}

/** The works of a list (search.md 2.7). Two statements at most. */
export async function listWorks(
  { key, isSeries }: ListText,
  { start, rows }: Window,
  context: RequestContext,
): Promise<ListWorks> {
  const database = catalogReader(context);
  const row = await readRecord(database, key);
  const seeds = row === undefined ? [] : seedKeys(latestRecord(row));
  if (isSeries && seeds.length === 0) return { filter: equals("series_key", key.slice("/series/".length)) };
  const books = seeds.filter((seed) => /^\/(?:works|books)\//.test(seed)).slice(start, start + rows);
  const editions = await readRecords(
    database,
    books.filter((seed) => seed.startsWith("/books/")),
  );
  const works = new Map(editions.map((edition) => [edition.key, workOf(latestRecord(edition), edition.key)]));
  return { keys: [...new Set(books.map((seed) => works.get(seed) ?? seed))] };
}

/** Key of an edition's work; of one without work, that of the pseudo-work in the index. */
function workOf(edition: CatalogRecord, key: string): string {
  return workKeyOf(edition) ?? key.replace("/books/", "/works/");
}

function seedKeys({ seeds }: CatalogRecord): string[] {
  if (!Array.isArray(seeds)) return [];
  return seeds.slice(0, LIST_MEMBERS_MAX).flatMap((seed) => seedKey(seed) ?? []);
}

/** Seeds are `{key}`, `{thing: {key}}`, or texts (search.md 9.5). */
function seedKey(seed: Json): string | undefined {
  return keyOf(isObject(seed) ? (seed["thing"] ?? seed) : seed);
}
