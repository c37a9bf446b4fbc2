import { beforeAll, describe, expect, it } from "vitest";
import { recordOfOpds } from "../../../src/import/xml-records.ts";
import {
  type XmlElement,
  attributeOf,
  childElements,
  parseXml,
  elementText,
} from "../../../src/import/xml/document.ts";
import { account } from "../../support/worker/accounts.ts";
import { basic } from "../../support/worker/basic.ts";
import { indexAll } from "../../support/worker/indexing.ts";
import { putTerms } from "../../support/worker/lending.ts";
import { type LoggedIn, loggedIn } from "../../support/worker/logged-in.ts";
import { author, edition, language, work } from "../../support/worker/records.ts";
import { testService } from "../../support/worker/service.ts";

const service = testService({ BASE_URL: "https://books.example" });
service.now = Date.now();
const REL = "http://opds-spec.org/";
let ann: LoggedIn;
let ben: LoggedIn;

interface Link {
  rel?: string;
  href: string;
  type: string;
  title?: string;
  properties?: Record<string, unknown>;
}
interface Publication {
  metadata: { title: string } & Record<string, unknown>;
  links: Link[];
  images?: Link[];
}
interface Feed {
  metadata: { title: string; numberOfItems?: number };
  links: Link[];
  navigation?: Link[];
  publications?: Publication[];
  facets?: { metadata: { title: string }; links: Link[] }[];
}

type Call = (path: string, init?: RequestInit) => Promise<Response>;
const feed = async (path: string, call: Call = service.fetch): Promise<Feed> => {
  const response = await call(path);
  expect([path, response.status]).toEqual([path, 200]);
  return response.json();
};
const titles = async (path: string, call?: Call): Promise<string[]> =>
  ((await feed(path, call)).publications ?? []).map(({ metadata: { title } }) => title);
const ways = ({ links }: Publication) =>
  links
    .filter(({ rel }) => rel?.startsWith(`${REL}acquisition/`))
    .map(({ rel = "", href, type, properties }) => ({
      kind: rel.slice(`${REL}acquisition/`.length),
      href,
      type,
      ...properties,
    }));
const book = async (id: number, call: Call = service.fetch): Promise<Publication> =>
  (await call(`/opds/books/OL${id}M.json`)).json();
const atom = async (path: string): Promise<XmlElement> => parseXml(await (await service.fetch(path)).text());
const borrow = (who: LoggedIn, action: string) =>
  who.fetch("/books/OL2M/x/borrow", { method: "POST", body: new URLSearchParams({ action }) });

beforeAll(async () => {
  // Before the records: the index queue may follow a load at once.
  await putTerms("open00rivers", { collections: ["texts"] });
  await putTerms("lent00rivers", { collections: ["inlibrary"] });
  await service.load(
    author(1, { name: "Jane Doe" }),
    language("eng", "English"),
    work(1, { authors: [1], title: "Open rivers", subjects: ["Rivers"] }),
    edition(1, {
      work: 1,
      title: "Open rivers",
      ocaid: "open00rivers",
      isbn_13: ["9780451526533"],
      publish_date: "1999",
      publishers: ["Doe & Sons"],
      languages: [{ key: "/languages/eng" }],
      description: "A < B",
      series: ["Penguin rivers ; no. 12", "Loose leaves"],
    }),
    work(2, {
      authors: [1],
      title: "Lent rivers",
      subjects: ["Rivers"],
      series: [{ series: { key: "/series/OL1L" }, position: "2.5" }],
    }),
    { key: "/series/OL1L", type: "/type/series", name: "Waters" },
    edition(2, { work: 2, title: "Lent rivers", ocaid: "lent00rivers", covers: [7] }),
    work(3, { title: "Sold rivers" }),
    edition(3, {
      work: 3,
      title: "Sold rivers",
      providers: [
        { url: "https://shop.example/3.epub", access: "open-access", format: "epub" },
        { url: "https://shop.example/3", access: "buy", price: "5.00 USD" },
        { url: "https://shop.example/4", access: "buy", price: "much" },
        { url: "https://shop.example/3s", access: "sample", format: "pdf" },
        { url: "javascript:alert(1)", access: "open-access" },
      ],
    }),
    work(4, { title: "Rivers that nobody reads" }),
    edition(4, { work: 4, title: "Rivers that nobody reads" }),
  );
  await indexAll();
  [ann, ben] = [await loggedIn(service, "ann"), await loggedIn(service, "ben")];
  await account(service, "cy");
});

