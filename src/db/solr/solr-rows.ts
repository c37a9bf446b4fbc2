import { SHELVES } from "../../catalog/patrons/shelves.ts";
import type { SearchRequest } from "../../search/engine.ts";
import { DAY_FIELDS, HOUR_FIELDS, READ_FIELDS, STARS } from "../../search/lucene/solr-documents.ts";
import { areBrief, copiedMembersOf } from "../../search/present/expand.ts";
import { type StoredWorkRow, restoreWork } from "../../search/indexing/packed-work.ts";
import type { RestoreWork } from "../../search/engine/search-works.ts";
import { type SolrFields, bytesIn, noOf, numberIn, textIn } from "./reader.ts";

/** Returns a function that restores a work from its `workFields`. */
export function restoreOf(doc: SolrFields): RestoreWork {
  return () => restoreWork(workRow(doc));
}

export function workFields({
  fields,
  withEditions,
}: Pick<SearchRequest, "withEditions" | "fields">): readonly string[] {
  const members = fields && copiedMembersOf(fields);
  if (members === undefined) return READ_FIELDS;
  return ["no", withEditions || !areBrief(members) ? "document" : "brief"];
}

function workRow(doc: SolrFields): StoredWorkRow {
  const numbersIn = (fields: readonly string[]): number[] => fields.map((field) => numberIn(doc, field) ?? 0);
  const stars = numbersIn(STARS.map((count) => `n_stars_${count}`));
  const slots = { hourly: numbersIn(HOUR_FIELDS), daily: numbersIn(DAY_FIELDS) };
  const counts = SHELVES.map(({ count }) => [`${count}_count`, numberIn(doc, `n_${count}_count`) ?? 0]);
  return {
    // A count of each shelf.
    ...(Object.fromEntries(counts) as Pick<StoredWorkRow, `${(typeof SHELVES)[number]["count"]}_count`>),
    id: noOf(doc),
    document: doc["brief"] === undefined ? textIn(doc, "document") : bytesIn(doc, "brief"),
    packed: null,
    ratings: isZero(stars) ? null : JSON.stringify(stars),
    trending_score_hourly_sum: numberIn(doc, "n_trending_score_hourly_sum") ?? 0,
    trending_z_score: numberIn(doc, "n_trending_z_score") ?? 0,
    trending: isZero([...slots.hourly, ...slots.daily]) ? null : JSON.stringify(slots),
  };
}

function isZero(numbers: readonly number[]): boolean {
  return numbers.every((number) => number === 0);
}
