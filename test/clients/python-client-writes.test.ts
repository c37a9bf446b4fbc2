// Logins and writes of openlibrary-client, the official Python package, call by call as its code
// builds them (olclient/openlibrary.py, entity_helpers/work.py). It sends JSON without a Content-Type, follows
// redirects, and keeps cookies.
import { beforeAll, describe, expect, inject, it } from "vitest";
import { CookieClient } from "../support/node/cookie-client.ts";

const { main } = inject("carrel");
const ol = new CookieClient(main);

type Document = Record<string, unknown>;

/** `OpenLibrary(credentials=Credentials(access, secret))`. */
beforeAll(async () => {
  await ol.request("POST", "/account/login", {
    body: JSON.stringify({ access: "foo", secret: "foo" }),
    headers: { "Content-Type": "application/json" },
  });
});

/** `get_ol_response(path).json()` */
async function get(path: string): Promise<Document> {
  const response = await ol.request("GET", path);
  if (!response.ok) throw new Error(`${response.status} for ${path}`);
  return (await response.json()) as Document;
}

const put = (path: string, body: unknown) => ol.request("PUT", path, { body: JSON.stringify(body) });
const OPT = '"http://openlibrary.org/dev/docs/api"; ns=42';
/** `ol.save_many(docs, comment)` */
const saveMany = (documents: readonly Document[], comment: string, more: Record<string, string> = {}) =>
  ol.request("POST", "/api/save_many", {
    body: JSON.stringify(documents),
    headers: { Opt: OPT, "42-comment": comment, ...more },
  });
const tombstone = (key: string): Document => ({ key, type: { key: "/type/delete" } });

interface NewBook {
  readonly title: string;
  readonly author: string;
  readonly authorKey?: string;
  readonly isbn: string;
  readonly work?: string;
  readonly headers?: Record<string, string>;
}

/** `ol.create_book(book, work_olid)`: the new number is cut out of the address where the redirects end. */
async function createBook(book: NewBook): Promise<string> {
  const { title, author, authorKey = "__new__", isbn, work, headers = {} } = book;
  const body = new URLSearchParams({
    title,
    author_name: author,
    author_key: authorKey,
    publish_date: "2018",
    publisher: "Deckle Edge",
    id_name: "isbn_10",
    id_value: isbn,
    _save: "",
  });
  const path = work === undefined ? "/books/add" : `/books/add?work=/works/${work}`;
  const response = await ol.request("POST", path, { body, headers });
  expect(response.status).toBe(200);
  const olid = /[/]books[/]([0-9a-zA-Z]+)/.exec(response.url)?.[1];
  if (olid === undefined || olid === "add") throw new Error("Creation of new Open Library Book failed!");
  return olid;
}

const olidOf = (reference: unknown): string => String(Object(reference)["key"]).split("/").pop() ?? "";
const firstOf = (value: unknown): unknown => (Array.isArray(value) ? value[0] : undefined);

/** The newest change of a record: other tests write at the same time. */
async function lastChange(key: string): Promise<unknown> {
  return ((await get(`/recentchanges.json?limit=1&key=${key}`)) as unknown as Document[])[0];
}

describe("login", () => {
  it("with keys sets a cookie, out of which clients read the username", () => {
    const session = ol.cookies.get("session") ?? "";
    expect(session.split("/")[2]?.split("%2C")[0]).toBe("openlibrary");
  });

  it("with wrong keys sets none", async () => {
    const other = new CookieClient(main);
    await other.request("POST", "/account/login", {
      body: JSON.stringify({ access: "foo", secret: "bar" }),
      headers: { "Content-Type": "application/json" },
    });
    expect(other.cookies.get("session")).toBeUndefined();
    const refused = await other.request("PUT", "/works/OL1W.json", { body: "{}" });
    expect(refused.status).toBe(403);
  });
});

describe("create_book", () => {
  it("makes an edition with a work and an author, and finds it again", async () => {
    const book = { title: "Warlight: A novel", author: "Michael Ondaatje", isbn: "0525521194" };
    const olid = await createBook(book);
    const edition = await get(`/books/${olid}.json`);
    expect(edition).toMatchObject({
      title: "Warlight: A novel",
      publishers: ["Deckle Edge"],
      publish_date: "2018",
      isbn_10: ["0525521194"],
      type: { key: "/type/edition" },
    });
    const work = await get(`/works/${olidOf(firstOf(edition["works"]))}.json`);
    expect(work["title"]).toBe("Warlight: A novel");
    const authorKey = String(Object(Object(firstOf(work["authors"]))["author"])["key"]);
    expect(await get(`${authorKey}.json`)).toMatchObject({ name: "Michael Ondaatje" });
    expect(await createBook({ ...book, authorKey })).toBe(olid);
  });

  it("with work_olid adds an edition to that work", async () => {
    const first = await createBook({ title: "One work", author: "An Author", isbn: "0000000019" });
    const work = olidOf(firstOf((await get(`/books/${first}.json`))["works"]));
    const second = await createBook({ title: "Other title", author: "An Author", isbn: "0000000027", work });
    expect(second).not.toBe(first);
    const { entries } = await get(`/works/${work}/editions.json`);
    expect((entries as Document[]).map(olidOf)).toEqual([first, second]);
  });
});

// Q524
describe("0.0.31, which calls every body JSON", () => {
  const headers = { "Content-Type": "application/json" };

  it("makes a book by a form, and deletes its work without any body", async () => {
    const olid = await createBook({ title: "Labelled", author: "An Author", isbn: "0000000043", headers });
    const work = olidOf(firstOf((await get(`/books/${olid}.json`))["works"]));
    const response = await ol.request("POST", `/works/${work}/-/delete.json?comment=no+book`, { headers });
    expect([response.status, await response.json()]).toEqual([200, { status: "ok" }]);
    expect(await get(`/books/${olid}.json`)).toMatchObject({ type: { key: "/type/delete" } });
    expect(await lastChange(`/works/${work}`)).toMatchObject({ comment: "no book" });
  });
});

