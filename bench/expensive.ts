// The most expensive requests of every door over large records: `npm run bench -- expensive [--works 6000] [--only REGEXP]`.
// Prints status, time and bytes of each, and how long another client's search waits while three of it run.
import { mkdtemp, rm } from "node:fs/promises";
import os from "node:os";
import path from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { sendLines } from "../scripts/lib/load-client.ts";
import { knownToken } from "../scripts/lib/local-state.ts";
import { ServiceProcess } from "../scripts/lib/service-process.ts";
import { catalogLines, dumpLine } from "./lib/catalog.ts";
import { fetchJson, settle } from "./lib/client.ts";
import { login } from "./lib/patrons.ts";

const READY_SECONDS = 120;
/** Largest time and size of a response, and longest wait of another client. */
const ALLOWED = { ms: 2000, bytes: 8 * 1024 * 1024, waitMs: 1000 };
const LARGE_WORKS = 60;
const FIRST_LARGE = 9000;
/** Requests of one kind at once, and pause between searches of the other client in milliseconds. */
const AT_ONCE = 3;
const LOOK_EVERY_MS = 25;
/** Documents of one change that together nearly fill the body of `save_many`. */
const SAVED = { documents: 8, characters: 880_000 };
/** Addresses that browsers open. */
const PAGES = /\/(?:search|OL\d+[WMAL]|edit|recentchanges|fiction|embed)(?:\?|$)/;
const LIST = "/people/openlibrary/lists/OL9000L";

type Listener = "main site" | "record store" | "search engine";

/** Requests as listener, method, path, and body. */
type Request = readonly [Listener, "GET" | "POST", string, string?];

const RUN = "a-".repeat(240) + "a";
const QUERIES = [
  RUN,
  "a ".repeat(240),
  `"${"a ".repeat(240)}"`,
  "a)".repeat(240),
  `subject:${RUN}`,
  `"${"ab a ".repeat(120)}"`,
  `"a a" ${"ab-a-".repeat(30)}b`,
  "a*",
  "a* b* c* d*",
  "*:*",
  "*a*",
  "title:*e*",
  "first_publish_year:[* TO *]",
  "subject:[a TO z]",
  Array.from({ length: 256 }, (_, index) => `w${index}`).join(" OR "),
  Array.from({ length: 32 }, (_, index) => `b${index}*`).join(" OR "),
  "a b c d e f g h i j k l m n o p",
  '"a b" "b c" "c a" "a a a" "b b b"',
  "notatitle ".repeat(40),
];

