// Solr alone, with a schema like Open Library's, as a peer to compare with.
import path from "node:path";
import { startSolrCloud } from "../../scripts/lib/solr-cloud.ts";
import { ROOT } from "../../scripts/lib/paths.ts";
import { subjectKeyOf } from "../../src/search/documents/subject-key.ts";
import { DEFAULT_FIELDS } from "../../src/search/present/selected-fields.ts";
import { type Book, readBooks, titlesOf } from "./books.ts";
import { type Json, fetchJson } from "./client.ts";

/** Name of the collection and of its config set. */
const PEER = "peer";
const HEAP = "1g";
const JSON_TYPE = { "Content-Type": "application/json" };
const RETURNED = `fl=${[...DEFAULT_FIELDS].join(",")}`;
/** Parameters that also request the best edition of each work. */
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
 * Returns a peer that has the catalog. `address`: URL of a running SolrCloud, or `start`; `plain`: URL that
 * works are read from.
 */
export async function preparePeer(address: string, plain: string) {
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

/** Creates and fills the collection unless it exists. */
async function load(url: string, plain: string) {
  const { collections } = await fetchJson(`${url}/admin/collections?action=LIST`);
  if (collections.includes(PEER)) return;
  const create = `action=CREATE&name=${PEER}&numShards=1&collection.configName=${PEER}`;
  await fetchJson(`${url}/admin/collections?${create}`);
  const authors = new Map<string, Record<string, unknown> & { work_count: number }>();
  let works = 0;
  const started = performance.now();
  for await (const books of readBooks(plain)) {
    await send(url, books.map(toPeerDocument));
    works += books.length;
    for (const { work } of books) countAuthors(authors, work);
  }
  if (works === 0)
    throw new Error("the index in D1 is empty: run once without --solr, with the same --state");
  await send(url, [...authors.values()]);
  await fetchJson(`${url}/${PEER}/update?optimize=true`, { method: "POST", headers: JSON_TYPE, body: "{}" });
  console.log(`peer: ${Math.round(works / ((performance.now() - started) / 1000))} works/s`);
}

function toPeerDocument(book: Book) {
  const { work, editions } = book;
  const subjects = Object.fromEntries(
    ["subject", "place", "person", "time"].map((kind) => [
      `${kind}_key`,
      [...new Set((work[kind] ?? []).map(subjectKeyOf))],
    ]),
  );
  return {
    ...flatten(work),
    ...subjects,
    type: "work",
    alternative_title: titlesOf(book),
    editions: editions.map((edition) => flatten(edition)),
  };
}

/** Keeps the members that Solr accepts: texts, numbers, and lists of them. */
function flatten(document: Record<string, unknown>) {
  return Object.fromEntries(
    Object.entries(document).filter(([, value]) => typeof value !== "object" || Array.isArray(value)),
  );
}

function countAuthors(
  authors: Map<string, Record<string, unknown> & { work_count: number }>,
  { author_key: keys = [], author_name: names = [] }: Json,
) {
  for (const [at, olid] of keys.entries()) {
    const key = `/authors/${olid}`;
    const known = authors.get(key) ?? { key, type: "author", name: names[at] ?? olid, work_count: 0 };
    known.work_count += 1;
    authors.set(key, known);
  }
}

function send(url: string, documents: object[]) {
  return fetchJson(`${url}/${PEER}/update`, {
    method: "POST",
    headers: JSON_TYPE,
    body: JSON.stringify(documents),
  });
}

/** Removes characters that edismax interprets. */
function plainWords(text: string) {
  return encodeURIComponent(text.replace(/[^\p{L}\p{M}\p{N}]+/gu, " ").trim());
}

/** Paths of the peer's requests that correspond to Carrel's. */
export const PEER_PATHS = {
  works: (q: string, more: string = "") =>
    `/solr/${PEER}/works?q=${plainWords(q)}&rows=20&${RETURNED}${more}`,
  facets: (q: string) =>
    `/solr/${PEER}/works?q=${plainWords(q)}&rows=0&facet=true&facet.mincount=1&facet.field=language&facet.field=subject_facet`,
  authors: (q: string) => `/solr/${PEER}/authors?q=${plainWords(q)}&rows=20`,
  complete: (beginning: string) =>
    `/solr/${PEER}/works?defType=lucene&q=${encodeURIComponent(`title:${beginning}^2 OR title:${beginning}*`)}&rows=5&fl=key,title,subtitle,cover_i,first_publish_year,author_name,edition_count`,
  /** `key`: subject key without its folder. */
  subject: (key: string) =>
    `/solr/${PEER}/works?defType=lucene&q=${encodeURIComponent(`subject_key:"${key}"`)}&rows=12&sort=edition_count%20desc&${RETURNED}&facet=true&facet.mincount=1&facet.limit=25&${SUBJECT_FACETS}`,
};
