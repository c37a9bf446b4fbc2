import { env, exports } from "cloudflare:workers";
import { beforeAll, describe, expect, it, vi } from "vitest";
import { type AnyOperation, type Route, loadRoutes } from "../../../src/worker/http/operation.ts";
import { concretePath } from "../../../src/worker/http/paths.ts";
import { ROUTES } from "../../../src/worker/routes.ts";
import { newAddress } from "../../support/worker/accounts.ts";
import { indexAll } from "../../support/worker/indexing.ts";
import { loggedIn } from "../../support/worker/logged-in.ts";
import { countReadBytes } from "../../support/worker/read-bytes.ts";
import { author, edition, editionKey, work, workKey } from "../../support/worker/records.ts";
import { type TestRecord, testService } from "../../support/worker/service.ts";

// Every GET route, asked for as much as it gives, over records that are as large, as many and as entangled as they can be.

const MIB = 1024 * 1024;
/** 10 MiB is the limit of an answer that is not a stream (docs/limits.md). */
const ANSWER_BYTES = 10 * MIB;
/** Most that a request may read from all databases: three times documents of 8 MiB, and one that begins within. */
const READ_BYTES = 25 * MIB;

const read = countReadBytes();
const service = testService({
  CATALOG: read.of(env.CATALOG),
  SEARCH: read.of(env.SEARCH),
  PATRONS: read.of(env.PATRONS),
  RATE_LIMIT_PER_MINUTE: "0",
});
const loading = testService();
const LIST = "/people/hostile/lists/OL1L";
const COUNT = 22;
const numbers = Array.from({ length: COUNT }, (_, index) => index + 1);
/** 400 kB. */
const SUBJECTS = Array.from({ length: 40 }, (_, index) => `${index} ${"large subject ".repeat(700)}`);
const LONG_TEXT = "large text ".repeat(30_000);
const headers: Record<string, Record<string, string>> = { public: {} };

beforeAll(async () => {
  const admin = await loggedIn(service, "hostile", { groups: ["admin", "librarians", "super-librarians"] });
  headers["operator"] = { Authorization: `Bearer ${env.LOAD_TOKEN}` };
  headers["session"] = admin.headers;
  await loaded(
    author(1, {
      name: "Large Author",
      bio: LONG_TEXT,
      links: numbers.map(() => ({ title: "large", url: LIST })),
    }),
    {
      key: LIST,
      type: "/type/list",
      name: "Large list",
      description: LONG_TEXT,
      seeds: [
        ...numbers.map((number) => ({ key: workKey(number) })),
        ...SUBJECTS.map((one) => `subject:${one}`),
      ],
      self: Array.from({ length: 60 }, () => ({ key: LIST })),
    },
  );
  for (const number of numbers) {
    const subjects = SUBJECTS.map((subject) => `${number} ${subject}`);
    await loaded(
      work(number, { title: "Large", authors: [1], subjects, description: "large" }),
      edition(number, {
        title: "Large",
        work: 1,
        isbn_13: ["9780141439518"],
        ocaid: `large${number}`,
        identifiers: { goodreads: numbers.map(String) },
        table_of_contents: SUBJECTS.map((title) => ({ type: { key: "/type/toc_item" }, title })),
      }),
    );
  }
  await indexAll();
  // Loading 20 MB takes a multiple of its usual seconds on a busy machine.
}, 180_000);

async function loaded(...records: TestRecord[]): Promise<void> {
  expect(await loading.loadUnindexed(...records)).toMatchObject({ rejected: [] });
}

const editions = numbers.map(editionKey);
const works = numbers.map(workKey);
const olids = editions.map((key) => key.slice("/books/".length)).join(",");

/** Values of query parameters that ask for the most. */
const QUERY: Readonly<Record<string, string>> = {
  limit: "1000",
  details: "true",
  fields: "*,editions",
  q: "large",
  prefix: "lar",
  text: "true",
  bibkeys: olids.replaceAll("OL", "OLID:OL"),
  jscmd: "data",
  keys: JSON.stringify([LIST, ...works, ...editions]),
  ids: olids,
  type: "openlibrary_edition",
  records: numbers.map((number) => `OL${number}W`).join(","),
  primary: "OL1W",
  show_all_items: "true",
  seeds: works.join(","),
  api: "next",
  facets: "true",
  minimum: "0",
};

