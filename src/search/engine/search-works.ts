import { ByteBudget, READ_DOCUMENT_BYTES } from "../../catalog/bytes.ts";
import type { StoredEdition, StoredWork } from "../documents/types.ts";
import {
  type Document,
  type Hits,
  type Mark,
  type SearchEngine,
  type SearchResult,
  type SearchRequest,
  WINDOW_PLAIN_MAX,
  WINDOW_WORKS_MAX,
} from "../engine.ts";
import { type EditionMembers, restoreEdition } from "../indexing/edition-rows.ts";
import { exactTitleTokenOf } from "../indexing/filter-token.ts";
import { keyOfWorkId, workIdOfKey } from "../indexing/ids.ts";
import { RANKING_FIELDS } from "../indexing/work-rows.ts";
import {
  type LookUp,
  type SearchPlan,
  type Selection,
  planEditionMatch,
  planSearch,
} from "../plan/selection.ts";
import { STRONG_COLUMNS } from "../plan/field-conditions.ts";
import { type Match, beginPhrase, disjoinMatches, matchTokens, matchToken } from "../plan/match.ts";
import { type Vocabulary, type VocabularyRequest, EXPANSION_TERMS_MAX } from "../plan/vocabulary.ts";
import { expandEdition, expandWork } from "../present/expand.ts";
import type { Query } from "../query/query.ts";
import { rankedTermsOf, makeScorer, titleWordsOf } from "../rank.ts";

export const CANDIDATES_MAX = 200;
/** Maximum number of these whose whole title is the query, and of those that contain it as a phrase. */
const EXACT_CANDIDATES_MAX = 50;
const PHRASE_CANDIDATES_MAX = 50;
/** Maximum number of editions per work that a search reads, the most open ones first. */
export const PAGE_EDITIONS_MAX = 200;

const RANKED_FIELDS = new Set<string>([...RANKING_FIELDS, "title"]);
const ARTICLES = ["the", "a", "an"] as const;

/** Operations of an index from which searches for works and editions are built. Methods throw the errors of the index. */
export interface WorkSource {
  readonly prefix: string;
  readonly lookUp: LookUp;
  /** Throws a `TooBroadError` for a selection that would take too long; absent if the engine itself limits the time. */
  checkCosts?(selection: SearchPlan): Promise<void>;
  count(selection: Selection): Promise<number>;
  readWalk(selection: Selection, search: SearchRequest & { readonly after: Mark }): Promise<WorkPage>;
  /** Reads a page in the order of `sort`, then of number. */
  readSorted(selection: Selection, search: SearchRequest): Promise<WorkPage>;
  /** Reads a page of the most popular works. The total is needed unless works are excluded with `without`. */
  readPopular(
    selection: Selection,
    search: SearchRequest & { readonly without?: readonly number[] },
  ): Promise<WorkPage>;
  /**
   * Counts a selection and reads the works to be ranked. Of many matches these are: works whose title is the query,
   * works that contain it as a phrase, then the most popular ones with its words in title, author or series, then the
   * most popular of all. They depend on query and filters only, so that pages neither overlap nor leave gaps.
   */
  readCandidates(
    selection: RankedPlan,
    words: RankedWords,
    search: SearchRequest,
  ): Promise<{ readonly numFound: number; readonly candidates: readonly WorkCandidate[] }>;
  /** Reads a page of the editions that match, in order of their rows: work by work, the most open ones first. */
  readEditions(
    match: Match,
    page: EditionPageRequest,
  ): Promise<{
    readonly numFound: number;
    readonly editions: readonly (FoundEditionRow & { readonly id: number })[];
  }>;
  /** Reads works by number, and the first editions of other works in order of number. One round trip at most. */
  readRows(
    ids: readonly number[],
    editionsOf: readonly number[],
    request: Pick<SearchRequest, "withEditions" | "fields">,
  ): Promise<{
    readonly works: ReadonlyMap<number, RestoreWork>;
    readonly editions: readonly FoundEditionRow[];
  }>;
}

export type RestoreWork = () => Promise<StoredWork>;

interface ScoredWork {
  readonly id: number;
  readonly score: number;
  /** Undefined if the work was not read along with the page. */
  readonly restore?: RestoreWork | undefined;
}

export interface WorkPage {
  readonly numFound: number;
  readonly works: readonly ScoredWork[];
  readonly mark?: Mark | undefined;
}