describe("the OPDS catalog", () => {
  it("is OPDS 1.2, or 2.0 by suffix or Accept", async () => {
    const typeOf = async (path: string, headers = {}) =>
      (await service.fetch(path, { headers })).headers.get("Content-Type");
    expect(await typeOf("/opds")).toBe(
      "application/atom+xml;profile=opds-catalog;kind=navigation;charset=utf-8",
    );
    expect(await typeOf("/opds/books", { Accept: "*/*" })).toContain("kind=acquisition");
    expect(await typeOf("/opds.json")).toBe("application/opds+json");
    expect(await typeOf("/opds/books", { Accept: "application/opds+json" })).toBe("application/opds+json");
    expect(await typeOf("/opds/books/OL1M")).toContain("type=entry");
    expect(await typeOf("/opds/books/OL1M.json")).toBe("application/opds-publication+json");
  });

  it("links to everything from its start page", async () => {
    const { navigation = [], links } = await feed("/opds.json");
    expect(links.map(({ rel }) => rel)).toEqual(["self", "start", "search", `${REL}shelf`]);
    for (const { href, type } of navigation) {
      const response = await ann.fetch(href.replace("https://books.example", ""));
      expect([href, response.status, response.headers.get("Content-Type")]).toEqual([href, 200, type]);
    }
    const subjects = await feed("/opds/subjects.json");
    expect(subjects.navigation).toMatchObject([{ title: "Rivers" }]);
    const about = subjects.navigation?.[0]?.href.replace("https://books.example", "") ?? "";
    expect((await titles(about)).toSorted()).toEqual(["Lent rivers", "Open rivers"]);
  });

  it("lists books that can be read or borrowed, each in its most open edition", async () => {
    expect((await titles("/opds/books.json")).toSorted()).toEqual([
      "Lent rivers",
      "Open rivers",
      "Sold rivers",
    ]);
    expect(await titles("/opds/books.json?access=borrow")).toEqual(["Lent rivers"]);
    expect((await titles("/opds/books.json?access=open&sort=title")).toSorted()).toEqual([
      "Open rivers",
      "Sold rivers",
    ]);
    expect(await titles("/opds/books.json?q=sold")).toEqual(["Sold rivers"]);
    expect(await titles("/opds/books.json?language=eng")).toEqual(["Open rivers"]);
    expect((await service.fetch("/opds/books.json?page=334")).status).toBe(422);
    expect((await service.fetch("/opds/books/OL4M")).status).toBe(404);
    expect((await service.fetch("/opds/books/OL99M.json")).status).toBe(404);
  });

  it("offers facets and keeps the query", async () => {
    const { facets = [], metadata } = await feed("/opds/books.json?q=rivers&access=open");
    expect(metadata).toMatchObject({ title: "Books to read: rivers", numberOfItems: 2 });
    expect(facets.map(({ metadata: { title } }) => title)).toEqual([
      "Order",
      "Access",
      "Author",
      "Language",
      "Subject",
    ]);
    expect(facets[1]?.links).toMatchObject([
      { title: "All" },
      { title: "Open to all", rel: "self" },
      { title: "To borrow" },
    ]);
    const [english] = facets[3]?.links ?? [];
    expect(english).toMatchObject({
      title: "English",
      href: "https://books.example/opds/books.json?q=rivers&access=open&language=eng",
      properties: { numberOfItems: 1 },
    });
  });

  it("describes its search", async () => {
    const url = childElements(await atom("/opds/search.xml")).find(({ name }) => name === "Url");
    const template = url === undefined ? "" : (attributeOf(url, "", "template") ?? "");
    const path = template.replace("https://books.example", "").replace("{searchTerms}", "sold");
    const found = await atom(path.replace("{startPage?}", "1"));
    expect(childElements(found).filter(({ name }) => name === "entry")).toHaveLength(1);
    const { links } = await feed("/opds.json");
    expect(links.find(({ rel }) => rel === "search")).toMatchObject({
      href: "https://books.example/opds/books.json{?query}",
      templated: true,
    });
  });
});

