import type { Json } from "../catalog/record.ts";
import type { Trending } from "./documents/stored.ts";
import type { AuthorDocument, ListDocument, WorkCounts, WorkDocument } from "./documents/types.ts";
import type { PlainScheme } from "./plain-fields.ts";
import type { Query } from "./query/query.ts";

/**
 * What a search engine does: the embedded one on SQLite FTS5, or another behind the same
 * interface. Engines never read records; all that they hold can be rebuilt from them.
 */
export interface SearchEngine {
  /** Works, or pseudo-works of editions without a work. */
  works(search: WorkSearch): Promise<WorkHits>;
  /** Works by key as a search finds them, in the order asked for; those that the index has not are left out. */
  worksByKey(keys: readonly string[], wish: Pick<WorkSearch, "withEditions" | "fields">): Promise<WorkHits>;
  authors(search: PlainSearch): Promise<Hits>;
  subjects(search: PlainSearch): Promise<Hits>;
  /** Lists and series. */
  lists(search: PlainSearch): Promise<Hits>;
  /** Editions by their own fields, work by work; of the sort, only the direction of `key` counts. */
  editions(search: PlainSearch): Promise<Hits>;
  /** Counts of field values over the works that match. */
  facets(search: FacetSearch): Promise<Facets>;
  /**
   * Documents by key (`/works/OL1W`, `/authors/OL1A`, ...), in the order asked for; missing ones are left out. With
   * `fields`, works have these alone.
   */
  getMany(keys: readonly string[], fields?: readonly string[]): Promise<Document[]>;
  /** Documents whose name or title starts with what was typed, best first. */
  complete(completion: Completion): Promise<Document[]>;
  /** The query with words that occur nowhere replaced by the nearest that do; undefined when there are none. */
  corrected(words: readonly string[]): Promise<ReadonlyMap<string, string>>;
  /**
   * How often works have subjects, persons, places and times: the most frequent of each, then by text. Counted are some
   * works and all that have one of some tokens, every work once, as far as the engine's own limit goes.
   */
  subjectCounts(works: CountedWorks, limit: number): Promise<SubjectCount[]>;
  /** Covers of works about subjects by their names: `tokens` are those of the subjects, by the same names. */
  subjectCovers(tokens: ReadonlyMap<string, string>): Promise<ReadonlyMap<string, number>>;
  /** How many documents there are of each kind. */
  health(): Promise<EngineHealth>;
}

/** The last document that can be asked for in a search: beyond it there are none, and the right count. */
export const WINDOW_WORKS_MAX = 10_000;
export const WINDOW_PLAIN_MAX = 10_000;

/** A document as it is returned: its stored fields, expanded (see `present/expand.ts`). */
export type Document = Readonly<Record<string, Json>>;

/** Kinds of documents that are searched by themselves. */
export type Scheme = "work" | PlainScheme;

/** Where a walk through all that matches stands: what the last document has of its order, its number at the end. */
export type Mark = readonly (string | number | null)[];

export interface Sort {
  /** Index field, `score`, or `random`. */
  readonly field: string;
  readonly descending: boolean;
  /** Of `random`: equal seeds give equal orders. */
  readonly seed?: string;
}

/** Which works: the query scores, the filters only restrict. */
export interface WorkSelection {
  readonly query: Query;
  readonly filters: readonly Query[];
  /** Conditions that one edition of the work must meet all together, in edition fields. */
  readonly editionClauses: readonly Query[];
  /** Only these keys (`/works/OL1W`), however many. */
  readonly keys?: readonly string[];
}

export interface WorkSearch extends WorkSelection {
  /** Best first when empty. The number of the key always decides last. */
  readonly sort: readonly Sort[];
  readonly start: number;
  readonly rows: number;
  /** What to go on after, in place of `start`: empty at the beginning. Nothing is counted after that. */
  readonly after?: Mark | undefined;
  /** Fetch the editions of the page's works too. */
  readonly withEditions: boolean;
  /** Fields of works that are wanted, names and globs; all when absent. */
  readonly fields?: readonly string[];
  /** The same of editions. */
  readonly editionFields?: readonly string[];
  /** The last row that can be asked for, where it is not the engine's own. Only with `keys`, which bound the work. */
  readonly window?: number;
}

export type PlainSearch = Pick<WorkSearch, "query" | "filters" | "sort" | "start" | "rows" | "after">;

export interface Hits {
  readonly numFound: number;
  /** False when the engine stopped counting early. */
  readonly numFoundExact: boolean;
  readonly documents: readonly Document[];
  /** Of the last document of a walk. */
  readonly mark?: Mark | undefined;
}

export interface WorkHits extends Hits {
  /** Parallel to `documents`. */
  readonly scores: readonly number[];
  /** Editions of each work, parallel to `documents`, in the order of the work's `edition_key`. Empty unless asked for. */
  readonly editions: readonly (readonly Document[])[];
}

export interface FacetSearch extends WorkSelection {
  readonly facets: readonly FacetRequest[];
}

export interface FacetRequest {
  readonly field: string;
  /** -1: all. */
  readonly limit: number;
  readonly sort: "count" | "index";
  readonly offset: number;
  readonly mincount: number;
  /** Only values that contain this, whatever the case. */
  readonly contains?: string;
  /** Only values that begin so. */
  readonly prefix?: string;
}

