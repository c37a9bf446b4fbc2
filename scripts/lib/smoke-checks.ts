// Checks of `node scripts/run.mjs smoke` against a service with the starter catalog. Each calls one URL and throws for an
// unexpected response.

import assert from "node:assert/strict";

/** Base URLs of the listeners. */
export type Urls = Record<"main" | "recordStore" | "search" | "covers", string>;
type Check = (urls: Urls) => Promise<void>;
type Members = Record<string, unknown>;

const ASSET = /<(?:link|script|img)\b[^>]*?\b(?:src|href)="(\/[^"/][^"]*)"/g;
/** Key of a work that no catalog has. */
const MISSING = "/works/OL999999999W";

export const CHECKS: Record<string, Check> = {
  "main site: /": async ({ main }) => {
    const { name, documentation } = await json(`${main}/`);
    assert.deepEqual([name, documentation], ["Carrel", `${main}/docs`]);
  },
  "main site: /health": async ({ main }) => assert.equal((await json(`${main}/health`))["status"], "ok"),
  "main site: /status": async ({ main }) => {
    const { software_version: version, changes } = await json(`${main}/status`);
    assert.match(String(version), /^\d+\.\d+\.\d+$/);
    assert.ok(Number(changes) > 0, "the starter catalog is in no change");
  },
  "main site: /openapi.json": async ({ main }) => {
    const { openapi, paths } = await json(`${main}/openapi.json`);
    assert.match(String(openapi), /^3\.1\./);
    assert.ok(Object.keys(Object(paths)).includes("/api/books.json"), "/api/books.json is not described");
  },
  "main site: /docs and what it loads": docs,
  "main site: /robots.txt": async ({ main }) =>
    assert.match(await text(`${main}/robots.txt`, "text/plain"), /^User-agent: \*\n/),
  "main site: /favicon.ico": async ({ main }) => {
    contentType(await get(await locationOf(`${main}/favicon.ico`, 301)), "image/");
  },
  "main site: a work as JSON": async ({ main }) => {
    const { key, title } = await someWork(main);
    const work = await json(`${main}${key}.json`);
    assert.deepEqual([work["key"], work["title"], work["type"]], [key, title, { key: "/type/work" }]);
  },
  "main site: a work as RDF": async ({ main }) => {
    const { key } = await someWork(main);
    const rdf = await text(`${main}${key}.rdf`, "application/rdf+xml");
    assert.match(rdf, new RegExp(`<rdf:RDF[^]*${key}[^]*</rdf:RDF>`));
  },
  "main site: a work as YAML": async ({ main }) => {
    const { key } = await someWork(main);
    assert.match(await text(`${main}${key}.yml`, "text/x-yaml"), new RegExp(`^key: ["']?${key}["']?$`, "m"));
  },
  "main site: a work that there is not": async ({ main }) =>
    assert.deepEqual(await json(`${main}${MISSING}.json`, 404), { error: "notfound", key: MISSING }),
  "main site: /query.json": async ({ main }) => {
    const authors = await rows(`${main}/query.json?type=/type/author&name=&limit=3`);
    assert.equal(authors.length, 3);
    for (const { key, name } of authors) {
      assert.match(String(key), /^\/authors\/OL\d+A$/);
      assert.ok(name, `${key} has no name`);
    }
  },
  "main site: /api/books.json by ISBN": async ({ main }) => {
    const { key, isbn } = await someEdition(main);
    const answer = await json(`${main}/api/books.json?bibkeys=ISBN:${isbn}&jscmd=data`);
    assert.equal(Object(answer[`ISBN:${isbn}`]).key, key);
  },
  "main site: /isbn/... leads to the edition": async ({ main }) => {
    const { key, isbn } = await someEdition(main);
    const edition = await json(await locationOf(`${main}/isbn/${isbn}.json`, 302));
    assert.equal(edition["key"], key);
  },
  "main site: /languages.json": async ({ main }) => {
    const [first = {}] = await rows(`${main}/languages.json`);
    assert.match(String(first["key"]), /^\/languages\/[a-z]{3}$/);
    assert.ok(Number(first["count"]) > 0, "the first language has no works");
  },
  "record store: /": async ({ recordStore }) =>
    assert.equal((await json(`${recordStore}/`))["infobase"], "welcome"),
  "record store: get": async ({ main, recordStore }) => {
    const { key, title } = await someWork(main);
    assert.equal((await json(`${recordStore}/openlibrary.org/get?key=${key}`))["title"], title);
  },
  "record store: things": async ({ main, recordStore }) => {
    const { key } = await someWork(main);
    const query = encodeURIComponent(JSON.stringify({ type: "/type/work", key }));
    const response = await get(`${recordStore}/openlibrary.org/things?query=${query}`);
    assert.deepEqual(await response.json(), [key]);
  },
  "search engine: /solr/admin/ping": async ({ search }) =>
    assert.equal((await json(`${search}/solr/admin/ping`))["status"], "OK"),
  "cover store: a cover that there is not": async ({ covers }) => {
    contentType(await get(`${covers}/b/id/999999999-M.jpg`), "image/");
    await get(`${covers}/b/id/999999999-M.jpg?default=false`, 404);
  },
};

/** Finds a work of the catalog by a query. */
export async function someWork(main: string) {
  const [work = {}] = await rows(`${main}/query.json?type=/type/work&title=&limit=1`);
  const { key, title } = work;
  assert.match(String(key), /^\/works\/OL\d+W$/, "the catalog has no work");
  assert.ok(title, `${key} has no title`);
  return { key: String(key), title: String(title) };
}

/** Finds an edition with an ISBN. */
async function someEdition(main: string) {
  const editions = await rows(`${main}/query.json?type=/type/edition&isbn_13=&limit=1000`);
  for (const { key, isbn_13: isbns } of editions) {
    if (Array.isArray(isbns)) return { key, isbn: String(isbns[0]) };
  }
  throw new Error("the catalog has no edition with an ISBN");
}

async function docs({ main }: Urls) {
  const page = await text(`${main}/docs`, "text/html");
  const files = [...page.matchAll(ASSET)].map(([, file]) => file);
  assert.ok(files.length >= 4, `the page loads only ${files}`);
  for (const file of files) {
    const { byteLength } = await (await get(`${main}${file}`)).arrayBuffer();
    assert.ok(byteLength > 0, `${file} is empty`);
  }
}

/** Fetches a URL without following redirects, and asserts the status. */
async function get(url: string, status = 200) {
  const response = await fetch(url, { redirect: "manual" });
  assert.equal(response.status, status, `${url} answers ${response.status}, not ${status}`);
  return response;
}

function contentType(response: Response, expected: string) {
  const type = response.headers.get("Content-Type") ?? "nothing";
  assert.ok(type.startsWith(expected), `${response.url} is ${type}, not ${expected}`);
  return response;
}

async function json(url: string, status?: number): Promise<Members> {
  const value = await contentType(await get(url, status), "application/json").json();
  assert.ok(typeof value === "object" && value !== null, `${url} answers no object`);
  return value as Members;
}

async function rows(url: string): Promise<Members[]> {
  const value = await contentType(await get(url), "application/json").json();
  assert.ok(Array.isArray(value), `${url} answers no array`);
  return value;
}

async function text(url: string, type: string) {
  return contentType(await get(url), type).text();
}

async function locationOf(url: string, status: number) {
  const location = (await get(url, status)).headers.get("Location");
  assert.ok(location, `${url} redirects to nothing`);
  return new URL(location, url).href;
}
