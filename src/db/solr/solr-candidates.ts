import { type Selection, narrowSelection } from "../../search/plan/selection.ts";
import {
  type RankedPlan,
  type WorkCandidate,
  CANDIDATES_MAX,
  titleMatchesOf,
} from "../../search/engine/search-works.ts";
import { POPULAR, sortText } from "./order.ts";
import { type SolrFields, type SolrPage, type SolrReader, bytesIn, find, noOf, numberIn } from "./reader.ts";
import { restoreOf } from "./solr-rows.ts";
import { selectionQuery } from "./solr-terms.ts";

/** Number of popular works read first, with the fields of the page: most searches find no more. */
const FIRST_CANDIDATES = 60;

/** Implements `WorkSource.readCandidates`. `readAlong` are the fields of Solr needed for the page. */
export async function readSolrCandidates(
  reader: SolrReader,
  selection: RankedPlan,
  { words, readAlong }: { words: readonly string[]; readAlong: readonly string[] },
): Promise<{ readonly numFound: number; readonly candidates: readonly WorkCandidate[] }> {
  // Whole documents are too long to be read along.
  const fields = readAlong.includes("brief") ? readAlong : [];
  const { numFound, docs, first } = await pickCandidates(reader, selection, { words, fields });
  const byId = new Map(docs.map((doc) => [noOf(doc), doc]));
  const whole = new Map(fields.length === 0 ? [] : first.map((doc) => [noOf(doc), restoreOf(doc)]));
  const candidates = Array.from(byId, ([id, doc]) => ({
    id,
    boost: numberIn(doc, "n_boost") ?? 0,
    // The field holds a list of texts built by `toWorkRows`.
    texts: JSON.parse(bytesIn(doc, "compared")) as string[],
    restore: whole.get(id),
  }));
  return { numFound, candidates };
}

interface Picked {
  readonly numFound: number;
  readonly docs: readonly SolrFields[];
  /** Works read with the requested fields, not all of them candidates. */
  readonly first: readonly SolrFields[];
}

/**
 * In-memory cache of searches with more than `CANDIDATES_MAX` works: true if that many have the words in the strong
 * fields. Searches for few words are frequent.
 */
const broadSearches = new Map<string, boolean>();
const BROAD_SEARCHES_MAX = 500;
/** Maximum length of a cached search, in UTF-16 units. */
const BROAD_LENGTH_MAX = 4000;

function cacheBroadSearch(name: string, isFull: boolean): void {
  if (name.length > BROAD_LENGTH_MAX) return;
  const [oldest] = broadSearches.keys();
  if (oldest !== undefined && broadSearches.size >= BROAD_SEARCHES_MAX) broadSearches.delete(oldest);
  broadSearches.set(name, isFull);
}

/** Reads the candidates. One round trip for few works, and for very many if the search is cached; otherwise two. */
async function pickCandidates(
  reader: SolrReader,
  selection: RankedPlan,
  { words, fields }: { words: readonly string[]; fields: readonly string[] },
): Promise<Picked> {
  const { all, strong } = selection;
  const name = `${reader.collection.address} ${selectionQuery(all)}`;
  const isKnownFull = broadSearches.get(name);
  if (isKnownFull !== undefined) {
    const picked = await pickFromMany(reader, selection, { words, isFull: isKnownFull });
    if (picked.numFound > CANDIDATES_MAX && picked.isFull === isKnownFull) return picked;
    broadSearches.delete(name);
  }
  const counted = strong && [selectionQuery(strong)];
  const page = await readPopularWorks(reader, all, { limit: FIRST_CANDIDATES, fields, counted });
  const { numFound, docs, counts = [] } = page;
  if (numFound <= FIRST_CANDIDATES) return { numFound, docs, first: docs };
  if (numFound <= CANDIDATES_MAX) {
    const rest = await readNextPopularWorks(reader, all, page);
    return { numFound, docs: [...docs, ...rest.docs], first: docs };
  }
  const isFull = (counts[0] ?? 0) >= CANDIDATES_MAX;
  cacheBroadSearch(name, isFull);
  return pickFromMany(reader, selection, { words, isFull, page });
}

interface ManyOptions {
  words: readonly string[];
  /** True if `CANDIDATES_MAX` works have the words in the strong fields. */
  isFull: boolean;
  page?: SolrPage;
}

/** Reads the candidates among more works than are compared. */
async function pickFromMany(
  reader: SolrReader,
  { all, strong }: RankedPlan,
  { words, isFull, page }: ManyOptions,
): Promise<Picked & { readonly isFull: boolean }> {
  const counted = isFull && page === undefined ? [selectionQuery(all)] : undefined;
  const titles = strong === undefined || isFull ? titleMatchesOf(words) : [];
  const [best, popular, ...titled] = await Promise.all([
    strong && readPopularWorks(reader, strong, { limit: CANDIDATES_MAX, counted }),
    isFull ? undefined : readNextPopularWorks(reader, all, page),
    ...titles.map(({ match, limit }) => readPopularWorks(reader, narrowSelection(all, match), { limit })),
  ]);
  const first = page?.docs ?? [];
  return {
    numFound: page?.numFound ?? popular?.numFound ?? best?.counts?.[0] ?? 0,
    isFull: (best?.numFound ?? 0) >= CANDIDATES_MAX,
    docs: [...(isFull ? [] : first), ...[best, popular, ...titled].flatMap((part) => part?.docs ?? [])],
    first,
  };
}

/** Reads the most popular works up to `CANDIDATES_MAX`, except those of a page. */
function readNextPopularWorks(reader: SolrReader, selection: Selection, page?: SolrPage): Promise<SolrPage> {
  const offset = page?.docs.length ?? 0;
  return readPopularWorks(reader, selection, { offset, limit: CANDIDATES_MAX - offset });
}

interface PopularRequest {
  offset?: number;
  limit: number;
  fields?: readonly string[];
  counted?: readonly string[] | undefined;
}

function readPopularWorks(
  reader: SolrReader,
  selection: Selection,
  { fields = [], ...page }: PopularRequest,
): Promise<SolrPage> {
  return find(reader, "work", {
    query: selectionQuery(selection),
    sort: sortText(POPULAR),
    fields: [...new Set(["no", "n_boost", "compared", ...fields])],
    ...page,
  });
}