export interface FacetValue {
  readonly value: string;
  readonly count: number;
}

export interface Facets {
  readonly numFound: number;
  /** By field. */
  readonly fields: Readonly<Record<string, readonly FacetValue[]>>;
  /** False where not all works were looked at, or not all names of them (Q77). */
  readonly exact: boolean;
  /** When they were counted, in milliseconds since the epoch, if that may have been before. */
  readonly asOf?: number;
}

export interface Completion {
  readonly scheme: Scheme | "any";
  readonly text: string;
  readonly limit: number;
  readonly filters: readonly Query[];
}

/** Works whose subjects are counted. */
export interface CountedWorks {
  /** By number in the index. */
  readonly ids: readonly number[];
  /** All that have one of these. */
  readonly tokens: readonly string[];
}

/** How often works of a group have a subject. */
export interface SubjectCount {
  /** What the works were grouped by. */
  readonly owner: number;
  /** 0 subject, 1 place, 2 person, 3 time. */
  readonly field: number;
  readonly value: string;
  readonly count: number;
}

/** Fields in the order of `SubjectCount.field`. */
export const SUBJECT_COUNT_FIELDS = ["subject", "place", "person", "time"] as const;

export interface EngineHealth {
  readonly documents: Readonly<Record<Scheme, number>>;
}

/**
 * A document with the position in the log of changes that it was built at: engines ignore what is older than
 * what they have.
 */
export interface Versioned<D> {
  readonly version: number;
  readonly document: D;
}

/** What an indexer hands over. Applied twice, or out of order, it has the same effect. */
export interface Update {
  readonly works: readonly Versioned<WorkDocument>[];
  readonly authors: readonly Versioned<AuthorDocument>[];
  readonly lists: readonly Versioned<ListDocument>[];
  /** Keys of documents that are no more, with the position at which that was seen. */
  readonly deletes: readonly { readonly key: string; readonly version: number }[];
}

/**
 * What writes an index, and what its upkeep asks of it: of one generation, or of
 * both, which then take the same writes; what is asked of one is asked of the first. Methods throw what the engine fails with; all can be called again.
 */
export interface SearchIndex {
  /**
   * Writes documents and deletions. What is older than what the index has is ignored. Documents whose keys have no
   * number of this service are too. After a failure a part may be written.
   */
  apply(update: Update): Promise<void>;
  /**
   * Writes ratings, shelf counts and what follows from them in place; works that the index lacks are ignored. Resolves to the
   * works that are in another band of popularity now: their documents have to be applied again.
   */
  patchCounts(patches: readonly WorkPatch<{ readonly counts: WorkCounts }>[]): Promise<number[]>;
  /** Writes trending values in place; works that the index lacks are ignored. */
  patchTrending(patches: readonly WorkPatch<{ readonly trending: Trending }>[]): Promise<void>;
  /**
   * Works whose documents show some values in any generation, in order of number, each once: what has to be built
   * anew when what they show has changed, whatever their records say now.
   */
  worksShowing(shown: ShownValues): Promise<number[]>;
  /** Those of some works that any generation has, in order of number, each once. */
  worksPresent(ids: readonly number[]): Promise<number[]>;
  /** What is shown of authors and series, as `namesOf` has it, by key. */
  namesShown(keys: readonly string[]): Promise<ReadonlyMap<string, string>>;
  /** Those of some works that are shown differently, or not at all. */
  differing(works: readonly Versioned<WorkDocument>[]): Promise<Versioned<WorkDocument>[]>;
  /** Works whose numbers lie in a range, both ends included, in order of number. */
  worksBetween(range: { readonly from: number; readonly to: number }): Promise<number[]>;
  /**
   * One step of a pass that counts all subjects anew; true at its end, and then the next call begins another one. Several
   * generations need none: a rebuild makes it itself.
   */
  countSubjects(): Promise<boolean>;
  /** One step of emptying; true when nothing is left. Never for the generation that answers. */
  clear(): Promise<boolean>;
  /**
   * One step of putting together what was written in parts, so that searches look at fewer of them: from a place on,
   * 0 at first. Resolves to the next place, undefined at the end. `nightly` is the cheapest; `whole`
   * leaves one part, and so does `works` where that saves time later in a rebuild.
   */
  merge(pass: "nightly" | "works" | "whole", position: number): Promise<number | undefined>;
  /** Forgets deletions from before an ISO time; true while there may be more. */
  dropTombstones(before: string): Promise<boolean>;
}

/** What a rebuild has written that many works bring along, as far as it is kept in mind. */
export interface KnownEntries {
  /** When the rebuild began. */
  readonly started: string | null;
  /** Words for the spelling of queries. */
  readonly words: Set<string>;
  /** Codes of values that works are counted by, by the names of these. */
  readonly codes: Map<string, string>;
}

/** New values of a work, by its number in the index. */
type WorkPatch<Values> = Values & { readonly id: number };

/** Works that have one of some values in a field, by number in the index. */
export interface ShownValues {
  /** Code of the field: `ek` edition_key, `ak` author_key, `sr` series_key. */
  readonly code: "ek" | "ak" | "sr";
  /** Values, such as `OL1A`. */
  readonly values: readonly string[];
  readonly after: number;
  readonly limit: number;
}