describe("searches of programs", () => {
  it.each([
    // KOReader and others fill in `{searchTerms}` only.
    ["/opds/books?q=sold&page={startPage?}", {}],
    ["/opds/books?q=sold&page=%7BstartPage%3F%7D", {}],
    ["/opds/books?q=sold&query={query}&page=", {}],
    ["/opds/books?q={searchTerms}&query=sold", {}],
    // The template of OPDS 2.0, as KOReader fills it.
    ["/opds/books.json?query=sold", { Accept: "application/opds+json" }],
    ["/opds/books?query=sold", { Accept: "application/opds+json" }],
  ])("%s is a feed of the books", async (path, headers: Record<string, string>) => {
    const response = await service.fetch(path, { headers });
    const text = await response.text();
    expect([response.status, text]).toEqual([200, expect.stringContaining("Sold rivers")]);
    expect(text).not.toMatch(/Open rivers|startPage/);
  });
});

describe("a publication", () => {
  it("has authors, numbers, cover and full dates (Q599)", async () => {
    const { metadata, images } = await book(1);
    const { metadata: lent, images: covers } = await book(2);
    expect(metadata).toMatchObject({
      identifier: "urn:isbn:9780451526533",
      title: "Open rivers",
      author: [{ name: "Jane Doe", links: [{ href: "https://books.example/authors/OL1A" }] }],
      publisher: ["Doe & Sons"],
      published: "1999-01-01",
      language: ["en"],
      subject: ["Rivers"],
      description: "A < B",
    });
    expect(images).toBeUndefined();
    expect(covers).toMatchObject([{ href: expect.stringMatching(/\/7-L\.jpg$/) }, {}]);
    expect(metadata["belongsTo"]).toEqual({
      series: [{ name: "Penguin rivers", position: 12 }, { name: "Loose leaves" }],
    });
    expect(lent["belongsTo"]).toEqual({ series: [{ name: "Waters", position: 2.5 }] });
    const entry = await (await service.fetch("/opds/books/OL2M")).text();
    expect(entry).toContain('<schema:Series name="Waters" schema:position="2.5"/>');
    expect(await (await service.fetch("/opds/books/OL1M")).text()).not.toContain("image/jpeg");
  });

  it("has its authors in Atom, and no other", async () => {
    const authors = (root: XmlElement) =>
      childElements(root)
        .filter(({ name }) => name === "author")
        .map((person) => childElements(person).map(elementText));
    expect(authors(await atom("/opds"))).toEqual([["Carrel", "https://books.example"]]);
    expect(authors(await atom("/opds/books"))).toEqual([]);
    expect(authors(await atom("/opds/books/OL1M"))).toEqual([
      ["Jane Doe", "https://books.example/authors/OL1A"],
    ]);
    expect(authors(await atom("/opds/books/OL3M"))).toEqual([]);
  });

  it("can be read by the import", async () => {
    const root = await atom("/opds/books?q=open");
    const entry = childElements(root).find(({ name }) => name === "entry");
    expect(recordOfOpds(entry ?? root)).toMatchObject({
      title: "Open rivers",
      authors: [{ name: "Jane Doe" }],
      isbn_13: ["9780451526533"],
      publishers: ["Doe & Sons"],
      publish_date: "1999",
      subjects: ["Rivers"],
      description: "A < B",
    });
  });

  it("links to reading, downloading, sampling and buying", async () => {
    const read = "https://books.example/books/OL1M/x/borrow?action=read";
    expect(ways(await book(1))).toMatchObject([
      {
        kind: "open-access",
        href: expect.stringMatching(/open00rivers\.epub$/),
        type: "application/epub+zip",
      },
      { kind: "open-access", href: expect.stringMatching(/open00rivers\.pdf$/), type: "application/pdf" },
      { kind: "open-access", href: read, type: "text/html" },
    ]);
    expect(ways(await book(3))).toEqual([
      { kind: "open-access", href: "https://shop.example/3.epub", type: "application/epub+zip" },
      {
        kind: "buy",
        href: "https://shop.example/3",
        type: "text/html",
        price: { value: 5, currency: "USD" },
      },
      { kind: "sample", href: "https://shop.example/3s", type: "application/pdf" },
    ]);
  });

  it("shows its availability to all patrons, the borrower and the next in the queue", async () => {
    const page = "https://books.example/books/OL2M/x/borrow";
    const standing = async () => ways(await book(2))[0];
    expect(await standing()).toEqual({
      kind: "borrow",
      href: page,
      type: "text/html",
      availability: { state: "available" },
      copies: { total: 1, available: 1 },
      holds: { total: 0 },
    });
    expect((await borrow(ann, "borrow")).status).toBe(303);
    expect((await borrow(ben, "join-waitinglist")).status).toBe(303);
    expect(await standing()).toMatchObject({
      availability: { state: "unavailable", until: expect.stringMatching(/Z$/) },
      copies: { total: 1, available: 0 },
      holds: { total: 1 },
    });
    const own = async (who: LoggedIn) => {
      const [loan] = (await feed("/opds/loans.json", who.fetch)).publications ?? [];
      return loan && ways(loan)[0];
    };
    expect(await own(ann)).toMatchObject({
      href: `${page}?action=read`,
      availability: { state: "available", until: expect.stringMatching(/Z$/) },
    });
    expect(await own(ben)).toMatchObject({
      href: page,
      availability: { state: "reserved" },
      holds: { total: 1, position: 1 },
    });
    const text = await (await ben.fetch("/opds/loans")).text();
    expect(text).toMatch(/<opds:availability status="reserved" since="[^"]+Z"\/>/);
    expect(text).toContain('<opds:holds total="1" position="1"/>');
  });
});

