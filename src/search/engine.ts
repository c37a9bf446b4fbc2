import type { Json } from "../catalog/record.ts";
import type { AuthorDocument, ListDocument, WorkDocument } from "./documents/types.ts";
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
  /** How many documents there are of each kind. */
  health(): Promise<EngineHealth>;
}

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
  /** By field. Counts are exact; beyond the bound of counting which values are counted is not. */
  readonly fields: Readonly<Record<string, readonly FacetValue[]>>;
  readonly exact: boolean;
}

export interface Completion {
  readonly scheme: Scheme | "any";
  readonly text: string;
  readonly limit: number;
  readonly filters: readonly Query[];
}

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
