// How often the work that is meant stands first: `npm run bench -- relevance`.
import { appendFile } from "node:fs/promises";
import { booksOf } from "./lib/books.mjs";
import { PEER_PATHS, loadedPeer } from "./lib/peer.mjs";
import { OURS, PLAIN, withLoadedIndex } from "./lib/loaded-index.mjs";
import { relevanceQuestions } from "./lib/relevance-questions.mjs";

/** @import { Catalog } from "./lib/loaded-index.mjs" */
/** @import { RelevanceQuestion } from "./lib/relevance-questions.mjs" */

/**
 * The works that stand first, and what was searched instead if anything was.
 * @typedef {{ keys: string[], corrected: string | null }} Answer
 */
/** Places that are looked at. */
const PLACES = 10;

/**
 * @typedef {Catalog & Wanted} Options
 * @typedef {object} Wanted
 * @property {number} count questions a class
 * @property {number} seed
 * @property {string} kind only classes whose names contain this
 * @property {string | undefined} peer address of a Solr that is asked the same, or "start"
 * @property {string | undefined} journal file for the questions whose answer is not first
 */

/** @param {Options} options */
export async function benchRelevance({ count, seed, kind, journal, peer: address, ...catalog }) {
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

/**
 * @param {RelevanceQuestion[]} questions
 * @param {{ name: string, journal?: string | undefined, ask: (q: string) => Promise<Answer> }} options
 */
async function placed(questions, { name, journal, ask: asking }) {
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
  const percent = (/** @type {number} */ part) => `${((100 * part) / questions.length).toFixed(1)} %`;
  const isMeant = questions.some(({ right }) => right.size > 0);
  return isMeant ? [first, ten, none].map(percent).join(", ") : `-, -, ${percent(none)}`;
}

/** What Carrel answers. @param {string} q @returns {Promise<Answer>} */
async function ask(q) {
  const answer = await fetch(`${OURS}/search.json?q=${encodeURIComponent(q)}&limit=${PLACES}&fields=key`);
  if (!answer.ok) throw new Error(`${q}: ${answer.status}`);
  const { docs } = /** @type {{ docs: { key: string }[] }} */ (await answer.json());
  return { keys: docs.map(({ key }) => key), corrected: answer.headers.get("X-Corrected-Query") };
}

/** What the peer answers. @param {string} url @param {string} q @returns {Promise<Answer>} */
async function askPeer(url, q) {
  const answer = await fetch(url + PEER_PATHS.works(q));
  if (!answer.ok) throw new Error(`peer: ${q}: ${answer.status}`);
  const { response } = /** @type {{ response: { docs: { key: string }[] } }} */ (await answer.json());
  return { keys: response.docs.slice(0, PLACES).map(({ key }) => key), corrected: null };
}