describe("shelves and loans", () => {
  it("require a name and password by Authentication for OPDS", async () => {
    const Accept = "application/opds-authentication+json";
    for (const [path, accept] of [
      ["/opds/shelves", { Accept }],
      ["/opds/shelves.json", {}],
      ["/opds/loans", { Accept: "application/opds+json" }],
      ["/opds/shelves/already-read.json", {}],
    ] as const) {
      const response = await service.fetch(path, { headers: { ...basic("cy", "wrong"), ...accept } });
      expect([path, response.status]).toEqual([path, 401]);
      expect(response.headers.get("Content-Type")).toBe("application/opds-authentication+json");
      expect(response.headers.get("WWW-Authenticate")).toMatch(/^Basic /);
      expect(response.headers.get("Cache-Control")).toBe("private, no-store");
      expect(await response.json()).toMatchObject({
        id: "https://books.example/opds/authentication.json",
        authentication: [{ type: "http://opds-spec.org/auth/basic" }],
      });
    }
    const atomOnly = await service.fetch("/opds/loans");
    expect(atomOnly.headers.get("WWW-Authenticate")).toMatch(/^Basic /);
    expect(atomOnly.headers.get("Link")).toContain("<https://books.example/opds/authentication.json>");
    expect((await service.fetch("/opds/authentication.json")).status).toBe(200);
    const response = await service.fetch("/opds/shelves.json", { headers: basic("cy") });
    expect(response.headers.get("Cache-Control")).toBe("private, no-store");
    expect(((await response.json()) as Feed).navigation?.map(({ title }) => title)).toEqual([
      "Loans",
      "Want to Read",
      "Currently Reading",
      "Already Read",
      "Stopped Reading",
    ]);
  });

  it("list the readable books of a shelf", async () => {
    for (const id of [1, 4]) {
      const body = new URLSearchParams({ bookshelf_id: "1" });
      const logged = await ann.fetch(`/works/OL${id}W/bookshelves.json`, { method: "POST", body });
      expect(logged.status).toBe(200);
    }
    expect(await titles("/opds/shelves/want-to-read.json", ann.fetch)).toEqual(["Open rivers"]);
    expect(await titles("/opds/shelves/already-read.json", ann.fetch)).toEqual([]);
    expect((await ann.fetch("/opds/shelves/other.json")).status).toBe(404);
  });
});