export type RankedPlan = SearchPlan & { readonly all: Selection };
export type RankedWords = Parameters<typeof makeScorer>[0];
/** Work to be ranked: its popularity and its analysed texts, in the order of `RANKING_FIELDS`. */
export type WorkCandidate = Omit<ScoredWork, "score"> & Parameters<ReturnType<typeof makeScorer>>[0];

export interface FoundEditionRow {
  readonly work: number;
  readonly document: string;
}

interface EditionPageRequest {
  readonly after: Mark | undefined;
  readonly isDescending: boolean;
  readonly offset: number;
  /** Zero if only the total is needed. */
  readonly limit: number;
}

const NO_WORKS: WorkPage = { numFound: 0, works: [] };

/**
 * Implements `SearchEngine.works`. `numFound` is exact. In D1 one round trip, two if many works are ranked; one more for
 * wildcards inside words, and one more for pages beyond the ranked candidates. Throws a `TooBroadError` for too many
 * wildcards.
 */
export async function searchWorks(source: WorkSource, search: SearchRequest): Promise<SearchResult> {
  const { numFound, works, mark } = await findPage(source, search);
  return { ...(await readHits(source, works, search)), numFound, mark };
}

/** Implements `SearchEngine.worksByKey`. One round trip. */
export async function worksByKey(
  source: WorkSource,
  keys: readonly string[],
  { withEditions, fields }: Pick<SearchRequest, "withEditions" | "fields">,
): Promise<SearchResult> {
  const ids = new Set(keys.flatMap((key) => workIdOfKey(key, source.prefix) ?? []));
  const works = Array.from(ids, (id) => ({ id, score: 0 }));
  return readHits(source, works, { withEditions, fields });
}

async function findPage(source: WorkSource, search: SearchRequest): Promise<WorkPage> {
  const prepared = await planSearch(search, source.prefix, source.lookUp);
  await source.checkCosts?.(prepared);
  const { all, strong } = prepared;
  if (all === undefined) return NO_WORKS;
  const { start, rows, sort, query, window = WINDOW_WORKS_MAX, after } = search;
  if (after !== undefined && rows > 0) return source.readWalk(all, { ...search, after });
  if (rows === 0 || start + rows > window) return { numFound: await source.count(all), works: [] };
  const [first] = sort;
  const isBestFirst = first === undefined || (first.field === "score" && first.descending);
  if (!isBestFirst) return source.readSorted(all, search);
  return isRanked(query) ? readRankedPage(source, { all, strong }, search) : source.readPopular(all, search);
}

/** Looks up the terms of requests, unless they are in the vocabulary, to which they are added. */
export async function lookUpTerms(
  vocabulary: Map<string, readonly string[]>,
  requests: readonly VocabularyRequest[],
  readTerms: (unknown: readonly VocabularyRequest[]) => Promise<readonly (readonly string[])[]>,
): Promise<Vocabulary> {
  const unknown = requests.filter(({ id }) => !vocabulary.has(id));
  if (unknown.length === 0) return vocabulary;
  const results = await readTerms(unknown);
  for (const [at, { id, accepts }] of unknown.entries()) {
    vocabulary.set(id, [...new Set(results[at])].filter(accepts).slice(0, EXPANSION_TERMS_MAX));
  }
  return vocabulary;
}

function isRanked(query: Query): boolean {
  return rankedTermsOf(query).some(({ field }) => field === null || RANKED_FIELDS.has(field));
}

/** Reads a page ranked by the words of the query: the ranked candidates, then the others by popularity (Q70). */
async function readRankedPage(
  source: WorkSource,
  selection: RankedPlan,
  search: SearchRequest,
): Promise<WorkPage> {
  const { start, rows, query } = search;
  const words = { terms: rankedTermsOf(query), words: titleWordsOf(query) };
  const { numFound, candidates } = await source.readCandidates(selection, words, search);
  const score = makeScorer(words);
  const best = candidates
    .map(({ id, restore, boost, texts }) => ({ id, restore, score: score({ boost, texts }) }))
    .sort((a, b) => b.score - a.score || a.id - b.id);
  const works = best.slice(start, start + rows);
  const missing = Math.min(start + rows, numFound) - Math.max(start, best.length);
  if (missing <= 0) return { numFound, works };
  const others = await source.readPopular(selection.all, {
    ...search,
    start: Math.max(0, start - best.length),
    rows: missing,
    without: best.map(({ id }) => id),
  });
  return { numFound, works: [...works, ...others.works] };
}

