// Measures the rank of the intended work in search results: `npm run bench -- search --only relevance`.
import { appendFile } from "node:fs/promises";
import { readBooks } from "./lib/books.ts";
import { fetchJson } from "./lib/client.ts";
import { PEER_PATHS, preparePeer } from "./lib/peer.ts";
import { type Catalog, OURS, PLAIN, withLoadedIndex } from "./lib/loaded-index.ts";
import { type RankingQuery, rankingQueries } from "./lib/ranking-queries.ts";

/** First works of a response, and the corrected query, if any. */
interface Ranking {
  keys: string[];
  corrected: string | null;
}
/** Number of works requested. */
const PLACES = 10;

interface Options extends Catalog {
  /** Queries per class. */
  count: number;
  seed: number;
  /** Runs only the classes with this text in their names. */
  kind: string;
  /** URL of a Solr to compare with, or "start". */
  peer: string | undefined;
  /** File for the queries whose work is not first. */
  journal: string | undefined;
}

export async function benchRelevance({ count, seed, kind, journal, peer: address, ...catalog }: Options) {
  await withLoadedIndex(catalog, async () => {
    const peer = address === undefined ? undefined : await preparePeer(address, PLAIN);
    try {
      const books = (await Array.fromAsync(readBooks(PLAIN))).flat();
      const classes = rankingQueries(books, { count, seed });
      console.log("first, among the first ten, nothing found");
      for (const [name, queries] of Object.entries(classes)) {
        if (queries.length === 0 || !name.includes(kind)) continue;
        const ours = await measureRanking(queries, { name, journal, rank: rankByCarrel });
        const theirs =
          peer && (await measureRanking(queries, { name, rank: (q) => rankByPeer(peer.url, q) }));
        console.log(`${name} (${queries.length}): ${ours}${theirs === undefined ? "" : `; peer ${theirs}`}`);
      }
    } finally {
      await peer?.stop();
    }
  });
}

async function measureRanking(
  queries: RankingQuery[],
  {
    name,
    journal,
    rank,
  }: { name: string; journal?: string | undefined; rank: (q: string) => Promise<Ranking> },
) {
  let [first, ten, none] = [0, 0, 0];
  for (const { q, right } of queries) {
    const { keys, corrected } = await rank(q);
    const place = keys.findIndex((key) => right.has(key));
    if (place === 0) first += 1;
    else if (journal !== undefined)
      await appendFile(journal, `${JSON.stringify({ name, q, corrected, place, keys })}\n`);
    if (place !== -1) ten += 1;
    if (keys.length === 0) none += 1;
  }
  const percent = (part: number) => `${((100 * part) / queries.length).toFixed(1)} %`;
  const isFindable = queries.some(({ right }) => right.size > 0);
  return isFindable ? [first, ten, none].map(percent).join(", ") : `-, -, ${percent(none)}`;
}

async function rankByCarrel(q: string): Promise<Ranking> {
  const response = await fetch(`${OURS}/search.json?q=${encodeURIComponent(q)}&limit=${PLACES}&fields=key`);
  if (!response.ok) throw new Error(`${q}: ${response.status}`);
  const { docs } = (await response.json()) as { docs: { key: string }[] };
  return { keys: docs.map(({ key }) => key), corrected: response.headers.get("X-Corrected-Query") };
}

async function rankByPeer(url: string, q: string): Promise<Ranking> {
  const { response } = await fetchJson(url + PEER_PATHS.works(q));
  const docs: { key: string }[] = response.docs;
  return { keys: docs.slice(0, PLACES).map(({ key }) => key), corrected: null };
}