// oxlint-disable-next-line max-lines-per-function -- a table
function requests(): Request[] {
  const encoded = QUERIES.map(encodeURIComponent);
  const cql = encodeURIComponent(`dc.title adj "${"a ".repeat(240)}"`);
  const reconciled = encodeURIComponent(JSON.stringify({ q0: { query: "a ".repeat(240) } }));
  const large = `OL${FIRST_LARGE}W`;
  return [
    ...encoded.flatMap((q): Request[] => [
      ["main site", "GET", `/search.json?q=${q}`],
      ["main site", "GET", `/search?q=${q}`],
      ["search engine", "GET", `/solr/openlibrary/select?q=${q}&rows=100`],
    ]),
    ...encoded.slice(0, 6).flatMap((q): Request[] => [
      ["main site", "GET", `/search/authors.json?q=${q}`],
      ["main site", "GET", `/search/subjects.json?q=${q}`],
      ["main site", "GET", `/search/lists.json?q=${q}`],
      ["main site", "GET", `/search/inside.json?q=${q}`],
      ["main site", "GET", `/search/facets.json?q=${q}`],
      ["main site", "GET", `/works/_autocomplete?q=${q}`],
      ["main site", "GET", `/opds/books?q=${q}`],
      ["main site", "GET", `/search.json?title=${q}&subject=a`],
      ["main site", "GET", `/search.json?q=river&fields=*&limit=1000&subject_facet=${q}`],
      ["search engine", "GET", `/solr/openlibrary/select?q=river&fq=${q}&fq=title:(${q})&rows=100`],
    ]),
    ["main site", "GET", `/sru?operation=searchRetrieve&version=1.2&query=${cql}`],
    ["main site", "GET", `/reconcile?queries=${reconciled}`],
    ...["marc21", "oai_dc", "marcxml"].flatMap((format): Request[] => [
      ["main site", "GET", `/oai?verb=ListRecords&metadataPrefix=${format}`],
    ]),
    ...["bib", "ris", "csljson", "jsonld", "mrc", "marcxml", "mods", "dc", "bibframe", "atom"].map(
      (format): Request => ["main site", "GET", `/search.${format}?q=large&limit=1000`],
    ),
    ...["marcxml", "html", "json", "yaml", "bibtex", "mods"].map((format): Request => [
      "main site",
      "GET",
      `${LIST}/export?format=${format}`,
    ]),
    ["main site", "GET", "/search.json?q=large&fields=*&limit=1000"],
    ["main site", "GET", "/search.json?q=large&fields=*,editions&limit=1000"],
    ["main site", "GET", `/works/${large}.json`],
    ["main site", "GET", `/works/${large}`],
    ["main site", "GET", `/works/${large}?m=history&limit=1000`],
    ["main site", "GET", `/works/${large}?m=diff&a=1&b=1`],
    ["main site", "GET", `/works/${large}/editions.json?limit=1000`],
    ["main site", "GET", `/works/${large}/edit`],
    ["main site", "GET", `/books/OL${FIRST_LARGE}M.marcxml`],
    ["main site", "GET", `/books/OL${FIRST_LARGE}M.rdf`],
    ["main site", "GET", `/books/OL${FIRST_LARGE}M`],
    ["main site", "GET", `/authors/OL${FIRST_LARGE}A/works.json?limit=1000`],
    ["main site", "GET", `/authors/OL${FIRST_LARGE}A`],
    ["main site", "GET", "/query.json?type=/type/work&*=&limit=1000"],
    ["main site", "GET", "/query.json?type=/type/work&title~=*a*&*=&limit=1000&offset=9000"],
    ["main site", "GET", "/api/books?bibkeys=" + editionKeys() + "&jscmd=data&format=json"],
    ["main site", "GET", "/api/books?bibkeys=" + editionKeys() + "&jscmd=details&format=json"],
    [
      "main site",
      "GET",
      "/api/volumes/full/json/" + editionKeys().replaceAll(",", "|").replaceAll("OL", "olid:OL"),
    ],
    ["main site", "GET", "/api/get_many?keys=" + encodeURIComponent(JSON.stringify(workKeys()))],
    ["main site", "GET", "/changes.json?since=0&limit=1000"],
    ["main site", "GET", "/recentchanges.json?limit=1000"],
    ["main site", "GET", "/recentchanges?limit=1000"],
    ["main site", "GET", "/subjects/a.json?limit=1000&details=true"],
    ["main site", "GET", "/subjects/fiction?details=true"],
    ["main site", "GET", "/publishers/river_press.json?details=true&limit=1000"],
    ["main site", "GET", `${LIST}/seeds.json`],
    ["main site", "GET", `${LIST}/editions.json?limit=1000`],
    ["main site", "GET", `${LIST}/subjects.json?limit=1000`],
    ["main site", "GET", `${LIST}/feeds/updates.atom`],
    ["main site", "GET", `${LIST}/embed`],
    ["main site", "GET", LIST],
    ["main site", "GET", "/opds/books?q=large"],
    ["record store", "GET", `/openlibrary.org/log/2026-01-01:0?limit=20`],
    ["record store", "GET", `/openlibrary.org/log/${today()}:0?limit=20`],
    [
      "record store",
      "GET",
      `/openlibrary.org/things?query=${encodeURIComponent('{"type":"/type/work","limit":1000}')}&details=true`,
    ],
    ["record store", "GET", `/openlibrary.org/versions?query=${encodeURIComponent('{"limit":1000}')}`],
    [
      "record store",
      "GET",
      `/openlibrary.org/get_many?keys=${encodeURIComponent(JSON.stringify(workKeys()))}`,
    ],
    ["search engine", "GET", "/solr/openlibrary/select?q=*:*&rows=10000&fl=*"],
    ["search engine", "GET", "/solr/openlibrary/select?q=*:*&rows=10000&fl=*&sort=key+asc&cursorMark=*"],
    ["search engine", "GET", "/solr/openlibrary/export?q=*:*&fl=key,subject&sort=key+asc"],
    ["search engine", "GET", "/solr/openlibrary/terms?terms.fl=subject&terms.limit=100000"],
  ];
}

const workNumbers = Array.from({ length: LARGE_WORKS }, (_, index) => FIRST_LARGE + index);
const workKeys = () => workNumbers.map((n) => `/works/OL${n}W`);
const editionKeys = () => workNumbers.map((n) => `OL${n}M`).join(",");
const today = () => new Date().toISOString().slice(0, 10);

