import { lastSegmentOf } from "../../catalog/keys.ts";
import { type CatalogRecord, REDIRECT_HOPS_MAX, isObject, keyOf, typeKeyOf } from "../../catalog/record.ts";
import type { Touched } from "../../db/indexing/log.ts";
import { type RecordPage, type Shown, readNamed } from "../../db/indexing/named-records.ts";
import { workKeysOfEdition } from "../../db/indexing/works.ts";
import { buildAuthor, buildList } from "../../search/documents/named-documents.ts";
import type { Found, Lookup, SearchIndex, ShownValues } from "../../search/engine.ts";
import {
  changedKeysOf,
  isIndexedKey,
  isShownDifferently,
  namesOf,
  redirectTargets,
} from "../../search/indexing/changed-keys.ts";
import { BEFORE_ALL_WORKS, editionIdOfKey, workIdOfKey } from "../../search/indexing/ids.ts";
import { type Indexing, FAN_OUT } from "./indexing.ts";

export interface Affected {
  readonly works: Set<number>;
  readonly authors: Set<string>;
  readonly lists: Set<string>;
  /** Authors and series that other documents show, and that have changed. */
  readonly shown: Readonly<Record<Shown, Set<string>>>;
  /** Works that show any of them in the index, if they have been looked up. */
  readonly showing: Map<Shown, readonly number[]>;
}

export const KINDS_SHOWN = ["author", "series"] as const;
const CODES = { author: "ak", series: "sr" } as const;

/** Returns the query for works that show authors or series in the index. */
export function shownValues(
  { showing = FAN_OUT }: Indexing,
  shown: Shown,
  keys: Iterable<string>,
): ShownValues {
  const values = Array.from(keys, lastSegmentOf);
  return { code: CODES[shown], values, after: BEFORE_ALL_WORKS, limit: showing.atOnce };
}

/** Finds the documents affected by changed records, except those that show names of changed authors and series. */
export async function findAffected(
  indexing: Indexing,
  touched: readonly Touched[],
  index: SearchIndex,
): Promise<Affected> {
  const finder = await startFinding(indexing, touched);
  finder.addFound(await index.lookUp(finder.lookup));
  return finder.affected;
}

/** Starts `findAffected`. The caller looks up `lookup` in the index and passes the result to `addFound`. */
export async function startFinding(indexing: Indexing, touched: readonly Touched[]): Promise<Finder> {
  const finder = new Finder(indexing, touched);
  await finder.followEditions();
  return finder;
}

class Finder {
  readonly affected: Affected = {
    works: new Set(),
    authors: new Set(),
    lists: new Set(),
    shown: { author: new Set(), series: new Set() },
    showing: new Map(),
  };
  readonly #indexing: Indexing;
  readonly #touchedEditions = new Set<string>();
  readonly #unread = new Set<string>();
  /** Names of changed authors and series, by key. */
  readonly #currentNames = new Map<string, string>();
  /** Numbers of indexed editions without a work, which may have a work by now or be deleted. */
  readonly #pseudoWorks = new Set<number>();

  constructor(indexing: Indexing, touched: readonly Touched[]) {
    this.#indexing = indexing;
    for (const { key } of touched) if (key.startsWith("/books/")) this.#touchedEditions.add(key);
    for (const record of touched) this.#addTouched(record);
  }

  #addTouched({ key, latest, before }: Touched): void {
    const type = typeKeyOf(latest);
    if (type === "/type/author") this.#currentNames.set(key, namesOf(buildAuthor(latest)));
    else if (type === "/type/series") this.#currentNames.set(key, namesOf(buildList(latest)));
    const earlier = before.length === 0 ? [undefined] : before;
    for (const revision of earlier) {
      for (const changed of changedKeysOf(key, { before: revision, after: latest })) this.#add(changed);
      if (isShownDifferently(revision, latest)) this.#addShown(key, revision);
    }
    // Series list their works, so the series that a record has joined change too.
    for (const series of seriesNamedBy(latest)) this.#add(series);
    if (!this.#touchedEditions.has(key)) return;
    this.#addEdition(key, latest);
    if (before.some(isLone)) this.#addPseudoWork(key, this.affected.works);
  }

  #add(key: string): void {
    if (key.startsWith("/works/")) {
      const id = workIdOfKey(key, this.#indexing.prefix);
      if (id !== undefined) this.affected.works.add(id);
    } else if (key.startsWith("/authors/")) this.affected.authors.add(key);
    else if (!key.startsWith("/books/")) this.affected.lists.add(key);
    else if (!this.#touchedEditions.has(key)) this.#unread.add(key);
  }

  #addShown(key: string, before: CatalogRecord | undefined): void {
    // Documents that followed the old redirect show its target.
    for (const shownKey of [key, ...redirectTargets(before)]) {
      if (shownKey.startsWith("/authors/")) this.affected.shown.author.add(shownKey);
      else if (shownKey.startsWith("/series/")) this.affected.shown.series.add(shownKey);
    }
  }

  #addEdition(key: string, edition: CatalogRecord): void {
    if (typeKeyOf(edition) === "/type/edition")
      for (const work of workKeysOfEdition(edition)) this.#add(work);
    this.#addPseudoWork(key, isLone(edition) ? this.affected.works : this.#pseudoWorks);
  }

  #addPseudoWork(key: string, to: Set<number>): void {
    const id = editionIdOfKey(key, this.#indexing.prefix);
    if (id !== undefined) to.add(-id);
  }

  /** Adds the works of editions named by other records, such as the targets of redirects. */
  async followEditions(): Promise<void> {
    const read = new Set<string>();
    for (let hop = 0; hop <= REDIRECT_HOPS_MAX; hop += 1) {
      const keys = [...this.#unread.difference(read)];
      if (keys.length === 0) return;
      for (const key of keys) read.add(key);
      for await (const { page } of readNamed(this.#indexing.catalog, keys)) this.#addRead(page);
    }
  }

  #addRead({ records }: RecordPage): void {
    for (const [key, record] of records) {
      this.#addEdition(key, record);
      for (const target of redirectTargets(record)) this.#add(target);
    }
  }

  get lookup(): Lookup {
    return {
      editions: [...this.#touchedEditions],
      works: [...this.#pseudoWorks],
      names: [...this.#currentNames.keys()],
      shown: KINDS_SHOWN.map((kind) => shownValues(this.#indexing, kind, this.affected.shown[kind])),
    };
  }

  /**
   * Adds works that show changed editions in the index, regardless of earlier revisions, and names that differ from the
   * index although no stored revision differs: a bulk load has corrected them.
   */
  addFound({ works, names, showing }: Found): void {
    const { shown } = this.affected;
    const lookedUp = KINDS_SHOWN.map((kind) => shown[kind].size);
    for (const id of works) this.affected.works.add(id);
    for (const [key, current] of this.#currentNames)
      if ((names.get(key) ?? current) !== current) this.#addShown(key, undefined);
    for (const [at, kind] of KINDS_SHOWN.entries()) {
      const ids = shown[kind].size === lookedUp[at] ? showing?.[at] : undefined;
      if (ids !== undefined) this.affected.showing.set(kind, ids);
    }
  }
}

function isLone(edition: CatalogRecord): boolean {
  return typeKeyOf(edition) === "/type/edition" && workKeysOfEdition(edition).length === 0;
}

function seriesNamedBy({ series }: CatalogRecord): string[] {
  const edges = Array.isArray(series) ? series : [];
  return edges.flatMap((edge) => (isObject(edge) ? (keyOf(edge["series"]) ?? []) : [])).filter(isIndexedKey);
}
