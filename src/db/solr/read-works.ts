import { SHELVES } from "../../catalog/patrons/shelves.ts";
import { expandEdition, expandWork } from "../../search/present/expand.ts";
import type { Document, WorkHits, WorkSearch } from "../../search/engine.ts";
import { workIdOfKey } from "../../search/indexing/ids.ts";
import { DAY_FIELDS, HOUR_FIELDS, READ_FIELDS, STARS } from "../../search/lucene/documents.ts";
import { fieldIn } from "../../search/lucene/query.ts";
import { PAGE_EDITIONS_MAX, hitOf, storedEdition, workHits } from "../search/read-works.ts";
import { type StoredWorkRow, storedWork } from "../search/stored-work.ts";
import { type Found, type SolrReader, find, noOf, numberIn, textIn } from "./reader.ts";

/** A work as the embedded index has it, of its fields in Solr. */
export function workRow(found: Found): StoredWorkRow {
  const stars = numbersIn(
    found,
    STARS.map((one) => `n_stars_${one}`),
  );
  const slots = { hourly: numbersIn(found, HOUR_FIELDS), daily: numbersIn(found, DAY_FIELDS) };
  const counts = SHELVES.map(({ count }) => [`${count}_count`, numberIn(found, `n_${count}_count`) ?? 0]);
  return {
    // A count of each shelf.
    ...(Object.fromEntries(counts) as Pick<StoredWorkRow, `${(typeof SHELVES)[number]["count"]}_count`>),
    id: noOf(found),
    document: textIn(found, "document"),
    packed: null,
    ratings: isZero(stars) ? null : JSON.stringify(stars),
    trending_score_hourly_sum: numberIn(found, "n_trending_score_hourly_sum") ?? 0,
    trending_z_score: numberIn(found, "n_trending_z_score") ?? 0,
    trending: isZero([...slots.hourly, ...slots.daily]) ? null : JSON.stringify(slots),
  };
}

function numbersIn(found: Found, fields: readonly string[]): number[] {
  return fields.map((field) => numberIn(found, field) ?? 0);
}

function isZero(numbers: readonly number[]): boolean {
  return numbers.every((number) => number === 0);
}

/** Works by number, in any order. */
export async function readRows(reader: SolrReader, ids: readonly number[]): Promise<StoredWorkRow[]> {
  if (ids.length === 0) return [];
  const ask = { query: fieldIn("no", ids), fields: READ_FIELDS, limit: ids.length };
  return (await find(reader, "work", ask)).docs.map(workRow);
}

/** Editions that one answer has at most. */
const EDITIONS_MAX = 100_000;

/** Works of a page by number, with their editions if these are wanted. One round trip. */
export async function readPage(
  reader: SolrReader,
  ids: readonly number[],
  { withEditions, fields, editionFields }: Pick<WorkSearch, "withEditions" | "fields" | "editionFields">,
) {
  const isAsked = withEditions && ids.length > 0;
  const first = `n_rank:[0 TO ${PAGE_EDITIONS_MAX}}`;
  const [rows, editions] = await Promise.all([
    readRows(reader, ids),
    isAsked
      ? find(reader, "edition", {
          query: `+(${fieldIn("work", ids)}) +${first}`,
          fields: ["work", "document"],
          sort: "work asc, n_position asc",
          limit: EDITIONS_MAX,
        })
      : { docs: [] },
  ]);
  const byWork = Map.groupBy(editions.docs, (one) => numberIn(one, "work"));
  const pages = rows.map(async (row): Promise<[number, { document: Document; editions: Document[] }]> => {
    const work = await storedWork(row);
    const own = (byWork.get(row.id) ?? []).map((one) =>
      expandEdition(storedEdition({ document: textIn(one, "document") }, work), editionFields),
    );
    return [row.id, { document: expandWork(work, fields), editions: own }];
  });
  return new Map(await Promise.all(pages));
}

/** `SearchEngine.worksByKey`. One round trip. */
export async function worksByKey(
  reader: SolrReader,
  keys: readonly string[],
  wish: Pick<WorkSearch, "withEditions" | "fields">,
): Promise<WorkHits> {
  const ids = [...new Set(keys.flatMap((key) => workIdOfKey(key, reader.prefix) ?? []))];
  const documents = await readPage(reader, ids, wish);
  const found = ids.flatMap((id) => hitOf(documents.get(id), 0));
  return workHits(found.length, found);
}
