import { beforeAll, describe, expect, it } from "vitest";
import { JSON_BODY, newList, postSeeds } from "../../support/worker/list-writing.ts";
import { type LoggedIn, loggedIn } from "../../support/worker/logged-in.ts";
import { settleActivity, settleIndexQueue } from "../../support/worker/queues.ts";
import {
  author,
  authorKey,
  edition,
  editionKey,
  redirected,
  work,
  workKey,
} from "../../support/worker/records.ts";
import { testService } from "../../support/worker/service.ts";

const service = testService();
/** Numbers of targets, of records merged into them, and of records that had been merged into those. */
const [KEPT, MERGED, OLDER] = [1, 2, 3];

let ann: LoggedIn;
let annsList: string;

const send = (who: LoggedIn, path: string, body: unknown, method = "POST") =>
  who.fetch(path, { method, body: JSON.stringify(body), headers: JSON_BODY });
const form = (who: LoggedIn, path: string, fields: Record<string, string>) =>
  who.fetch(path, { method: "POST", body: new URLSearchParams(fields) });
const locationOf = async (path: string): Promise<unknown[]> => {
  const response = await service.fetch(path);
  return [response.status, response.headers.get("Location")];
};
interface Body {
  readonly docs: { key: string }[];
  readonly entries: { url: string }[];
  readonly records: Record<string, unknown>;
}
const textOf = async (path: string, init?: RequestInit) => (await service.fetch(path, init)).text();
const read = async (path: string) => (await service.json(path)) as Record<string, unknown> & Body;
const urlsOf = ({ entries }: Body) => entries.map(({ url }) => url);
const seedsOf = async (list: string) => (await read(`${list}.json?_raw=true`))["seeds"];

beforeAll(async () => {
  const chief = await loggedIn(service, "chief", { groups: ["super-librarians", "api"] });
  ann = await loggedIn(service, "ann");
  await service.load(
    author(KEPT, { name: "Ann Rivers", birth_date: "1901" }),
    author(MERGED, { name: "A. Rivers" }),
    work(KEPT, { title: "Rivers and Ink", authors: [KEPT], subjects: ["Water"] }),
    work(MERGED, { title: "Rivers & Ink", authors: [MERGED] }),
    work(9, { title: "Another" }),
    edition(KEPT, { title: "Rivers and Ink", work: KEPT, isbn_13: ["9780140328721"] }),
    edition(MERGED, { title: "Rivers & Ink", work: MERGED }),
    redirected(workKey(OLDER), workKey(MERGED)),
    redirected(authorKey(OLDER), authorKey(MERGED)),
    redirected(editionKey(OLDER), editionKey(MERGED)),
  );
  const thing = { key: workKey(MERGED) };
  annsList = await newList(ann, {
    name: "Rivers",
    seeds: [{ key: workKey(9) }, { thing, notes: "The blue one" }, { key: authorKey(MERGED) }],
  });
  await newList(ann, {
    name: "Both",
    seeds: [{ key: workKey(KEPT) }, { thing, notes: "Twice" }, { key: editionKey(MERGED) }],
  });
  await form(ann, `${workKey(MERGED)}/bookshelves.json`, { bookshelf_id: "1" });

  const merge = (folder: string, keyOf: (id: number) => string) =>
    send(chief, `${folder}/merge.json`, { master: keyOf(KEPT), duplicates: [keyOf(MERGED)] });
  expect((await merge("/authors", authorKey)).status).toBe(200);
  expect((await merge("/works", workKey)).status).toBe(200);
  const redirect = { key: editionKey(MERGED), type: { key: "/type/redirect" }, location: editionKey(KEPT) };
  expect((await send(chief, `${editionKey(MERGED)}.json`, redirect, "PUT")).status).toBe(200);
  await settleActivity();
  await settleIndexQueue();
});

