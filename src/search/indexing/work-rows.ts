import { SHELVES } from "../../catalog/patrons/shelves.ts";
import { countReaders, popularityScoreOf, countRatings, sortableRatingOf } from "../documents/popularity.ts";
import { type opennessOf, accessLevelOf } from "../documents/scans.ts";
import type { StoredWork, WorkCounts, WorkDocument } from "../documents/types.ts";
import { findFieldsHaving, findFieldsWith } from "../fields.ts";
import { collationKeyOf } from "../text/collation.ts";
import { addSpellingTerms } from "../text/spelling.ts";
import { WORK_TEXT_COLUMNS, columnTextsOf, cutTokens, joinTokens } from "./columns.ts";
import { workTokensOf } from "./document-tokens.ts";
import { type EditionRow, libraryNumbersOf, toEditionRows } from "./edition-rows.ts";
import { randomOf, workRowId } from "./ids.ts";

/** Fields that works are counted by, with their marks: the columns of `work_facet` after its first, in order. */
export const FACET_COLUMNS = findFieldsHaving("counted");

/** Values of a work parallel to `FACET_COLUMNS`, each once: the field's mark, a blank, the value. */
export type WorkFacets = readonly (readonly string[])[];

const NONE: readonly string[] = [];

/** Returns the values that a work is counted for. Authors are number and name. */
function workFacetsOf(work: WorkDocument): WorkFacets {
  const authors = work.author_key?.map((key, place) => `${key} ${work.author_name?.[place] ?? ""}`);
  return FACET_COLUMNS.map(([name, mark]) => {
    const value = name === "author_key" ? authors : work[name];
    return value === undefined
      ? NONE
      : Array.from(new Set([value].flat().map((facetValue) => `${mark} ${facetValue}`)));
  });
}

/** Returns the mark and value of one of `WorkFacets`: no mark has a blank. */
export function splitMarkedValue(name: string): [mark: string, value: string] {
  const at = name.indexOf(" ");
  return [name.slice(0, at), name.slice(at + 1)];
}

const RANKING_TEXT_LENGTH_MAX = 600;

export const READER_COLUMNS = [
  "ratings_sortable",
  "ratings_count",
  "readinglog_count",
  ...SHELVES.map(({ count }) => `${count}_count` as const),
  "ratings",
] as const;

/** Columns of `work` after `id` and `version`, without those of trending, which are in no document. */
export const WORK_COLUMNS = [
  "boost",
  "edition_count",
  "first_publish_year",
  "ebook_access",
  "number_of_pages_median",
  "cover_i",
  ...READER_COLUMNS,
  "osp_count",
  "ebook_count_i",
  "title_sort",
  "lcc_sort",
  "ddc_sort",
  "random",
] as const;

/** Fields that ranking compares, in the order of `work_ranking.ranking`. */
export const RANKING_FIELDS = ["alternative_title", "author_name", "series_name"] as const;

export interface WorkRows {
  readonly id: number;
  readonly version: number;
  readonly key: string;
  /** Columns parallel to `WORK_COLUMNS`. */
  readonly columns: readonly (string | number | null)[];
  /** Row of `texts`; see `workRowId`. */
  readonly textRow: number;
  readonly document: StoredWorkMembers;
  /** Analysed texts of `RANKING_FIELDS`, as JSON. */
  readonly ranking: string;
  /** Texts parallel to `WORK_TEXT_COLUMNS`, then the tokens. */
  readonly texts: readonly string[];
  readonly values: readonly (readonly [field: string, value: string])[];
  readonly facets: WorkFacets;
  readonly editions: readonly EditionRow[];
  readonly terms: ReadonlySet<string>;
}

export type StoredWorkMembers = Omit<
  StoredWork,
  "type" | "counts" | "trending" | keyof ReturnType<typeof opennessOf>
>;

const RANKING_PLACES = RANKING_FIELDS.map((field) =>
  WORK_TEXT_COLUMNS.findIndex(({ name }) => name === field),
);
const LEXILE_DIGITS = 6;
const NOT_STORED = {
  type: undefined,
  counts: undefined,
  editions: undefined,
  has_fulltext: undefined,
  public_scan_b: undefined,
  ...Object.fromEntries(findFieldsWith({ hidden: true }).map((name) => [name, undefined])),
};

/** Returns all rows of a work and its editions; `id` is its number in the index (`workIdOfKey`). */
export function toWorkRows(
  work: WorkDocument,
  { id, version, prefix }: { id: number; version: number; prefix: string },
): WorkRows {
  const texts = columnTextsOf(WORK_TEXT_COLUMNS, work, { number: libraryNumbersOf(work) });
  const boost = popularityScoreOf(work);
  const terms = new Set<string>();
  const { title, subtitle = "", alternative_title: titles = [], author_name: names = [] } = work;
  addSpellingTerms(terms, [title, subtitle, ...titles, ...names, ...(work.series_name ?? [])]);
  return {
    id,
    version,
    key: work.key,
    columns: columnsOf(work, id, boost),
    textRow: workRowId(id, boost),
    // JSON leaves out members that are undefined; removing them from the object takes longer.
    document: { ...work, ...NOT_STORED },
    ranking: JSON.stringify(
      RANKING_PLACES.map((place) => cutTokens(texts[place] ?? "", RANKING_TEXT_LENGTH_MAX)),
    ),
    texts: [...texts, joinTokens(workTokensOf(work))],
    values: valuesOf(work),
    facets: workFacetsOf(work),
    editions: toEditionRows(work, { workId: id, prefix }),
    terms,
  };
}

/** Returns a lexile measure in the form for range comparisons. */
export function lexileValueOf(lexile: number): string {
  return String(Math.max(0, lexile)).padStart(LEXILE_DIGITS, "0");
}

/** Returns the values of `READER_COLUMNS`; some are null without ratings. */
export function readerValuesOf(counts: WorkCounts): (string | number | null)[] {
  const count = countRatings(counts.ratings);
  return [
    sortableRatingOf(counts.ratings),
    count,
    countReaders(counts),
    ...SHELVES.map(({ member }) => counts[member]),
    count === 0 ? null : JSON.stringify(counts.ratings),
  ];
}

function columnsOf(work: WorkDocument, id: number, boost: number): (string | number | null)[] {
  const { counts } = work;
  return [
    boost,
    work.edition_count,
    work.first_publish_year ?? null,
    accessLevelOf(work.ebook_access),
    work.number_of_pages_median ?? null,
    work.cover_i ?? null,
    ...readerValuesOf(counts),
    work.osp_count ?? null,
    work.ebook_count_i,
    collationKeyOf(work.title_sort),
    work.lcc_sort ?? null,
    work.ddc_sort ?? null,
    randomOf(id),
  ];
}

function valuesOf({ lcc = [], ddc = [], lexile = [] }: WorkDocument): [string, string][] {
  return [
    ...lcc.map((value): [string, string] => ["lcc", value]),
    ...ddc.map((value): [string, string] => ["ddc", value]),
    ...lexile.map((value): [string, string] => ["lexile", lexileValueOf(value)]),
  ];
}