describe("save", () => {
  it("of an Edition, a Work and an Author: what was read, with a comment", async () => {
    const olid = await createBook({ title: "To be saved", author: "Some Body", isbn: "0000000035" });
    const edition = await get(`/books/${olid}.json`);
    const workKey = `/works/${olidOf(firstOf(edition["works"]))}`;
    const work = await get(`${workKey}.json`);
    const authorKey = String(Object(Object(firstOf(work["authors"]))["author"])["key"]);
    for (const [key, change] of [
      [`/books/${olid}`, { description: { type: "/type/text", value: "An edition" }, number_of_pages: 7 }],
      [workKey, { description: { type: "/type/text", value: "A work" } }],
      [authorKey, { bio: { type: "/type/text", value: "An author" } }],
    ] as const) {
      const record = await get(`${key}.json`);
      const response = await put(`${key}.json`, { ...record, ...change, _comment: "python" });
      expect(response.status).toBe(200);
      expect(await response.json()).toEqual({ key, revision: 2 });
      expect(await get(`${key}.json`)).toMatchObject({ ...change, revision: 2 });
      const [newest] = (await get(`${key}.json?m=history&limit=1`)) as unknown as Document[];
      expect(newest).toMatchObject({ comment: "python", author: "/people/openlibrary" });
    }
  });

  it("add_subjects and rm_subjects of a Work", async () => {
    const response = await ol.request("POST", "/api/new.json", {
      body: JSON.stringify({ type: { key: "/type/work" }, title: "Subjects", subjects: ["a"] }),
    });
    const key = (await response.json()) as string;
    for (const subjects of [["a", "b"], ["b"]]) {
      const data = await get(`${key}.json`);
      expect((await put(`${key}.json`, { ...data, subjects, _comment: "subjects" })).status).toBe(200);
      expect((await get(`${key}.json`))["subjects"]).toEqual(subjects);
    }
  });
});

describe("several at once", () => {
  /** A work by an author with one edition. */
  async function make(title: string): Promise<{ author: string; work: string; edition: string }> {
    const documents = [
      { type: { key: "/type/author" }, name: `Author of ${title}` },
      { type: { key: "/type/work" }, title, authors: [{ author: { key: "/__new__/0" } }] },
      { type: { key: "/type/edition" }, title, works: [{ key: "/__new__/1" }] },
    ];
    const response = await ol.request("POST", "/api/new", { body: JSON.stringify(documents) });
    expect(response.status).toBe(200);
    const [author = "", work = "", edition = ""] = (await response.json()) as string[];
    return { author, work, edition };
  }

  it("save_many and delete_many, with headers that say why", async () => {
    const { work, edition } = await make("Many");
    const changed = [await get(`${work}.json`), await get(`${edition}.json`)].map((one) => ({
      ...one,
      title: "More",
    }));
    const saved = await saveMany(changed, "save many");
    expect(saved.status).toBe(200);
    expect(await saved.json()).toEqual([
      { key: work, revision: 2 },
      { key: edition, revision: 2 },
    ]);
    const deleted = await saveMany([tombstone(work), tombstone(edition)], "delete many");
    expect(deleted.status).toBe(200);
    expect(await get(`${work}.json`)).toMatchObject({ type: { key: "/type/delete" }, revision: 3 });
    expect(await lastChange(work)).toMatchObject({ kind: "bulk_update", comment: "delete many" });
  });

  it("delete, of one", async () => {
    const { edition, work } = await make("One");
    const body = { type: { key: "/type/delete" }, _comment: "no book" };
    expect((await put(`${edition}.json`, body)).status).toBe(200);
    expect(await get(`${work}.json`)).toMatchObject({ type: { key: "/type/work" } });
  });

  it("a merge of works: a redirect, and editions that point elsewhere", async () => {
    const [master, duplicate] = [await make("Merged"), await make("Merged too")];
    const edition = { ...(await get(`${duplicate.edition}.json`)), works: [{ key: master.work }] };
    const redirect = { key: duplicate.work, type: { key: "/type/redirect" }, location: master.work };
    const response = await saveMany([edition, redirect], "Merge works", {
      "42-action": "merge-works",
      "42-data": JSON.stringify({ master: master.work, duplicates: [duplicate.work], mrid: null }),
    });
    expect(response.status).toBe(200);
    const page = await get(`${master.work}/editions.json`);
    expect((page["entries"] as Document[]).map(({ key }) => key)).toEqual([
      master.edition,
      duplicate.edition,
    ]);
    expect(await get(`${duplicate.work}.json`)).toMatchObject({ location: master.work });
    const followed = await ol.request("GET", duplicate.work);
    expect(followed.url).toContain(master.work);
    expect(await lastChange(master.edition)).not.toMatchObject({ kind: "merge-works" });
    expect(await lastChange(duplicate.work)).toMatchObject({
      kind: "merge-works",
      data: { master: master.work },
    });
  });

  it("a merge of authors by the service", async () => {
    const [master, duplicate] = [await make("By him"), await make("By him as well")];
    const response = await ol.request("POST", "/authors/merge.json", {
      body: JSON.stringify({ master: master.author, duplicates: [duplicate.author] }),
      headers: { "Content-Type": "application/json" },
    });
    expect(response.status).toBe(200);
    expect(await get(`${duplicate.work}.json`)).toMatchObject({
      authors: [{ author: { key: master.author } }],
    });
    expect(await get(`${duplicate.author}.json`)).toMatchObject({ location: master.author });
  });
});
