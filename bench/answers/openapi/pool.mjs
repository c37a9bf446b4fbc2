/** What the catalog of the service under test holds: real identifiers and documents, to be mixed into requests. */

import { HOSTILE_KEYS } from "../../lib/hostile-records.ts";

/** @typedef {{ byName: Record<string, string[]>, keys: string[], documents: Record<string, unknown>[] }} Pool */
/** @typedef {{ url: string, usernames: readonly string[] }} Source */

const PER_TYPE = 60;
/** Documents of each of the three main kinds. */
const DOCUMENTS = 15;
const TYPES = ["edition", "work", "author", "list", "series", "language", "publisher", "user", "usergroup"];

/** Types of the hostile records, by the last letter of their keys. @type {Record<string, string>} */
const HOSTILE_TYPES = { A: "author", W: "work", M: "edition", L: "list" };

/**
 * Reads identifiers of every kind by the service's own query interface.
 * @param {Source} source
 * @returns {Promise<Pool>}
 */
export async function poolOf({ url, usernames }) {
  /** @type {Record<string, string[]>} */
  const keys = {};
  for (const type of TYPES) {
    const found = await asked(`${url}/query.json?type=/type/${type}&limit=${PER_TYPE}`);
    keys[type] = found.map((/** @type {{ key: string }} */ { key }) => key);
  }
  for (const key of HOSTILE_KEYS) keys[HOSTILE_TYPES[key.at(-1) ?? ""] ?? ""]?.push(key);
  const of = (/** @type {string} */ type) => keys[type] ?? [];
  const scans = await asked(`${url}/query.json?type=/type/edition&limit=20&ocaid=&ocaid~=*`);
  const isbns = await asked(`${url}/query.json?type=/type/edition&limit=20&isbn_13=&isbn_13~=*`);
  /** @type {Record<string, unknown>[]} */
  const documents = [];
  const kinds = ["edition", "work", "author"];
  for (const key of kinds.flatMap((type) => of(type).slice(0, DOCUMENTS))) {
    // Requests store documents of one kind under keys of another, which are no records of theirs.
    const response = await fetch(`${url}${encodeURI(key)}.json`, { redirect: "manual" });
    if (response.ok) documents.push(/** @type {Record<string, unknown>} */ (await response.json()));
  }
  const lists = [...of("list"), ...of("series")].map(lastOf);
  const changes = await asked(`${url}/recentchanges.json?limit=20`);
  return {
    keys: Object.values(keys).flat(),
    documents,
    byName: {
      edition_id: of("edition").map(digitsOf),
      work_id: of("work").map(digitsOf),
      author_id: of("author").map(digitsOf),
      publisher_id: ["1", "2"],
      list_id: lists,
      olid: [...lists, ...of("edition").map(lastOf)],
      username: [...usernames],
      ocaid: scans.map((/** @type {{ ocaid: string }} */ { ocaid }) => ocaid),
      isbn: isbns.map((/** @type {{ isbn_13: string[] }} */ { isbn_13: [isbn = ""] }) => isbn),
      id: changes.map((/** @type {{ id: string }} */ { id }) => id),
      change: changes.map((/** @type {{ id: string }} */ { id }) => id),
      master: of("author"),
      duplicates: of("author"),
      keys: [...of("work"), ...of("edition")],
      seeds: [...of("work"), ...of("edition"), ...of("author"), "subject:fiction"],
      ...FIXED,
    },
  };
}

/** Values of parameters that mean the same on every service. @type {Record<string, string[]>} */
const FIXED = {
  year: ["2026", "2025", "1999", "0"],
  month: ["11", "01", "13", "1"],
  day: ["22", "01", "32", "1"],
  kind: ["add-book", "edit-book", "update", "lists", "bulk_update", "libraries", "subjects", "merge-authors"],
  kind_or_year: ["2026", "add-book", "update"],
  period: ["now", "daily", "weekly", "monthly", "yearly", "forever"],
  mode: ["now", "daily", "forever", "everything", "ebooks"],
  shelf: ["want-to-read", "currently-reading", "already-read", "stopped-reading", "loans", "lists"],
  slug: ["Pride_and_Prejudice", "a", "x-y"],
  name: ["1-M.jpg", "1-S.jpg", "1.jpg", "0.json", "2-L.jpg", "ol_dump_latest.txt.gz", "eng"],
  date: ["2026-11-22", "2026-11", "latest"],
  value: ["9780140328721", "0140328726", "OL101W", "eng", "12345", "fiction"],
  key: ["fiction", "place:london", "person:jane_austen", "time:19th_century", "want-to-read", "Penguin"],
  rest: ["2026/11/22", "add-book", "2026.json", "want-to-read", "people"],
  code: ["00", "abcdef0123456789"],
  file: ["a.epub", "a_djvu.txt"],
  idtype: ["oclc", "isbn", "olid", "lccn", "recordnumber"],
  idval: ["9780140328721", "OL101M", "12345"],
  req: ["isbn:9780140328721", "olid:OL101M|oclc:1", "id:x;lccn:1"],
  archive_host: ["archive.org", "127.0.0.1"],
  filename: ["athena.js", "x.js", "../x"],
  resource_id: ["starter-bleak-2003", "OL130M"],
  ip: ["198.51.100.7", "::1", "x"],
  place: ["starter-bleak-2003/meta.xml", "x/y/z.xml"],
  item: ["starter-bleak-2003", "x"],
  path: ["OL101M", "OL101W", "isbn/9780140328721"],
  check_in_id: ["1", "2", "3", "999999"],
};

/** @param {string} key */
function lastOf(key) {
  return key.split("/").at(-1) ?? "";
}

/** @param {string} key */
function digitsOf(key) {
  return /\d+/.exec(lastOf(key))?.[0] ?? "";
}

/** @param {string} address @returns {Promise<any>} */
async function asked(address) {
  const response = await fetch(address);
  if (!response.ok) throw new Error(`${address}: ${response.status}`);
  return response.json();
}