/** Returns matches for works whose title is the query, with or without an article, or contains it as a phrase. */
export function titleMatchesOf(words: readonly string[]): { match: Match; limit: number }[] {
  const text = words.join(" ");
  const titles = [text, ...ARTICLES.map((article) => `${article} ${text}`)];
  const [first, ...others] = titles
    .flatMap((title) => exactTitleTokenOf(title) ?? [])
    .map((token) => matchToken(token));
  if (first === undefined || text === "") return [];
  const exact = { match: disjoinMatches([first, ...others]), limit: EXACT_CANDIDATES_MAX };
  if (words.length < 2) return [exact];
  // The beginning suffices, because scores compare the rest.
  const phrase = matchTokens(STRONG_COLUMNS, beginPhrase(words));
  return [exact, { match: phrase, limit: PHRASE_CANDIDATES_MAX }];
}

/**
 * Reads the documents of works and their editions, without works deleted in the meantime. Throws `ResponseTooLarge` as
 * soon as they exceed the size limit of a response.
 */
async function readHits(
  source: WorkSource,
  works: readonly ScoredWork[],
  request: Pick<SearchRequest, "withEditions" | "fields" | "editionFields">,
): Promise<SearchResult> {
  const unread = works.filter(({ restore }) => restore === undefined).map(({ id }) => id);
  const editionsOf = request.withEditions ? works.map(({ id }) => id) : [];
  const rows = await source.readRows(unread, editionsOf, request);
  const editionsByWork = Map.groupBy(rows.editions, ({ work }) => work);
  const budget = new ByteBudget(READ_DOCUMENT_BYTES);
  const hits: { document: Document; editions: Document[]; score: number }[] = [];
  for (const { id, score, restore = rows.works.get(id) } of works) {
    if (restore === undefined) continue;
    const work = await restore();
    const document = expandWork(work, request.fields);
    const editions = (editionsByWork.get(id) ?? []).map((row) =>
      expandEdition(restoreEditionOfRow(row, work), request.editionFields),
    );
    for (const expanded of [document, ...editions]) budget.spendJson(expanded);
    hits.push({ document, editions, score });
  }
  return {
    numFound: hits.length,
    numFoundExact: true,
    documents: hits.map(({ document }) => document),
    scores: hits.map(({ score }) => score),
    editions: hits.map(({ editions }) => editions),
  };
}

/** Restores the edition of a row from its work. */
export function restoreEditionOfRow(
  { document }: Pick<FoundEditionRow, "document">,
  work: StoredWork,
): StoredEdition {
  // The index holds the result of `editionMembersOf`.
  return restoreEdition(JSON.parse(document) as EditionMembers, work);
}

/**
 * Implements `SearchEngine.editions`. Two round trips, one for keys, one more for wildcards. Throws a `TooBroadError`, and
 * `ResponseTooLarge`.
 */
export async function searchEditionRows(
  source: WorkSource,
  search: Parameters<SearchEngine["editions"]>[0],
): Promise<Hits> {
  const match = await planEditionMatch(search, source.lookUp);
  if (match === undefined) return { numFound: 0, numFoundExact: true, documents: [] };
  const { after, start, rows, sort } = search;
  const isPage = rows > 0 && (after !== undefined || start + rows <= WINDOW_PLAIN_MAX);
  const { numFound, editions } = await source.readEditions(match, {
    after,
    isDescending: sort.some(({ field, descending }) => field === "key" && descending),
    offset: isPage && after === undefined ? start : 0,
    limit: isPage ? rows : 0,
  });
  if (search.keysOnly) {
    const documents = editions.map(({ work, document }) => ({
      key: JSON.parse(document).key,
      work: keyOfWorkId(work, source.prefix),
    }));
    return { numFound, numFoundExact: true, documents };
  }
  const ids = [...new Set(editions.map(({ work }) => work))];
  // Editions are restored from the whole documents of their works.
  const { works } = await source.readRows(ids, [], { withEditions: true, fields: ["key"] });
  const restored = new Map(
    await Promise.all(Array.from(works, async ([id, restore]) => [id, await restore()] as const)),
  );
  const last = after && editions.at(-1);
  const budget = new ByteBudget(READ_DOCUMENT_BYTES);
  return {
    numFound: after?.length ? 0 : numFound,
    numFoundExact: true,
    documents: editions.flatMap((row) => {
      const work = restored.get(row.work);
      if (work === undefined) return [];
      const document = expandEdition(restoreEditionOfRow(row, work));
      budget.spendJson(document);
      return [document];
    }),
    mark: last && [last.id],
  };
}