/** Yields works, editions and an author as large as the edit forms accept, and a list of them. */
function* largeLines() {
  const letters = "abcdefghij";
  yield dumpLine("author", `/authors/OL${FIRST_LARGE}A`, { name: "A a a", bio: "&".repeat(480_000) });
  for (const n of workNumbers) {
    const variant = n % 3;
    const one = letters[n % letters.length];
    const text = variant === 0 ? "a " : `${one} a `;
    const subjects = Array.from({ length: 1000 }, (_, index) => `${text.repeat(120)}${index}`);
    yield dumpLine("work", `/works/OL${n}W`, {
      title: `A a large ${n}`,
      authors: [{ type: { key: "/type/author_role" }, author: { key: `/authors/OL${FIRST_LARGE}A` } }],
      ...(variant === 2 ? { description: "&".repeat(480_000), notes: "a ".repeat(200_000) } : { subjects }),
    });
    yield dumpLine("edition", `/books/OL${n}M`, {
      title: `A a large ${n}`,
      works: [{ key: `/works/OL${n}W` }],
      publishers: ["A"],
      ...(variant === 0
        ? { notes: "&".repeat(480_000), description: "&".repeat(480_000) }
        : { subjects, languages: [{ key: "/languages/eng" }] }),
    });
  }
  yield dumpLine("list", LIST, {
    name: "Large",
    seeds: [
      ...workNumbers.map((n) => ({ key: `/works/OL${n}W` })),
      ...workNumbers.map((n) => ({ key: `/books/OL${n}M` })),
    ],
  });
}

export async function benchExpensive({ works, only }: { works: number; only: RegExp }) {
  const folder = await mkdtemp(path.join(os.tmpdir(), "carrel-expensive-"));
  const service = ServiceProcess.start(["--state", folder], { RATE_LIMIT_PER_MINUTE: "60000000" });
  try {
    const url = await service.ready(READY_SECONDS);
    const token = (await knownToken(folder)) ?? "";
    await sendLines(catalogLines(works), { url, token, fetch });
    await sendLines(largeLines(), { url, token, fetch });
    await saveLargeChange(url);
    await settle(url);
    let isWithin = true;
    for (const [listener, method, target, body] of requests().filter(([, , one]) => only.test(one))) {
      const address = service.url(listener) + target;
      const first = await measure(address, method, body);
      const waitMs = first.ms > 100 ? await othersWait(url, () => measure(address, method, body)) : 0;
      const isOver =
        first.ms > ALLOWED.ms ||
        first.bytes > ALLOWED.bytes ||
        waitMs > ALLOWED.waitMs ||
        first.status >= 500;
      if (isOver) isWithin = false;
      const name = `${listener} ${target.slice(0, 90)}`;
      console.log(
        `${isOver ? "OVER" : "    "} ${first.status} ${first.ms.toFixed(0).padStart(6)} ms ${String(first.bytes).padStart(9)} B  others wait ${waitMs.toFixed(0).padStart(5)} ms  ${name}`,
      );
    }
    if (!isWithin) process.exitCode = 1;
  } finally {
    service.kill();
    await rm(folder, { recursive: true, force: true });
  }
}

async function saveLargeChange(url: string) {
  const records = Array.from({ length: SAVED.documents }, (_, index) => ({
    key: `/works/OL${FIRST_LARGE + 500 + index}W`,
    type: { key: "/type/work" },
    title: `Saved ${index}`,
    description: "b c ".repeat(SAVED.characters / 4),
  }));
  const Cookie = await login(url, "openlibrary");
  const headers = { "Content-Type": "application/json", Cookie };
  await fetchJson(`${url}/api/save_many`, { method: "POST", headers, body: JSON.stringify(records) });
}

async function measure(address: string, method: string, body?: string) {
  const started = performance.now();
  const headers = { Accept: PAGES.test(address) ? "text/html" : "*/*" };
  const response = await fetch(address, { method, headers, ...(body !== undefined && { body }) });
  let bytes = 0;
  for await (const part of response.body ?? []) bytes += part.length;
  return { status: response.status, ms: performance.now() - started, bytes };
}

/** Returns the longest time that an ordinary search takes while some requests run. */
async function othersWait(url: string, expensive: () => Promise<unknown>) {
  const running = Promise.all(Array.from({ length: AT_ONCE }, expensive));
  for (let longest = 0; ;) {
    const { ms } = await measure(`${url}/search.json?q=river+${Math.random()}&limit=5`, "GET");
    longest = Math.max(longest, ms);
    if (await Promise.race([running.then(() => true), sleep(LOOK_EVERY_MS, false)])) return longest;
  }
}
