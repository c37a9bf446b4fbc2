import type { Json } from "../catalog/record.ts";
import type { AuthorDocument, ListDocument, Trending, WorkCounts, WorkDocument } from "./documents/types.ts";
import type { PlainScheme } from "./plain-fields.ts";
import type { Query } from "./query/query.ts";

/**
 * Search engine: the embedded one on SQLite FTS5, or Solr. Engines never read records, and their contents can be rebuilt
 * from records.
 */
export interface SearchEngine {
  /** Searches works, and pseudo-works of editions without a work. */
  works(search: SearchRequest): Promise<SearchResult>;
  /**
   * Returns works by key in the form of search hits, in the order of `keys`; works missing from the index are left out.
   */
  worksByKey(
    keys: readonly string[],
    request: Pick<SearchRequest, "withEditions" | "fields">,
  ): Promise<SearchResult>;
  authors(search: PlainSearch): Promise<Hits>;
  subjects(search: PlainSearch): Promise<Hits>;
  lists(search: PlainSearch): Promise<Hits>;
  /**
   * Searches editions by their own fields, work by work; only the direction of `key` in the sort has an effect. With
   * `keysOnly` documents only have `key` and `work`.
   */
  editions(search: PlainSearch & { readonly keysOnly?: true }): Promise<Hits>;
  facets(search: FacetSearch): Promise<Facets>;
  /**
   * Returns documents by key (`/works/OL1W`, `/authors/OL1A`, ...), in the order of `keys`; missing ones are left out.
   * `fields` restricts the fields of works.
   */
  getMany(keys: readonly string[], fields?: readonly string[]): Promise<Document[]>;
  /** Returns documents whose name or title starts with the typed text, best first. */
  complete(completion: Completion): Promise<Document[]>;
  /** Returns the correction of a phrase, given as its words and texts in order; undefined if there is none. */
  findCorrection(words: readonly string[]): Promise<Correction | undefined>;
  /**
   * Counts subjects, persons, places and times of works: the most frequent of each, then by text. Counts the works in
   * `ids` and all works with one of the tokens, every work once, up to the limit of the engine.
   */
  subjectCounts(works: CountedWorks, limit: number): Promise<SubjectCount[]>;
  /**
   * Returns covers of works about subjects, by subject name; `tokens` are the tokens of the subjects, by the same
   * names.
   */
  subjectCovers(tokens: ReadonlyMap<string, string>): Promise<ReadonlyMap<string, number>>;
  health(): Promise<EngineHealth>;
}

export interface Correction {
  /** Changed texts by the typed ones; empty for a word that is joined to the one before it. */
  readonly replacements: ReadonlyMap<string, string>;
  /** False if it should be offered only. */
  readonly isSure: boolean;
}

/** Last document that a search can return; beyond it there are no documents and no exact count. */
export const WINDOW_WORKS_MAX = 10_000;
export const WINDOW_PLAIN_MAX = 10_000;

export type Document = Readonly<Record<string, Json>>;

export type Scheme = "work" | PlainScheme;

/** Position of a walk through all matches: sort values of the last document and its number, such as `[1813, 101]`. */
export type Mark = readonly (string | number | null)[];

export interface Sort {
  /** Index field, `score`, or `random`. */
  readonly field: string;
  readonly descending: boolean;
  /** Seed of `random`: equal seeds give equal orders. Code of the language of editions in the order `lang:`. */
  readonly seed?: string;
}

/** Selection of works: the query scores, the filters only restrict. */
export interface SearchConditions {
  readonly query: Query;
  readonly filters: readonly Query[];
  readonly editionClauses: readonly Query[];
  readonly keys?: readonly string[];
}

export interface SearchRequest extends SearchConditions {
  /** Sorts in order; best first if empty. The number of the key always decides last. */
  readonly sort: readonly Sort[];
  readonly start: number;
  readonly rows: number;
  /** Mark to continue after, in place of `start`: empty at the beginning. Later pages are not counted. */
  readonly after?: Mark | undefined;
  readonly withEditions: boolean;
  /** Wanted fields of works, as names and globs; all if absent. */
  readonly fields?: readonly string[];
  /** Wanted fields of editions, as names and globs; all if absent. */
  readonly editionFields?: readonly string[];
  /**
   * Last row that the search can return, in place of the engine's own limit. Only with `keys`, which bound the work.
   */
  readonly window?: number;
}

export type PlainSearch = Pick<SearchRequest, "query" | "filters" | "sort" | "start" | "rows" | "after">;

export interface Hits {
  readonly numFound: number;
  readonly numFoundExact: boolean;
  readonly documents: readonly Document[];
  readonly mark?: Mark | undefined;
}

export interface SearchResult extends Hits {
  /** Scores parallel to `documents`. */
  readonly scores: readonly number[];
  /**
   * Editions of each work, parallel to `documents`, in the order of the work's `edition_key`. Empty unless requested.
   */
  readonly editions: readonly (readonly Document[])[];
}

export interface FacetSearch extends SearchConditions {
  readonly facets: readonly FacetRequest[];
}

export interface FacetRequest {
  readonly field: string;
  /** Maximum number of values; -1 for all. */
  readonly limit: number;
  readonly sort: "count" | "index";
  readonly offset: number;
  readonly mincount: number;
  /** Text that values must contain, in upper or lower case. */
  readonly contains?: string;
  readonly prefix?: string;
}

export interface FacetValue {
  readonly value: string;
  readonly count: number;
}

export interface Facets {
  readonly numFound: number;
  readonly fields: Readonly<Record<string, readonly FacetValue[]>>;
  /** False if not all works, or not all names of them, were read (Q77). */
  readonly exact: boolean;
  /** Time of the count in milliseconds since the epoch, if the count may be an earlier one. */
  readonly asOf?: number;
}

