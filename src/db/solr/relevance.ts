import type { WorkSearch } from "../../search/engine.ts";
import { type PreparedSelection, type Selection, narrowed } from "../../search/plan/selection.ts";
import { rankedTerms, scorer, titleWords } from "../../search/rank.ts";
import { CANDIDATES_MAX, titleMatches } from "../search/relevance.ts";
import { POPULAR, sortText } from "./order.ts";
import { type Found, type FoundPage, type SolrReader, bytesIn, find, noOf, numberIn } from "./reader.ts";
import { workFields } from "./read-works.ts";
import { selectionQuery } from "./selection.ts";

/** A work of a page with its score, and what was read of it if it came along. */
export interface FoundWork {
  readonly id: number;
  readonly score: number;
  readonly found?: Found | undefined;
}

/** Popular works that come first, as they are shown if that is short: most searches have no more, broad ones need few of them. */
const FIRST_CANDIDATES = 60;

type Searched = PreparedSelection & { readonly all: Selection };

/** Counts a selection and ranks its best works, as the embedded engine does. */
export async function rankBest(
  reader: SolrReader,
  searched: Searched,
  { query, ...wish }: Pick<WorkSearch, "query" | "fields" | "withEditions">,
) {
  const words = titleWords(query);
  const shown = workFields(wish);
  const fields = shown.includes("brief") ? shown : [];
  const { numFound, docs, first } = await pickCandidates(reader, searched, { words, fields });
  const byId = new Map(docs.map((one) => [noOf(one), one] as const));
  const whole = new Map(fields.length === 0 ? [] : first.map((one) => [noOf(one), one] as const));
  const score = scorer({ terms: rankedTerms(query), words });
  const best = [...byId].map(([id, one]) => {
    // The field holds what `workRows` made: a list of texts.
    const texts = JSON.parse(bytesIn(one, "compared")) as string[];
    return { id, score: score({ boost: numberIn(one, "n_boost") ?? 0, texts }), found: whole.get(id) };
  });
  return { numFound, best: best.sort((a, b) => b.score - a.score || a.id - b.id) };
}

interface Picked {
  readonly numFound: number;
  readonly docs: readonly Found[];
  /** Works that came with the fields asked for, candidates or not. */
  readonly first: readonly Found[];
}

/** Searches that found very many works, and whether so many of them had the words in the fields that count most. */
const broad = new Map<string, boolean>();
/** How many of them an isolate remembers, and how long they may be: what few words find is asked often. */
const BROAD_MAX = 500;
const BROAD_LENGTH_MAX = 4000;

function noteBroad(name: string, isFull: boolean): void {
  if (name.length > BROAD_LENGTH_MAX) return;
  const [oldest] = broad.keys();
  if (oldest !== undefined && broad.size >= BROAD_MAX) broad.delete(oldest);
  broad.set(name, isFull);
}

/**
 * Which works are candidates `../search/relevance.ts` says. One round trip of few works, and of very many that are known to
 * be so many, else two.
 */
async function pickCandidates(
  reader: SolrReader,
  searched: Searched,
  { words, fields }: { readonly words: readonly string[]; readonly fields: readonly string[] },
): Promise<Picked> {
  const { all, strong } = searched;
  const name = `${reader.collection.address} ${selectionQuery(all)}`;
  const known = broad.get(name);
  if (known !== undefined) {
    const many = await manyCandidates(reader, searched, { words, isFull: known });
    if (many.numFound > CANDIDATES_MAX && many.isFull === known) return many;
    broad.delete(name);
  }
  const counted = strong && [selectionQuery(strong)];
  const found = await candidates(reader, all, { limit: FIRST_CANDIDATES, fields, counted });
  const { numFound, docs, counts = [] } = found;
  if (numFound <= FIRST_CANDIDATES) return { numFound, docs, first: docs };
  if (numFound <= CANDIDATES_MAX) {
    const rest = await nextCandidates(reader, all, found);
    return { numFound, docs: [...docs, ...rest.docs], first: docs };
  }
  const isFull = (counts[1] ?? 0) >= CANDIDATES_MAX;
  noteBroad(name, isFull);
  return manyCandidates(reader, searched, { words, isFull, found });
}

interface Many {
  readonly words: readonly string[];
  /** Whether as many as are compared have the words in the fields that count most. */
  readonly isFull: boolean;
  /** The first of all, if they have been asked for. */
  readonly found?: FoundPage;
}

/** The candidates among more works than are compared. */
async function manyCandidates(
  reader: SolrReader,
  { all, strong }: Searched,
  { words, isFull, found }: Many,
): Promise<Picked & { readonly isFull: boolean }> {
  const counted = isFull && found === undefined ? [selectionQuery(all)] : undefined;
  const titles = strong === undefined || isFull ? titleMatches(words) : [];
  const [best, popular, ...others] = await Promise.all([
    strong && candidates(reader, strong, { limit: CANDIDATES_MAX, counted }),
    isFull ? undefined : nextCandidates(reader, all, found),
    ...titles.map(({ match, limit }) => candidates(reader, narrowed(all, match), { limit })),
  ]);
  const first = found?.docs ?? [];
  return {
    numFound: found?.numFound ?? popular?.numFound ?? best?.counts?.[1] ?? 0,
    isFull: (best?.numFound ?? 0) >= CANDIDATES_MAX,
    docs: [...(isFull ? [] : first), ...[best, popular, ...others].flatMap((one) => one?.docs ?? [])],
    first,
  };
}

/** As many of the most popular works as are compared, but those that were found already. */
function nextCandidates(reader: SolrReader, selection: Selection, found?: FoundPage): Promise<FoundPage> {
  const offset = found?.docs.length ?? 0;
  return candidates(reader, selection, { offset, limit: CANDIDATES_MAX - offset });
}

interface CandidatesAsk {
  readonly offset?: number;
  readonly limit: number;
  /** What is read besides. */
  readonly fields?: readonly string[];
  readonly counted?: readonly string[] | undefined;
}

/** The most popular works of a selection. */
function candidates(reader: SolrReader, selection: Selection, { fields = [], ...ask }: CandidatesAsk) {
  const query = selectionQuery(selection);
  return find(reader, "work", {
    query,
    sort: sortText(POPULAR),
    fields: [...new Set(["no", "n_boost", "compared", ...fields])],
    ...ask,
  });
}
