import { readFile } from "node:fs/promises";
import { stem } from "../../src/search/text/stem.ts";

/** @import { Question } from "./latency.mjs" */

/** Questions a class; the broad words are few, and asked again. */
const COUNT = 150;
/** Shares of the catalog's works that have a rare and a broad word. */
const RARE = { low: 3, high: 40 };
const BROAD = { low: 0.03, high: 0.9 };

/**
 * @param {string} q
 * @param {string} more
 */
function search(q, more) {
  return `/search.json?q=${encodeURIComponent(q)}&limit=20${more}`;
}

/**
 * The classes of queries, each with what is asked of Carrel and of the plain statement.
 * @param {{ plain: string, works: number, log: string | undefined }} options
 * @returns {Promise<Record<string, Question[]>>}
 */
export async function searchQuestions({ plain, works, log }) {
  /** @type {(path: string) => Promise<any>} */
  const ask = async (path) => (await fetch(plain + path)).json();
  const live = await (await fetch(`${plain}/live`)).text();
  const terms = async (/** @type {number} */ low, /** @type {number} */ high) => {
    /** @type {{ term: string }[]} */
    const found = await ask(`/terms?low=${Math.ceil(low)}&high=${Math.floor(high)}&count=${COUNT}`);
    return found.map(({ term }) => term);
  };
  const rare = await terms(RARE.low, RARE.high);
  const broad = await terms(BROAD.low * works, BROAD.high * works);
  const logged = log === undefined ? [] : await searchesOf(log);
  const pairs = (await fromTitles(ask, logged)).slice(0, COUNT);
  /** @type {{ key: string }[]} */
  const subjects = await ask(`/subjects?count=${COUNT}`);
  const plainPath = (/** @type {string[]} */ words) =>
    `/plain?live=${live}&match=${encodeURIComponent(words.map((word) => `"${stem(word)}"`).join(" "))}`;
  const both = (/** @type {string[]} */ words, more = "") => ({
    ours: search(words.join(" "), more),
    theirs: plainPath(words),
  });
  return {
    "one rare word": rare.map((word) => both([word])),
    "two words": pairs.map((words) => both(words)),
    "broad word": broad.map((word) => both([word])),
    "broad word, language=eng": broad.map((word) => both([word], "&language=eng")),
    "broad word, two facets": broad.map((word) => ({
      ours: `/search/facets.json?q=${word}&field=language&field=subject_facet`,
      theirs: plainPath([word]),
    })),
    "broad word, sort=new": broad.map((word) => both([word], "&sort=new")),
    "two words, sort=new": pairs.map((words) => both(words, "&sort=new")),
    "autocomplete, 4 letters": broad.concat(rare).map((word) => ({
      ours: `/works/_autocomplete?q=${word.slice(0, 4)}`,
      theirs: plainPath([word]),
    })),
    "subject page with details": subjects.map(({ key }) => ({
      ours: `${encodeURI(key)}.json?details=true`,
      theirs: `/plain?live=${live}&match=${encodeURIComponent(`"sk=${tokenOf(key.slice(10))}"`)}`,
    })),
    ...(logged.length === 0 ? {} : { "request log": logged.slice(0, 2 * COUNT).map((words) => both(words)) }),
  };
}

/** @param {string} value a subject key as the index writes it in a token */
function tokenOf(value) {
  return value.replace(
    /[^a-z0-9\u0080-\uffff]/g,
    (character) => `_${character.charCodeAt(0).toString(16).padStart(2, "0")}`,
  );
}

/**
 * The words of searches in a log of requests: lines of JSON with `kind` and `q`.
 * @param {string} file
 */
async function searchesOf(file) {
  const lines = (await readFile(file, "utf8")).split("\n").filter((line) => line !== "");
  const searches = lines.map((line) => JSON.parse(line)).filter(({ kind, q }) => kind === "search" && q);
  return searches
    .map(({ q }) => String(q).toLowerCase().split(/\s+/))
    .filter((words) => words.every((word) => /^[a-z]+$/.test(word)));
}

/**
 * Pairs of words: from the log, else neighbours in titles.
 * @param {(path: string) => Promise<any>} ask
 * @param {string[][]} logged
 */
async function fromTitles(ask, logged) {
  const pairs = logged.filter(({ length }) => length === 2);
  if (pairs.length >= COUNT) return pairs;
  /** @type {{ title: string }[]} */
  const titles = await ask(`/titles?count=${4 * COUNT}`);
  const words = titles.map(({ title }) => title.toLowerCase().match(/\b[a-z]{4,}\b/g) ?? []);
  return pairs.concat(words.filter(({ length }) => length >= 2).map((list) => list.slice(0, 2)));
}