describe("addresses of merged records", () => {
  it.each([
    ["/works/OL2W/editions.json?limit=5", "/works/OL1W/editions.json?limit=5"],
    ["/works/OL3W/editions.json", "/works/OL1W/editions.json"],
    ["/authors/OL3A/works.json", "/authors/OL1A/works.json"],
    ["/works/OL2W.bib", "/works/OL1W.bib"],
    ["/works/OL2W.rdf", "/works/OL1W.rdf"],
    ["/books/OL2M.rdf", "/books/OL1M.rdf"],
    ["/books/OL3M.mrc", "/books/OL1M.mrc"],
    ["/books/OL2M.marcxml", "/books/OL1M.marcxml"],
    ["/authors/OL2A.jsonld", "/authors/OL1A.jsonld"],
    ["/books/OL2M/cite.json?lang=de", "/books/OL1M/cite.json?lang=de"],
    ["/opds/books/OL2M.json", "/opds/books/OL1M.json"],
  ])("%s redirects to %s", async (path, location) => {
    expect(await locationOf(path)).toEqual([301, location]);
  });

  it("redirect for series", async () => {
    await service.load(
      { key: "/series/OL5L", type: "/type/series", name: "The Cycle" },
      redirected("/series/OL6L", "/series/OL5L"),
    );
    expect(await locationOf("/series/OL6L.json")).toEqual([301, "/series/OL5L.json"]);
    expect(await locationOf("/series/OL6L/seeds.json?limit=5")).toEqual([
      301,
      "/series/OL5L/seeds.json?limit=5",
    ]);
  });

  it("redirect for a format in the Accept header", async () => {
    const response = await service.fetch("/works/OL2W", { headers: { Accept: "application/x-bibtex" } });
    expect([response.status, response.headers.get("Location")]).toEqual([301, workKey(KEPT)]);
  });

  it("have no revisions of the target, and no target if they lead nowhere", async () => {
    await service.load(
      redirected("/works/OL70W", "/works/OL71W"),
      redirected("/works/OL71W", "/works/OL70W"),
    );
    expect((await service.fetch("/works/OL2W.json?v=9")).status).toBe(404);
    expect((await service.fetch("/works/OL70W/editions.json")).status).toBe(404);
    expect((await service.fetch("/works/OL999W/editions.json")).status).toBe(404);
  });
});

describe("searches by merged keys", () => {
  it.each([
    ["/search.json?q=key:/works/OL2W", "/works/OL1W"],
    ['/search.json?q=key:("/works/OL9W" OR "/works/OL3W")&sort=key', "/works/OL1W"],
    ["/search.json?q=edition_key:OL2M", "/works/OL1W"],
    ["/search.json?author_key=OL3A", "/works/OL1W"],
    ["/search/authors.json?q=key:OL2A", "OL1A"],
    ['/search/lists.json?q=seed:"/works/OL2W"&api=next', "/people/ann/lists/"],
  ])("%s finds %s", async (path, key) => {
    const { docs } = await read(encodeURI(path));
    expect(docs[0]?.key).toContain(key);
  });

  it("complete record numbers", async () => {
    expect(await read("/works/_autocomplete?q=OL3W")).toMatchObject([{ key: "/works/OL1W" }]);
    expect(await read("/authors/_autocomplete?q=OL2A")).toMatchObject([{ key: "/authors/OL1A" }]);
    expect(await textOf("/suggest/blurb/authors/OL2A")).toContain("1901");
  });

  it("find the target in SRU and reconciliation", async () => {
    expect(await textOf("/sru?query=rec.identifier=%22/works/OL2W%22&recordSchema=dc")).toContain(
      "Rivers and Ink",
    );
    const { result } = await read("/reconcile?query=OL2W");
    expect(result).toMatchObject([{ id: "OL1W", match: true }]);
    const extend = encodeURIComponent(JSON.stringify({ ids: ["OL3A"], properties: [{ id: "birth_date" }] }));
    expect(await textOf(`/reconcile?extend=${extend}`)).toContain("1901");
    expect(await textOf("/reconcile/preview/OL2M")).toContain("Rivers and Ink");
  });
});

