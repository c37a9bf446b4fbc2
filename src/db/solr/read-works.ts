import { SHELVES } from "../../catalog/patrons/shelves.ts";
import { expandEdition, expandWork } from "../../search/present/expand.ts";
import type { WorkHits, WorkSearch } from "../../search/engine.ts";
import { workIdOfKey } from "../../search/indexing/ids.ts";
import { DAY_FIELDS, HOUR_FIELDS, READ_FIELDS, STARS } from "../../search/lucene/solr-documents.ts";
import { fieldIn } from "../../search/lucene/lucene-query.ts";
import { PAGE_EDITIONS_MAX, hitOf, storedEdition, withinAnswer, workHits } from "../search/read-works.ts";
import { type StoredWorkRow, storedWork } from "../search/stored-work.ts";
import { areBrief, copiedMembers } from "../../search/present/copied-members.ts";
import { type Found, type SolrReader, bytesIn, find, noOf, numberIn, textIn } from "./reader.ts";

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
    document: found["brief"] === undefined ? textIn(found, "document") : bytesIn(found, "brief"),
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

/** Fields of Solr that are read of works for some of theirs: documents are long. Editions are restored by all of their work. */
export function workFields({ fields, withEditions }: Pick<WorkSearch, "withEditions" | "fields">) {
  const members = fields && copiedMembers(fields);
  if (members === undefined) return READ_FIELDS;
  return ["no", withEditions || !areBrief(members) ? "document" : "brief"];
}

/** Works by number, in any order. */
export async function readWorks(
  reader: SolrReader,
  ids: readonly number[],
  fields: readonly string[],
): Promise<readonly Found[]> {
  if (ids.length === 0) return [];
  return (await find(reader, "work", { query: fieldIn("no", ids), fields, limit: ids.length })).docs;
}

/** Editions that one answer has at most. */
const EDITIONS_MAX = 100_000;

/** What a page is made of; `known`: works that came along, with their `workFields`. */
interface PageOptions extends Pick<WorkSearch, "withEditions" | "fields" | "editionFields"> {
  readonly ids: readonly number[];
  readonly known?: readonly Found[];
}

/** Works of a page by number, with their editions if these are wanted. One round trip, or none when all is known. */
export async function readPage(reader: SolrReader, { ids, known = [], ...wish }: PageOptions) {
  const { withEditions, fields, editionFields } = wish;
  const isAsked = withEditions && ids.length > 0;
  const there = new Set(known.map(noOf));
  const first = `n_rank:[0 TO ${PAGE_EDITIONS_MAX}}`;
  const [unknown, editions] = await Promise.all([
    readWorks(
      reader,
      ids.filter((id) => !there.has(id)),
      workFields(wish),
    ),
    isAsked
      ? find(reader, "edition", {
          query: `+(${fieldIn("work", ids)}) +${first}`,
          fields: ["work", "shown"],
          sort: "work asc, n_position asc",
          limit: EDITIONS_MAX,
        })
      : { docs: [] },
  ]);
  const byWork = Map.groupBy(editions.docs, (one) => numberIn(one, "work"));
  return withinAnswer([...known, ...unknown], async (found) => {
    const row = workRow(found);
    const work = await storedWork(row);
    const own = (byWork.get(row.id) ?? []).map((one) =>
      expandEdition(storedEdition({ document: bytesIn(one, "shown") }, work), editionFields),
    );
    return [row.id, { document: expandWork(work, fields), editions: own }];
  });
}

/** `SearchEngine.worksByKey`. One round trip. */
export async function worksByKey(
  reader: SolrReader,
  keys: readonly string[],
  wish: Pick<WorkSearch, "withEditions" | "fields">,
): Promise<WorkHits> {
  const ids = [...new Set(keys.flatMap((key) => workIdOfKey(key, reader.prefix) ?? []))];
  const documents = await readPage(reader, { ids, ...wish });
  const found = ids.flatMap((id) => hitOf(documents.get(id), 0));
  return workHits(found.length, found);
}
