// How often the work that is meant stands first: `npm run bench -- relevance`.
import { appendFile } from "node:fs/promises";
import { booksOf } from "./lib/books.mjs";
import { OURS, PLAIN, withLoadedIndex } from "./lib/loaded-index.mjs";
import { relevanceQuestions } from "./lib/relevance-questions.mjs";

/** @import { Catalog } from "./lib/loaded-index.mjs" */
/** @import { RelevanceQuestion } from "./lib/relevance-questions.mjs" */

/** Places that are looked at. */
const PLACES = 10;

/**
 * @typedef {Catalog & Wanted} Options
 * @typedef {object} Wanted
 * @property {number} count questions a class
 * @property {number} seed
 * @property {string} kind only classes whose names contain this
 * @property {string | undefined} journal file for the questions whose answer is not first
 */

/** @param {Options} options */
export async function benchRelevance({ count, seed, kind, journal, ...catalog }) {
  await withLoadedIndex(catalog, async () => {
    const books = (await Array.fromAsync(booksOf(PLAIN))).flat();
    const classes = relevanceQuestions(books, { count, seed });
    console.log("first, and among the first ten");
    for (const [name, questions] of Object.entries(classes)) {
      if (questions.length === 0 || !name.includes(kind)) continue;
      console.log(`${name} (${questions.length}): ${await placed(questions, { name, journal })}`);
    }
  });
}

/**
 * @param {RelevanceQuestion[]} questions
 * @param {{ name: string, journal: string | undefined }} options
 */
async function placed(questions, { name, journal }) {
  let [first, ten, none] = [0, 0, 0];
  for (const { q, right } of questions) {
    const { keys, corrected } = await ask(q);
    const place = keys.findIndex((key) => right.has(key));
    if (place === 0) first += 1;
    else if (journal !== undefined)
      await appendFile(journal, `${JSON.stringify({ name, q, corrected, place, keys })}\n`);
    if (place !== -1) ten += 1;
    if (keys.length === 0) none += 1;
  }
  const percent = (/** @type {number} */ part) => `${((100 * part) / questions.length).toFixed(1)} %`;
  return questions.some(({ right }) => right.size > 0)
    ? `${percent(first)}, ${percent(ten)}, nothing found ${percent(none)}`
    : `nothing found ${percent(none)}`;
}

/** The works that stand first, and what was searched instead if anything was. @param {string} q */
async function ask(q) {
  const answer = await fetch(`${OURS}/search.json?q=${encodeURIComponent(q)}&limit=${PLACES}&fields=key`);
  if (!answer.ok) throw new Error(`${q}: ${answer.status}`);
  const { docs } = /** @type {{ docs: { key: string }[] }} */ (await answer.json());
  const corrected = answer.headers.get("X-Corrected-Query") ?? undefined;
  return { keys: docs.map(({ key }) => key), corrected };
}
