// How often the work that is meant stands first: `npm run bench -- relevance`.
import { appendFile } from "node:fs/promises";
import { booksOf } from "./lib/books.ts";
import { PEER_PATHS, loadedPeer } from "./lib/peer.ts";
import { OURS, PLAIN, withLoadedIndex } from "./lib/loaded-index.ts";
import { relevanceQuestions } from "./lib/relevance-questions.ts";

import type { Catalog } from "./lib/loaded-index.ts";
import type { RelevanceQuestion } from "./lib/relevance-questions.ts";

/** First works of a response, and the corrected query, if any. */
export interface Answer {
  keys: string[];
  corrected: string | null;
}
/** Number of works requested. */
const PLACES = 10;

export type Options = Catalog & Wanted;

export interface Wanted {
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
    const peer = address === undefined ? undefined : await loadedPeer(address, PLAIN);
    try {
      const books = (await Array.fromAsync(booksOf(PLAIN))).flat();
      const classes = relevanceQuestions(books, { count, seed });
      console.log("first, among the first ten, nothing found");
      for (const [name, questions] of Object.entries(classes)) {
        if (questions.length === 0 || !name.includes(kind)) continue;
        const ours = await placed(questions, { name, journal, ask });
        const theirs = peer && (await placed(questions, { name, ask: (q) => askPeer(peer.url, q) }));
        console.log(
          `${name} (${questions.length}): ${ours}${theirs === undefined ? "" : `; peer ${theirs}`}`,
        );
      }
    } finally {
      await peer?.stop();
    }
  });
}

async function placed(
  questions: RelevanceQuestion[],
  {
    name,
    journal,
    ask: asking,
  }: { name: string; journal?: string | undefined; ask: (q: string) => Promise<Answer> },
) {
  let [first, ten, none] = [0, 0, 0];
  for (const { q, right } of questions) {
    const { keys, corrected } = await asking(q);
    const place = keys.findIndex((key) => right.has(key));
    if (place === 0) first += 1;
    else if (journal !== undefined)
      await appendFile(journal, `${JSON.stringify({ name, q, corrected, place, keys })}\n`);
    if (place !== -1) ten += 1;
    if (keys.length === 0) none += 1;
  }
  const percent = (part: number) => `${((100 * part) / questions.length).toFixed(1)} %`;
  const isMeant = questions.some(({ right }) => right.size > 0);
  return isMeant ? [first, ten, none].map(percent).join(", ") : `-, -, ${percent(none)}`;
}

async function ask(q: string): Promise<Answer> {
  const answer = await fetch(`${OURS}/search.json?q=${encodeURIComponent(q)}&limit=${PLACES}&fields=key`);
  if (!answer.ok) throw new Error(`${q}: ${answer.status}`);
  const { docs } = (await answer.json()) as { docs: { key: string }[] };
  return { keys: docs.map(({ key }) => key), corrected: answer.headers.get("X-Corrected-Query") };
}

async function askPeer(url: string, q: string): Promise<Answer> {
  const answer = await fetch(url + PEER_PATHS.works(q));
  if (!answer.ok) throw new Error(`peer: ${q}: ${answer.status}`);
  const { response } = (await answer.json()) as { response: { docs: { key: string }[] } };
  return { keys: response.docs.slice(0, PLACES).map(({ key }) => key), corrected: null };
}