/** Queries of routes that understand more than a table of values can say. */
const QUERIES: Readonly<Record<string, readonly string[]>> = {
  "/query.json": [
    "?type=/type/edition&*=&limit=1000",
    `?query=${encodeURIComponent(JSON.stringify({ key: LIST, self: { self: { self: { self: { "*": null } } } } }))}`,
    `?query=${encodeURIComponent(JSON.stringify({ type: "/type/edition", works: { "*": null }, limit: 1000 }))}`,
  ],
  "/api/things": [
    `?details=true&query=${encodeURIComponent(JSON.stringify({ type: "/type/work", limit: 1000, "*": null }))}`,
    `?details=true&query=${encodeURIComponent(JSON.stringify({ type: "/type/list", self: { "*": null } }))}`,
  ],
  "/oai": ["marc21", "oai_dc", "mods"].map((prefix) => `?verb=ListRecords&metadataPrefix=${prefix}`),
  "/sru": ["marcxml", "mods", "dc"].map(
    (schema) => `?operation=searchRetrieve&query=large&maximumRecords=1000&recordSchema=${schema}`,
  ),
  "/reconcile": [
    `?queries=${encodeURIComponent(JSON.stringify(Object.fromEntries(numbers.map((n) => [`q${n}`, { query: "large", limit: 100 }]))))}`,
    `?extend=${encodeURIComponent(JSON.stringify({ ids: works.map((key) => key.slice(7)), properties: ["subjects", "description", "editions"].map((id) => ({ id })) }))}`,
  ],
  "/unapi": ["mods", "marcxml", "bibtex"].map((format) => `?id=${editionKey(1)}&format=${format}`),
  "/api/books": ["data", "details", "viewapi"].map(
    (jscmd) => `?bibkeys=${QUERY["bibkeys"]}&jscmd=${jscmd}&format=json`,
  ),
};

/** Values of path parameters that name the hostile records. */
function pathOf(path: string): string {
  const values: Readonly<Record<string, string>> = {
    username: "hostile",
    author_id: "1",
    work_id: "1",
    edition_id: "1",
    list_id: path.includes("XX{list_id}") ? "1" : "OL1L",
    olid: path.startsWith("/books/") ? "OL1M" : "OL1L",
    ocaid: "large1",
    brief_or_full: "full",
    idtype: "isbn",
    idval: "9780141439518",
    req: numbers.map((number) => `olid:OL${number}M`).join("|"),
    rest: "works/OL1W",
    year: "2026",
    shelf: "want-to-read",
  };
  return concretePath(path, "OL").replace(
    /\{(\w+)(?::((?:[^{}]|\{[^{}]*\})+))?\}/g,
    (_all, name: string, choice = "") => {
      if (name === "format" || name === "kind") return /^\w+/.exec(choice)?.[0] ?? "json";
      if (name === "key" || name === "value")
        return path.startsWith("/subjects") ? "large_subject" : "works/OL1W";
      return values[name] ?? "1";
    },
  );
}

function addressesOf(path: string, operation: AnyOperation): string[] {
  const own = new URLSearchParams(
    Object.keys(operation.query ?? {}).flatMap((name) =>
      QUERY[name] === undefined ? [] : [[name, QUERY[name]]],
    ),
  );
  const queries = QUERIES[path.replace(/\.json$/, "")] ?? QUERIES[path] ?? [];
  return [`?${own}`, ...queries].map((query) => pathOf(path) + query);
}

/** Answers that are streams: their bytes are counted while they are written, and none is held. */
const STREAMS = new Set(["/changes/stream"]);

/** Each operation once as data and once as a page: its other addresses do the same. */
const routes = [
  ...new Map(
    (await loadRoutes(ROUTES.filter(({ method, path }) => method === "GET" && !STREAMS.has(path)))).map(
      (route) => [`${route.operation.id} ${route.path.includes(".json")}`, route],
    ),
  ).values(),
];

/** Returns the caller of a route: the lowest of the three that may. */
function callerOf({ access }: Pick<Route, "access">): string {
  if (access === "operator" || access === "cover-writer") return "operator";
  return access === "public" ? "public" : "session";
}

vi.setConfig({ testTimeout: 180_000 });

describe.each(["public", "session", "operator"])("GET as %s", (who) => {
  it("answers within 10 MiB, and reads within 25 MiB", async () => {
    const wrong: string[] = [];
    let largest = 0;
    const ask = (address: string): Promise<Response> => {
      const Accept = address.includes(".json") ? "*/*" : "text/html";
      return service.fetch(address, {
        headers: { ...headers[who], "CF-Connecting-IP": newAddress(), Accept },
      });
    };
    for (const { path, operation } of routes.filter((route) => callerOf(route) === who)) {
      for (const address of addressesOf(path, operation)) {
        read.count = 0;
        let response = await ask(address);
        // Some lists are shorter.
        if (response.status === 422) response = await ask(address.replace("limit=1000", "limit=100"));
        const { byteLength } = await response.arrayBuffer();
        largest = Math.max(largest, byteLength);
        if (response.status >= 500 && response.status !== 503) wrong.push(`${address}: ${response.status}`);
        if (byteLength > ANSWER_BYTES) wrong.push(`${address}: ${byteLength} bytes`);
        if (read.count > READ_BYTES) wrong.push(`${address}: read ${read.count}`);
      }
    }
    expect(wrong).toEqual([]);
    // Otherwise the records would prove nothing.
    if (who === "public") expect(largest).toBeGreaterThan(7 * MIB);
  });
});

describe("GET /solr/{core}/export", () => {
  it("sends all documents to operators, although a page of them exceeds a read", async () => {
    const response = await exports.SearchEngine.fetch(
      "http://search.test/solr/x/export?q=large&fq=type:work",
      { headers: { Authorization: `Bearer ${env.LOAD_TOKEN}` } },
    );
    const { response: found } = await response.json<{ response: { numFound: number; docs: unknown[] } }>();
    expect([found.numFound, found.docs.length]).toEqual([COUNT, COUNT]);
  });
});