describe("lookups by merged keys", () => {
  it("describe the target", async () => {
    expect((await read("/api/books?bibkeys=OLID:OL2M&format=json&jscmd=data"))["OLID:OL2M"]).toMatchObject({
      key: editionKey(KEPT),
    });
    expect(Object.keys((await read("/api/volumes/brief/olid/OL3M.json")).records)).toEqual([
      editionKey(KEPT),
    ]);
    expect(await read("/query.json?type=/type/edition&works=/works/OL3W")).toEqual([
      { key: editionKey(KEPT) },
    ]);
    expect(await read("/query.json?type=/type/work&authors.author=/authors/OL2A&key=")).toHaveLength(1);
    const record = await textOf("/oai?verb=GetRecord&metadataPrefix=oai_dc&identifier=oai:carrel.test:OL2W");
    expect(record).toContain("Rivers and Ink");
    expect(record).toContain("<identifier>oai:carrel.test:OL1W</identifier>");
  });
});

describe("lists with merged records", () => {
  it("hold the targets, with their notes, each once", async () => {
    expect(await seedsOf(annsList)).toEqual([
      { key: workKey(9) },
      { thing: { key: workKey(KEPT) }, notes: "The blue one" },
      { key: authorKey(KEPT) },
    ]);
    const both = annsList.replace("OL1L", "OL2L");
    expect(await seedsOf(both)).toEqual([
      { thing: { key: workKey(KEPT) }, notes: "Twice" },
      { key: editionKey(KEPT) },
    ]);
    expect(urlsOf(await read("/works/OL1W/lists.json")).toSorted()).toEqual([annsList, both].toSorted());
    expect(urlsOf(await read("/works/OL2W/lists.json"))).toHaveLength(2);
    expect(await read("/recentchanges.json?limit=1")).toMatchObject([{ author: { key: "/people/chief" } }]);
  });

  it("show the targets if they were stored with merged records", async () => {
    const list = "/lists/OL1L";
    const seeds = [{ key: workKey(OLDER) }, { key: workKey(KEPT) }, { key: editionKey(OLDER) }];
    await service.load({ key: list, type: "/type/list", name: "Old", seeds });
    expect(urlsOf(await read(`${list}/seeds.json`))).toEqual([workKey(KEPT), editionKey(KEPT)]);
    expect(await textOf(`${list}/export?format=json`)).toContain(`"${workKey(KEPT)}"`);
    expect(await read(`${list}/editions.json`)).toMatchObject({
      size: 1,
      entries: [{ key: editionKey(KEPT) }],
    });
    expect((await read(`${list}/subjects.json`))["subjects"]).toMatchObject([{ name: "Water" }]);
    expect(await textOf(`${list}/feeds/updates.atom`)).toContain(editionKey(KEPT));
  });

  it("take and remove records by merged keys", async () => {
    const list = await newList(ann, { name: "Sent", seeds: [{ key: workKey(OLDER) }] });
    expect(await seedsOf(list)).toEqual([{ key: workKey(KEPT) }]);
    await postSeeds(ann, list, { add: [workKey(MERGED), "OL2A"] });
    expect(await seedsOf(list)).toEqual([{ key: workKey(KEPT) }, { key: authorKey(KEPT) }]);
    await postSeeds(ann, list, { remove: [workKey(MERGED)] });
    expect(await seedsOf(list)).toEqual([{ key: authorKey(KEPT) }]);
  });
});

describe("readers' data of merged works", () => {
  it("is that of the target", async () => {
    const counts = async (id: number) => (await read(`${workKey(id)}/bookshelves.json`))["counts"];
    expect(await counts(KEPT)).toMatchObject({ want_to_read: 1 });
    expect(await counts(OLDER)).toEqual(await counts(KEPT));
    await form(ann, `${workKey(MERGED)}/ratings.json`, { rating: "5" });
    await form(ann, `${workKey(OLDER)}/notes.json`, { notes: "Mine" });
    await settleActivity();
    for (const id of [KEPT, MERGED, OLDER]) {
      expect((await read(`${workKey(id)}/ratings.json`))["summary"]).toMatchObject({ count: 1, average: 5 });
      expect(await ann.json(`${workKey(id)}/notes.json`)).toMatchObject({ entries: [{ notes: "Mine" }] });
    }
    const { observations } = await read("/observations.json?olid=OL2W&olid=OL9W");
    expect(observations).toMatchObject({ OL2W: { work_id: "1" } });
  });
});
