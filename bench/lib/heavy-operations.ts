// Operations that need most memory of an isolate: the largest ones of each feature, and the largest bodies, at once.
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import os from "node:os";
import path from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { begin, filesOf, published } from "../../scripts/lib/dump-client.ts";
import { follow, upload } from "../../scripts/lib/import-batch.ts";
import { measure } from "../../scripts/lib/import-files.ts";
import { rebuildIndex } from "../../scripts/lib/index-client.ts";
import { sendLines } from "../../scripts/lib/load-client.ts";
import type { Target } from "../../scripts/lib/service.ts";
import { jpegImage, joined } from "../../test/support/covers/real-images.ts";
import { catalogLines, catalogSize, dumpLine, isbn13 } from "./catalog.ts";
import { type Json, fetchJson, settle } from "./client.ts";
import { marcRecord } from "./marc-records.ts";
import { login } from "./patrons.ts";

export interface HeavySizes {
  readonly works: number;
  readonly marcRecords: number;
  /** Rows of an imported reading log, which is exported again. At most as many as works. */
  readonly rows: number;
  readonly authorWorks: number;
  readonly seeds: number;
  /** Large bodies that are sent to a route at once. */
  readonly bodies: number;
}

/** 80,000 lines of a dump, and a MARC file of 50 MB. */
export const WHOLE: HeavySizes = {
  works: 28_240,
  marcRecords: 36_000,
  rows: 5000,
  authorWorks: 3000,
  seeds: 10_000,
  bodies: 14,
};

interface HeavyService {
  readonly target: Target;
  readonly coverStore: string;
  /** Cookie of an administrator. */
  readonly cookie: string;
  readonly sizes: HeavySizes;
}

export async function heavyService(
  target: Target,
  coverStore: string,
  sizes: HeavySizes,
): Promise<HeavyService> {
  return { target, coverStore, sizes, cookie: await login(target.url, "openlibrary") };
}

/** Token of the service for writers of covers. */
export const COVERS_SECRET = "secret-of-the-writers-of-covers";
/** Numbers of records above those of the catalog. */
const ABOVE = 900_000;
/** Sides of a photograph of 40 megapixels, and bytes of its file. */
const PHOTOGRAPH = { width: 8000, height: 5000, bytes: 9_500_000 };
const LOOK_EVERY_MS = 250;
/** Bytes of the large bodies: nearly as many as their route takes. */
const BODIES = { feed: 12_000_000, saved: 7_200_000, text: 10_000_000, log: 15_000_000 };

/** 413: the file was read, and the response would be too large. */
const PROCESSED_OR_REFUSED = new Set([200, 413, 503]);

/** Operations in order. Each throws unless its outcome is right, and waits for all that follows from it. */
export const HEAVY: readonly (readonly [name: string, run: (service: HeavyService) => Promise<void>])[] = [
  ["load", load],
  ["rebuild", ({ target }) => rebuildIndex(target, { start: true }, { quiet: true })],
  ["dump", dump],
  ["MARC file", importMarc],
  ["photograph", uploadPhotograph],
  ["reading log", importReadingLog],
  ["export", exportBooks],
  ["merge", mergeAuthors],
  ["list", createList],
  ["bodies", sendBodies],
  ["harvest", harvest],
];

async function load({ target, sizes }: HeavyService) {
  const { created } = await sendLines(catalogLines(sizes.works), target);
  expectEqual(created, catalogSize(sizes.works));
}

async function dump({ target }: HeavyService) {
  const { dump: begun } = await begin(target, { kind: "full" });
  await published(begun, target, () => undefined);
  const files = await filesOf(begun, target);
  expectEqual(
    files.some(({ name }) => name.endsWith(".parquet")),
    true,
  );
}