export interface Completion {
  readonly scheme: Scheme | "any";
  readonly text: string;
  /** True if a text that nothing begins with is not corrected. */
  readonly isVerbatim?: boolean;
  readonly limit: number;
  readonly filters: readonly Query[];
}

export interface CountedWorks {
  readonly ids: readonly number[];
  readonly tokens: readonly string[];
}

export interface SubjectCount {
  readonly owner: number;
  /** Kind of the subject: 0 subject, 1 place, 2 person, 3 time. */
  readonly field: number;
  readonly value: string;
  readonly count: number;
}

/** Fields in the order of `SubjectCount.field`. */
export const SUBJECT_COUNT_FIELDS = ["subject", "place", "person", "time"] as const;

export interface EngineHealth {
  readonly documents: Readonly<Record<Scheme, number>>;
}

/** Document with the position in the change log that it was built at: engines ignore documents older than their own. */
export interface Versioned<D> {
  readonly version: number;
  readonly document: D;
}

/** Update from an indexer. Applied twice, or out of order, it has the same effect. */
export interface Update {
  readonly works: readonly Versioned<WorkDocument>[];
  readonly authors: readonly Versioned<AuthorDocument>[];
  readonly lists: readonly Versioned<ListDocument>[];
  /** Keys of documents that no longer exist, with the position at which their absence was seen. */
  readonly deletes: readonly { readonly key: string; readonly version: number }[];
}

/**
 * Writer of an index with its maintenance: of one generation, or of both, which then take the same writes; reads go to
 * the first. Methods throw the errors of the engine; all can be called again.
 */
export interface SearchIndex {
  /**
   * Writes documents and deletions. Ignores entries older than those of the index, and documents whose keys have no
   * number of this service. After a failure, a part may be written.
   */
  apply(update: Update): Promise<void>;
  /**
   * Writes ratings, shelf counts and the values derived from them in place; ignores works missing from the index.
   * Resolves to the works whose documents must be applied: those that come into another popularity band, whose popularity
   * is left, and those whose editions' scores change and are not written in place. `isApplied`: the caller applies the
   * former, so nothing of them need be written twice.
   */
  patchCounts(patches: readonly WorkPatch<{ counts: WorkCounts }>[], isApplied?: boolean): Promise<number[]>;
  /** Writes trending values in place; ignores works missing from the index. */
  patchTrending(patches: readonly WorkPatch<{ trending: Trending }>[]): Promise<void>;
  /**
   * Returns works whose documents show some values in any generation, in order of number, each once. They must be
   * rebuilt if the source of the values has changed, even if their records have other values now.
   */
  worksShowing(shown: ShownValues): Promise<number[]>;
  /** Finds works and names in the index that belong to changed records. */
  lookUp(lookup: Lookup): Promise<Found>;
  /** Returns those of some works whose indexed document differs or is missing. */
  differing(works: readonly Versioned<WorkDocument>[]): Promise<Versioned<WorkDocument>[]>;
  /** Returns works whose numbers lie in a range, both ends included, in order of number. */
  worksBetween(range: { from: number; to: number }): Promise<number[]>;
  /**
   * Runs one step of a pass that counts all subjects again; resolves to true at its end, and the next call then begins
   * another pass. Several generations need none: a rebuild counts them itself.
   */
  countSubjects(): Promise<boolean>;
  /** Runs one step of emptying; resolves to true if nothing is left. Never for the generation that answers searches. */
  clear(): Promise<boolean>;
  /**
   * Runs one step of merging index segments, so that searches read fewer of them: from a position on, 0 at first.
   * Resolves to the next position, undefined at the end. `nightly` is the cheapest; `whole` leaves one segment, and so
   * does `works` where that saves time later in a rebuild.
   */
  merge(pass: "nightly" | "works" | "whole", position: number): Promise<number | undefined>;
  /** Deletes records of deletions from before an ISO time; resolves to true while there may be more. */
  dropTombstones(before: string): Promise<boolean>;
}

/** Entries shared by many works that a rebuild has already written, as far as it keeps them in memory. */
export interface KnownEntries {
  readonly started: string | null;
  readonly words: Set<string>;
  readonly codes: Map<string, string>;
}

type WorkPatch<Values> = Values & { readonly id: number };

/** Maximum number of works that show the editions of a lookup. */
export const FOUND_WORKS_MAX = 5000;

export interface Lookup {
  /** Keys of editions. Works that show them must be rebuilt, even if their records have other values now. */
  readonly editions: readonly string[];
  /** Numbers of works that the index may have. */
  readonly works: readonly number[];
  /** Keys of authors and series. */
  readonly names: readonly string[];
  readonly shown?: readonly ShownValues[];
}

export interface Found {
  /** Works of any generation, in order of number, each once. */
  readonly works: readonly number[];
  /** Shown names of authors and series (see `namesOf`), by key. */
  readonly names: ReadonlyMap<string, string>;
  /** Results of `worksShowing` for `Lookup.shown`, if the engine finds them in the same round trip. */
  readonly showing?: readonly (readonly number[])[];
}

export interface ShownValues {
  /** Code of the field: `ek` edition_key, `ak` author_key, `sr` series_key. */
  readonly code: "ek" | "ak" | "sr";
  readonly values: readonly string[];
  readonly after: number;
  readonly limit: number;
}

/** One of the two generations of the index: one is live while the other is rebuilt (docs/storage.md). */
export type Generation = "a" | "b";

export const ENGINES = ["embedded", "solr"] as const;

export type EngineName = (typeof ENGINES)[number];

/** Returns the other generation than the given one. */
export function otherGenerationOf(generation: Generation): Generation {
  return generation === "a" ? "b" : "a";
}
