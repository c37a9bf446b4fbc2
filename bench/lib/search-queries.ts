import { readFile } from "node:fs/promises";
import { DEFAULT_FIELDS } from "../../src/search/present/selected-fields.ts";
import { queryTermsOf } from "../../src/search/text/analysis.ts";
import { stem } from "../../src/search/text/stem.ts";
import { PEER_EDITIONS, PEER_PATHS } from "./peer.ts";

import type { IndexFacts } from "./index-facts.ts";
import type { Query } from "./latency.ts";

/** A query as Carrel, the plain statement and the peer take it. */
export type ComparedQuery = Query & { peer: string };

/** Queries per class. */
const COUNT = 150;
/** Number of works that have a rare word, and share of works that have a broad word. */
const RARE = { low: 3, high: 40 };
const BROAD = { low: 0.03, high: 0.9 };

const OUR_EDITIONS = `&fields=${DEFAULT_FIELDS.join(",")},editions`;
const NEWEST = "&sort=first_publish_year%20desc";

function search(q: string, more: string) {
  return `/search.json?q=${encodeURIComponent(q)}&limit=20${more}`;
}

/** Creates the classes of queries. `plain`: URL of the worker of the plain statements. */
export async function searchQueries({
  plain,
  works,
  facts,
  log,
}: {
  plain: string;
  works: number;
  facts: IndexFacts;
  log: string | undefined;
}): Promise<Record<string, ComparedQuery[]>> {
  const live = await (await fetch(`${plain}/live`)).text();
  const terms = (low: number, high: number) => facts.terms(Math.ceil(low), Math.floor(high), COUNT);
  const rare = await terms(RARE.low, RARE.high);
  const broad = await terms(BROAD.low * works, BROAD.high * works);
  const logged = log === undefined ? [] : await searchesOf(log);
  const books = await facts.titles(4 * COUNT);
  const pairs = pairsOf(books, logged).slice(0, COUNT);
  const authors = books.flatMap(({ author }) => (author === null ? [] : [wordsOf(author)])).slice(0, COUNT);
  const subjects = await facts.subjects(COUNT);
  const plainPath = (words: string[]) =>
    `/plain?live=${live}&match=${encodeURIComponent(words.map((word) => `"${stem(word)}"`).join(" "))}`;
  const all: (words: string[], more?: string, ofPeer?: string) => ComparedQuery = (
    words,
    more = "",
    ofPeer = "",
  ) => ({
    ours: search(words.join(" "), more),
    theirs: plainPath(words),
    peer: PEER_PATHS.works(words.join(" "), ofPeer),
  });
  return {
    "one rare word": rare.map((word) => all([word])),
    "two words": pairs.map((words) => all(words)),
    "broad word": broad.map((word) => all([word])),
    "broad word, language=eng": broad.map((word) => all([word], "&language=eng", "&fq=language:eng")),
    "broad word, two facets": broad.map((word) => ({
      ours: `/search/facets.json?q=${word}&field=language&field=subject_facet`,
      theirs: plainPath([word]),
      peer: PEER_PATHS.facets(word),
    })),
    "broad word, sort=new": broad.map((word) => all([word], "&sort=new", NEWEST)),
    "two words, sort=new": pairs.map((words) => all(words, "&sort=new", NEWEST)),
    "two words with editions": pairs.map((words) => all(words, OUR_EDITIONS, PEER_EDITIONS)),
    "author search": authors.map((words) => ({
      ours: `/search/authors.json?q=${encodeURIComponent(words.join(" "))}&limit=20`,
      theirs: plainPath(words),
      peer: PEER_PATHS.authors(words.join(" ")),
    })),
    "autocomplete, 4 letters": broad.concat(rare).map((word) => ({
      ours: `/works/_autocomplete?q=${word.slice(0, 4)}`,
      theirs: plainPath([word]),
      peer: PEER_PATHS.complete(word.slice(0, 4)),
    })),
    "subject page with details": subjects.map(({ key }) => ({
      ours: `${encodeURI(key)}.json?details=true`,
      theirs: `/plain?live=${live}&match=${encodeURIComponent(`"sk=${tokenOf(key.slice(10))}"`)}`,
      peer: PEER_PATHS.subject(key.slice(10)),
    })),
    ...(logged.length === 0 ? {} : { "request log": logged.slice(0, 2 * COUNT).map((words) => all(words)) }),
  };
}

/** Escapes a subject key as in the tokens of the index. */
function tokenOf(value: string) {
  return value.replace(
    /[^a-z0-9\u0080-\uffff]/g,
    (character) => `_${character.charCodeAt(0).toString(16).padStart(2, "0")}`,
  );
}

/** Reads the words of searches in a request log: lines of JSON with `kind` and `q`. */
async function searchesOf(file: string) {
  const lines = (await readFile(file, "utf8")).split("\n").filter((line) => line !== "");
  const searches = lines.map((line) => JSON.parse(line)).filter(({ kind, q }) => kind === "search" && q);
  return searches
    .map(({ q }) => String(q).toLowerCase().split(/\s+/))
    .filter((words) => words.every((word) => /^[a-z]+$/.test(word)));
}

/** Returns pairs of words from the log, or neighbours in titles. */
function pairsOf(books: { title: string }[], logged: string[][]) {
  const pairs = logged.filter(({ length }) => length === 2);
  if (pairs.length >= COUNT) return pairs;
  const words = books.map(({ title }) => title.toLowerCase().match(/\b[a-z]{4,}\b/g) ?? []);
  return pairs.concat(words.filter(({ length }) => length >= 2).map((list) => list.slice(0, 2)));
}

function wordsOf(name: string) {
  return queryTermsOf(name).flatMap(({ tokens }) => tokens);
}