async function importMarc({ target, sizes }: HeavyService) {
  const folder = await mkdtemp(path.join(os.tmpdir(), "carrel-heavy-"));
  try {
    const file = path.join(folder, "heavy.mrc");
    await writeFile(file, Buffer.concat(Array.from({ length: sizes.marcRecords }, (_, n) => marcRecord(n))));
    const { size, digest, format = "" } = await measure(file);
    const name = `heavy-${Date.now()}`;
    const { batch } = await upload({ file, name, format, size, digest }, target, () => undefined);
    const { counts } = await follow(batch.id, target, { onProgress: () => undefined, staleSeconds: 300 });
    expectEqual(counts, { created: sizes.marcRecords });
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

async function uploadPhotograph({ coverStore }: HeavyService) {
  const { width, height, bytes } = PHOTOGRAPH;
  const image = jpegImage(width, height, { components: 3 });
  const body = new FormData();
  body.set("data", new Blob([joined(image, new Uint8Array(bytes - image.length))]), "photograph.jpg");
  body.set("olid", "OL1M");
  const headers = { Authorization: `Bearer ${COVERS_SECRET}` };
  const { ok } = await fetchJson(`${coverStore}/b/upload2`, { method: "POST", headers, body });
  expectEqual(ok, "true");
}

async function importReadingLog(service: HeavyService) {
  const { rows } = service.sizes;
  const lines = Array.from({ length: rows }, (_, n) =>
    [
      n,
      `A book ${n}`,
      `A. Writer ${n}`,
      isbn13(2 * n + 1),
      n % 6,
      "2024/03/07",
      "read",
      "A note. ".repeat(40),
    ].join(),
  );
  const csv = ["Book Id,Title,Author,ISBN13,My Rating,Date Read,Exclusive Shelf,My Review", ...lines].join(
    "\n",
  );
  const body = new FormData();
  body.set("csv", new Blob([csv], { type: "text/csv" }), "books.csv");
  await ask(service, "/account/import.json", { method: "POST", body });
  const { imported } = await until(
    () => ask(service, "/account/import.json"),
    ({ status }) => status !== "running",
  );
  expectEqual(imported, rows);
}

async function exportBooks(service: HeavyService) {
  for (const type of ["reading_log", "library"]) {
    const rows = await ask(service, `/account/export.json?type=${type}`);
    expectEqual(rows.length, service.sizes.rows);
  }
}

async function mergeAuthors(service: HeavyService) {
  const [master, duplicate] = [`/authors/OL${ABOVE}A`, `/authors/OL${ABOVE + 1}A`];
  const { authorWorks } = service.sizes;
  const works = Array.from({ length: authorWorks }, (_, n) =>
    dumpLine("work", `/works/OL${ABOVE + n}W`, {
      title: `Merged ${n}`,
      authors: [{ type: { key: "/type/author_role" }, author: { key: duplicate } }],
    }),
  );
  const authors = [master, duplicate].map((key) => dumpLine("author", key, { name: "Same Writer" }));
  await sendLines([...authors, ...works], service.target);
  await send(service, "/authors/merge.json", { master, duplicates: [duplicate] });
  await until(
    () => ask(service, `${master}/works.json?limit=0&n=${Math.random()}`),
    ({ size }) => size === authorWorks,
  );
}

async function createList(service: HeavyService) {
  const { seeds: count, works } = service.sizes;
  const seeds = Array.from({ length: count }, (_, n) => ({
    key: n % 2 === 0 ? `/works/OL${1 + ((n / 2) % works)}W` : `/books/OL${n}M`,
  }));
  const unique = [...new Map(seeds.map((seed) => [seed.key, seed])).values()];
  const { key } = await send(service, "/people/openlibrary/lists.json", { name: "Heavy", seeds: unique });
  for (const part of [
    ".json",
    "/seeds.json",
    "/editions.json?limit=1000",
    "/subjects.json",
    "/export?format=json",
  ]) {
    await ask(service, key + part);
  }
}

/** Sends more of the largest bodies than an isolate has room for. Some are processed, the others may be refused. */
async function sendBodies({ target, cookie, sizes }: HeavyService) {
  for (const [address, init] of largestBodies(target.token, cookie)) {
    const requests = Array.from({ length: sizes.bodies }, async () => {
      const response = await fetch(target.url + address, { method: "POST", ...init });
      await response.arrayBuffer();
      return response.status;
    });
    const statuses = await Promise.all(requests);
    const isWrong = statuses.some((status) => !PROCESSED_OR_REFUSED.has(status));
    if (isWrong) throw new Error(`${address}: ${statuses.join(" ")}`);
    await settle(target.url);
  }
}

function largestBodies(
  token: string,
  cookie: string,
): readonly (readonly [address: string, init: RequestInit])[] {
  const operator = { Authorization: `Bearer ${token}` };
  const json = { "Content-Type": "application/json" };
  const documents = Array.from({ length: 8 }, (_, n) => ({
    key: `/works/OL${ABOVE + 50_000 + n}W`,
    type: { key: "/type/work" },
    title: `Heavy ${n}`,
    description: textOf(BODIES.saved / 8),
  }));
  const lines = documents
    .map(({ key, type: _type, ...members }) => dumpLine("work", key, members))
    .join("\n");
  const feed = JSON.stringify({ since: 0, changes: [], x: textOf(BODIES.feed) });
  const pages = Array.from({ length: 900 }, () => textOf(BODIES.text / 900)).join("\f");
  const book = {
    title: "Heavy",
    authors: [{ name: "A. Writer" }],
    publishers: ["Press"],
    publish_date: "2001",
  };
  const records = Array.from({ length: 900 }, (_, n) =>
    JSON.stringify({ ...book, source_records: [`heavy:${n}`], description: textOf(BODIES.text / 1000) }),
  );
  const batch = new FormData();
  batch.set("batchImportFile", new Blob([records.join("\n")]), "records.jsonl");
  const log = new FormData();
  const rows = Array.from(
    { length: 1500 },
    (_, n) => `Book ${n},A. Writer,${isbn13(2 * n + 1)},${textOf(BODIES.log / 1600)}`,
  );
  log.set("csv", new Blob([["Title,Author,ISBN13,Further", ...rows].join("\n")]), "books.csv");
  return [
    ["/system/changes", { headers: { ...operator, ...json }, body: feed }],
    ["/api/save_many", { headers: { Cookie: cookie, ...json }, body: JSON.stringify(documents) }],
    ["/system/load", { headers: { ...operator, "Content-Type": "text/tab-separated-values" }, body: lines }],
    ["/system/text/heavy", { headers: { ...operator, "Content-Type": "text/plain" }, body: pages }],
    ["/import/batch/new.json", { headers: { Cookie: cookie }, body: batch }],
    ["/account/import/goodreads", { headers: { Cookie: cookie }, body: log }],
  ];
}

/** Returns text of so many bytes, not all of it ASCII. */
function textOf(bytes: number) {
  return "a long text é ".repeat(bytes / 15);
}

/** Harvests all records. Those of the load appear a minute after it. */
async function harvest({ target, sizes }: HeavyService) {
  await until(
    () => harvestRecords(target.url),
    (records) => records >= sizes.works,
  );
}

async function harvestRecords(url: string) {
  let records = 0;
  for (let next = "metadataPrefix=marc21"; next !== "";) {
    const text = await (await fetch(`${url}/oai?verb=ListRecords&${next}`)).text();
    records += text.split("<header").length - 1;
    const [, token = ""] = /<resumptionToken[^>/]*>([^<]+)/.exec(text) ?? [];
    next = token === "" ? "" : `resumptionToken=${token}`;
  }
  return records;
}

function ask({ target, cookie }: HeavyService, address: string, options?: RequestInit): Promise<Json> {
  return fetchJson(target.url + address, { ...options, headers: { Cookie: cookie, ...options?.headers } });
}

function send(service: HeavyService, address: string, json: object): Promise<Json> {
  const headers = { "Content-Type": "application/json" };
  return ask(service, address, { method: "POST", headers, body: JSON.stringify(json) });
}

async function until<Answer>(look: () => Promise<Answer>, isDone: (answer: Answer) => boolean) {
  for (;;) {
    const answer = await look();
    if (isDone(answer)) return answer;
    await sleep(LOOK_EVERY_MS);
  }
}

function expectEqual(actual: unknown, expected: unknown) {
  const texts = [actual, expected].map((value) => JSON.stringify(value));
  if (texts[0] !== texts[1]) throw new Error(`${texts[0]} instead of ${texts[1]}`);
}
