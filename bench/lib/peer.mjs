// Solr alone, with a schema of the reference's kind, to be compared with: what it is given, and how it is asked.
import path from "node:path";
import { startSolrCloud } from "../../scripts/lib/solr-cloud.mjs";
import { ROOT } from "../../scripts/lib/paths.mjs";
import { subjectKey } from "../../src/search/documents/subject-key.ts";
import { DEFAULT_FIELDS } from "../../src/search/present/selected-fields.ts";
import { booksOf, titlesOf } from "./books.mjs";

/** @import { Book } from "./books.mjs" */

/** The collection and its config set. */
const PEER = "peer";
const HEAP = "1g";
const JSON_TYPE = { "Content-Type": "application/json" };
const RETURNED = `fl=${[...DEFAULT_FIELDS].join(",")}`;
/** What asks for the best edition of each work, besides. */
export const PEER_EDITIONS = [
  "",
  `fl=${encodeURIComponent("editions:[subquery]")}`,
  `editions.q=${encodeURIComponent("{!terms f=_root_ v=$row.key}")}`,
  `editions.fq=${encodeURIComponent("key:\\/books*")}`,
  "editions.rows=1",
].join("&");
const SUBJECT_FACETS =
  "author_facet language publisher_facet publish_year subject_facet person_facet place_facet time_facet has_fulltext"
    .split(" ")
    .map((field) => `facet.field=${field}`)
    .join("&");

/**
 * The address of a peer that has the catalog, and what stops it. `start` starts one on this machine; another address is
 * of a SolrCloud that runs already.
 * @param {string} address
 * @param {string} plain where the works are read
 */
export async function loadedPeer(address, plain) {
  const configs = { [PEER]: path.join(ROOT, "bench/peer") };
  const cloud = address === "start" ? await startSolrCloud({ configs, heap: HEAP }) : undefined;
  const url = cloud?.nodes[0]?.url ?? address;
  try {
    await load(url, plain);
  } catch (error) {
    await cloud?.stop();
    throw error;
  }
  return { url: new URL(url).origin, port: Number(new URL(url).port), stop: async () => cloud?.stop() };
}

/**
 * Makes the collection and fills it, unless it is there.
 * @param {string} url
 * @param {string} plain
 */
async function load(url, plain) {
  const { collections } = await answerOf(`${url}/admin/collections?action=LIST`);
  if (collections.includes(PEER)) return;
  const create = `action=CREATE&name=${PEER}&numShards=1&collection.configName=${PEER}`;
  await answerOf(`${url}/admin/collections?${create}`);
  /** @type {Map<string, Record<string, unknown> & { work_count: number }>} */
  const authors = new Map();
  let works = 0;
  const started = performance.now();
  for await (const books of booksOf(plain)) {
    await send(url, books.map(documentOf));
    works += books.length;
    for (const { work } of books) countAuthors(authors, work);
  }
  if (works === 0)
    throw new Error("the index in D1 is empty: run once without --solr, with the same --state");
  await send(url, [...authors.values()]);
  await answerOf(`${url}/${PEER}/update?optimize=true`, { method: "POST", headers: JSON_TYPE, body: "{}" });
  console.log(`peer: ${Math.round(works / ((performance.now() - started) / 1000))} works/s`);
}

/** @param {Book} book */
function documentOf(book) {
  const { work, editions } = book;
  const subjects = Object.fromEntries(
    ["subject", "place", "person", "time"].map((kind) => [
      `${kind}_key`,
      [...new Set((work[kind] ?? []).map(subjectKey))],
    ]),
  );
  return {
    ...flat(work),
    ...subjects,
    type: "work",
    alternative_title: titlesOf(book),
    editions: editions.map((edition) => flat(edition)),
  };
}

/** Members that Solr takes: texts, numbers, lists of them. @param {Record<string, unknown>} document */
function flat(document) {
  return Object.fromEntries(
    Object.entries(document).filter(([, value]) => typeof value !== "object" || Array.isArray(value)),
  );
}

/** @param {Map<string, Record<string, unknown> & { work_count: number }>} authors @param {Record<string, any>} work */
function countAuthors(authors, { author_key: keys = [], author_name: names = [] }) {
  for (const [at, olid] of keys.entries()) {
    const key = `/authors/${olid}`;
    const known = authors.get(key) ?? { key, type: "author", name: names[at] ?? olid, work_count: 0 };
    known.work_count += 1;
    authors.set(key, known);
  }
}

/** @param {string} url @param {object[]} documents */
function send(url, documents) {
  return answerOf(`${url}/${PEER}/update`, {
    method: "POST",
    headers: JSON_TYPE,
    body: JSON.stringify(documents),
  });
}

/** @param {string} url @param {RequestInit} [options] @returns {Promise<any>} */
async function answerOf(url, options) {
  const response = await fetch(url, options);
  if (!response.ok) throw new Error(`${url}: ${response.status} ${await response.text()}`);
  return response.json();
}

/** A text without what edismax reads as more than words. @param {string} text */
function plainWords(text) {
  return encodeURIComponent(text.replace(/[^\p{L}\p{M}\p{N}]+/gu, " ").trim());
}

/** What the peer is asked for the same as Carrel, by path. */
export const PEER_PATHS = {
  /** @param {string} q @param {string} [more] */
  works: (q, more = "") => `/solr/${PEER}/works?q=${plainWords(q)}&rows=20&${RETURNED}${more}`,
  /** @param {string} q */
  facets: (q) =>
    `/solr/${PEER}/works?q=${plainWords(q)}&rows=0&facet=true&facet.mincount=1&facet.field=language&facet.field=subject_facet`,
  /** @param {string} q */
  authors: (q) => `/solr/${PEER}/authors?q=${plainWords(q)}&rows=20`,
  /** @param {string} beginning */
  complete: (beginning) =>
    `/solr/${PEER}/works?defType=lucene&q=${encodeURIComponent(`title:${beginning}^2 OR title:${beginning}*`)}&rows=5&fl=key,title,subtitle,cover_i,first_publish_year,author_name,edition_count`,
  /** @param {string} key of a subject, without its folder */
  subject: (key) =>
    `/solr/${PEER}/works?defType=lucene&q=${encodeURIComponent(`subject_key:"${key}"`)}&rows=12&sort=edition_count%20desc&${RETURNED}&facet=true&facet.mincount=1&facet.limit=25&${SUBJECT_FACETS}`,
};
