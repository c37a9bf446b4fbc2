import { beforeAll, describe, expect, it } from "vitest";
import { FORM_RECORDS } from "../../support/worker/form-records.ts";
import { type LoggedIn, loggedIn } from "../../support/worker/logged-in.ts";
import { edition, work } from "../../support/worker/records.ts";
import { testService } from "../../support/worker/service.ts";
import { type Who, HTML, leads, looking, post } from "../../support/worker/writing.ts";

const service = testService();
const { read, lastChange, workOf, typeOf } = looking(service);
let patron: LoggedIn;
let admin: LoggedIn;
let librarian: LoggedIn;

beforeAll(async () => {
  patron = await loggedIn(service, "reader");
  admin = await loggedIn(service, "boss", { groups: ["admin"] });
  librarian = await loggedIn(service, "superlib", { groups: ["super-librarians"] });
  await service.load(...FORM_RECORDS);
});

describe("POST /books/add", () => {
  const add = (fields: Record<string, string>, query = "", headers = {}) =>
    post(patron, `/books/add${query}`, fields, headers);

  it("adds author, work and edition in one change, by the form's field names", async () => {
    const answer = await add({
      book_title: "A new book: of sorts",
      "authors--0--author--key": "__new__",
      "author_names--0": "Nora New",
      publisher: "P; Q",
      publish_date: "2018",
      id_name: "isbn_13",
      id_value: "978-0-525-52119-8",
      web_book_url: "https://books.example/1",
    });
    expect(answer.status).toBe(303);
    const location = answer.headers.get("Location") ?? "";
    expect(location).toMatch(/^\/books\/OL\d+M\/A_new_book_of_sorts\/edit\?mode=add-work$/);
    expect((await patron.fetch(location)).status).toBe(200);
    const key = location.split("/").slice(0, 3).join("/");
    const made = await read(key);
    expect(made).toMatchObject({
      title: "A new book: of sorts",
      publishers: ["P", "Q"],
      publish_date: "2018",
      isbn_13: ["9780525521198"],
      providers: [{ url: "https://books.example/1", format: "web" }],
    });
    const madeWork = await read(await workOf(key));
    expect(madeWork).toMatchObject({ title: "A new book: of sorts", type: { key: "/type/work" } });
    const [role] = madeWork["authors"] as { author: { key: string } }[];
    expect(await read(role?.author.key ?? "")).toMatchObject({ name: "Nora New", revision: 1 });
    const change = await lastChange();
    expect(change).toMatchObject({
      kind: "add-book",
      comment: "Added new book.",
      author: { key: patron.key },
    });
    expect(change["changes"]).toHaveLength(3);
  });

  it("adds an edition to a known author's work by the Python client's field names, once", async () => {
    const fields = {
      title: "emma",
      author_name: "Ann Author",
      author_key: "/authors/OL1A",
      publish_date: "2020",
      publisher: "New Press",
      id_name: "isbn_10",
      id_value: "0525521194",
      _save: "",
    };
    const first = await leads(add(fields));
    expect(first).toMatch(/^303 \/books\/OL\d+M\/emma\/edit\?mode=add-book$/);
    const key = first.split(" ")[1]?.split("/").slice(0, 3).join("/") ?? "";
    expect(await read(key)).toMatchObject({ isbn_10: ["0525521194"], works: [{ key: "/works/OL1W" }] });
    expect(await lastChange()).toMatchObject({ kind: "add-book", changes: [{ key, revision: 1 }] });
    const { id } = await lastChange();
    expect(await leads(add({ ...fields, id_value: "0-525-52119-4" }))).toBe(
      `303 ${key}/emma/edit?mode=found`,
    );
    expect((await lastChange())["id"]).toBe(id);
    expect(await leads(add({ ...fields, publish_date: "May 2021" }))).toMatch(/mode=add-book$/);
  });

  it("finds or adds an edition of a given work", async () => {
    const same = {
      title: "whatever",
      author_key: "__new__",
      author_name: "X Y",
      publisher: "other",
      publish_date: "c2001",
    };
    expect(await leads(add(same, "?work=/works/OL1W"))).toBe("303 /books/OL3M/Emma_again/edit?mode=found");
    expect(await leads(add({ ...same, publish_date: "1800" }, "?work=/works/OL1W"))).toMatch(
      /mode=add-book$/,
    );
    expect((await lastChange())["changes"]).toHaveLength(1);
    expect(await leads(add(same, "?work=/works/OL99W"))).toContain("Not in the catalog: /works/OL99W");
  });

  it("returns all matching works, or asks in browsers", async () => {
    const fields = { title: "Two of Them", author_key: "/authors/OL1A" };
    const answer = await add(fields);
    expect(answer.status).toBe(200);
    expect(await answer.json()).toEqual({ match: ["/works/OL2W", "/works/OL3W"] });
    const page = await (await add(fields, "", HTML)).text();
    expect(page).toContain('type="radio" name="work" value="/works/OL3W"');
    expect(page).toContain('value="none-of-these"');
    expect(page).toContain('name="book_title" value="Two of Them"');
    expect(await leads(add({ ...fields, work: "/works/OL3W" }))).toMatch(/mode=add-book$/);
    expect(await leads(add({ ...fields, work: "none-of-these" }))).toMatch(/mode=add-work$/);
  });

  it("only reports matches with _test", async () => {
    const { id } = await lastChange();
    const fields = { book_title: "Emma", "authors--0--author--key": "/authors/OL1A", _test: "true" };
    expect(await (await add(fields)).json()).toEqual({ match: "/works/OL1W" });
    expect(await (await add({ ...fields, publish_date: "1999" })).json()).toEqual({ match: "/books/OL1M" });
    expect(await (await add({ ...fields, book_title: "Nothing" })).json()).toEqual({ match: null });
    expect(await (await add({ ...fields, book_title: "Nothing" }, "", HTML)).text()).toContain(
      "No match found",
    );
    const made = { ...fields, "authors--0--author--key": "__new__", "author_names--0": "Who" };
    expect(await (await add(made)).json()).toEqual({ match: null });
    expect((await lastChange())["id"]).toBe(id);
  });

  it("takes multipart and JSON", async () => {
    const form = new FormData();
    form.append("book_title", "Sent in parts – ü");
    form.append("file", new Blob(["x"]), "x.txt");
    expect(await leads(patron.fetch("/books/add", { method: "POST", body: form }))).toMatch(/mode=add-work$/);
    const body = JSON.stringify({
      book_title: "As JSON",
      authors: [{ author: { key: "/authors/OL2A" } }],
      id_value: null,
    });
    const headers = { "Content-Type": "application/json" };
    const answer = await leads(patron.fetch("/books/add", { method: "POST", body, headers }));
    const key = answer.split(" ")[1]?.split("/").slice(0, 3).join("/") ?? "";
    expect(await read(await workOf(key))).toMatchObject({ authors: [{ author: { key: "/authors/OL2A" } }] });
    expect(await leads(patron.fetch("/books/add", { method: "POST", body: "{", headers }))).toMatch(
      /^400 .*Bad JSON/,
    );
  });

  it("reports all failures, as JSON or in the form", async () => {
    const fields = { title: " ", author_key: "__new__", id_value: "123", publisher: `"Quoted"` };
    const answer = await add(fields);
    expect(answer.status).toBe(400);
    const { errors } = Object(await answer.json());
    expect(errors).toMatchObject([
      { error: "bad_data", message: "Enter a title" },
      { message: "Choose an identifier type" },
      { message: "Enter the author’s name" },
    ]);
    const shown = await add(fields, "", HTML);
    expect(shown.status).toBe(400);
    const page = await shown.text();
    expect(page).toContain('role="alert"');
    expect(page).toContain('<a href="#book_title">Enter a title</a>');
    expect(page).toContain('aria-describedby="book_title-error"');
    expect(page).toContain('value="&quot;Quoted&quot;"');
    const misread = { title: "x", author_name: "Y", id_name: "isbn", id_value: "123" };
    expect(await (await add(misread, "", HTML)).text()).toContain(
      'aria-describedby="id_value-hint id_value-error id_value-state" aria-invalid="true"',
    );
    const unknown = await add({ title: "x", author_key: "/authors/OL99A" });
    expect([unknown.status, await unknown.json()]).toMatchObject([
      404,
      { error: "notfound", key: "/authors/OL99A" },
    ]);
  });

  it("warns about a known ISBN, and adds the book once confirmed", async () => {
    const fields = { book_title: "Emma again", id_name: "isbn", id_value: "978-0-14-143951-8" };
    const { id } = await lastChange();
    const answer = await add(fields, "", HTML);
    const page = await answer.text();
    expect(answer.status).toBe(400);
    expect(page).toContain('<a href="/books/OL1M/Emma">');
    expect(page).toContain('value="Emma again"');
    expect(await (await patron.fetch("/books/add?isbn=9780141439518", { headers: HTML })).text()).toMatch(
      /id="id_value-state"[^]*\/books\/OL1M/,
    );
    const bad = await add({ ...fields, id_value: "9780141439510" }, "", HTML);
    expect([bad.status, await bad.text()]).toEqual([400, expect.stringContaining('href="#id_value"')]);
    expect((await lastChange())["id"]).toBe(id);
    expect(await leads(add({ ...fields, add_known: "true" }, "", HTML))).toMatch(/^303 .*mode=add-work$/);
  });

  it("shows its form, and redirects old addresses", async () => {
    const page = await (await patron.fetch("/books/add?work=/works/OL1W", { headers: HTML })).text();
    expect(page).toContain('name="work" value="/works/OL1W"'.split(" ")[0]);
    expect(page).toContain('value="/works/OL1W"');
    expect(await leads(service.fetch("/addbook?work=x"))).toBe("301 /books/add?work=x");
    expect(await leads(service.fetch("/addauthor"))).toBe("301 /authors");
  });
});

describe("…/edit with _delete", () => {
  const fresh = async (id: number, editions = [id]): Promise<void> => {
    await service.load(work(id), ...editions.map((one) => edition(one, { work: id })));
  };

  it("deletes the edition, and the work with its last edition, in one change", async () => {
    await fresh(200, [200, 201]);
    expect(await leads(post(admin, "/books/OL200M/edit", { _delete: "", _comment: "why" }))).toBe(
      "303 /works/OL200W",
    );
    expect([await typeOf("/books/OL200M"), await typeOf("/works/OL200W")]).toEqual([
      "/type/delete",
      "/type/work",
    ]);
    expect(await leads(post(admin, "/books/OL201M/x/edit?_delete=true", {}))).toBe("303 /");
    expect([await typeOf("/books/OL201M"), await typeOf("/works/OL200W")]).toEqual([
      "/type/delete",
      "/type/delete",
    ]);
    expect(await lastChange()).toMatchObject({
      kind: "update",
      changes: [
        { key: "/books/OL201M", revision: 2 },
        { key: "/works/OL200W", revision: 2 },
      ],
    });
    expect((await post(admin, "/books/OL201M/edit", { _delete: "1" })).status).toBe(404);
  });

  it("saves the form for users who may not delete", async () => {
    await fresh(202);
    expect(
      await leads(post(librarian, "/books/OL202M/edit", { _delete: "1", "edition--title": "Kept" })),
    ).toBe("303 /books/OL202M/Kept");
    expect(await typeOf("/books/OL202M")).toBe("/type/edition");
  });

  it("allows GET only for administrators on the same site", async () => {
    await fresh(203, [203, 204, 205, 206]);
    const go = (who: Who, headers: Record<string, string>, id = 203, method = "GET") =>
      who.fetch(`/books/OL${id}M/edit?_delete=true&_comment=link`, { headers, method });
    const foreign: Record<string, string>[] = [
      { "Sec-Fetch-Site": "cross-site" },
      { "Sec-Fetch-Site": "same-site" },
      { "Sec-Purpose": "prefetch" },
      { Purpose: "prefetch", "Sec-Fetch-Site": "none" },
      { "X-Moz": "prefetch" },
      { Referer: "https://elsewhere.example/" },
      { Accept: "text/html" },
    ];
    for (const headers of foreign) expect((await go(admin, headers)).status).toBe(403);
    expect((await go(service, {})).status).toBe(401);
    expect((await go(service, HTML)).status).toBe(401);
    expect((await go(librarian, {})).status).toBe(403);
    expect((await go(admin, {}, 203, "HEAD")).status).toBe(200);
    expect(await typeOf("/books/OL203M")).toBe("/type/edition");
    expect(await leads(go(admin, {}))).toBe("303 /works/OL203W");
    expect(await leads(go(admin, { "Sec-Fetch-Site": "none" }, 204))).toBe("303 /works/OL203W");
    const here = { Referer: "http://carrel.test/books/OL205M", Accept: "text/html" };
    expect(await leads(go(admin, here, 205))).toBe("303 /works/OL203W");
    expect(await lastChange()).toMatchObject({ comment: "link" });
    expect(await leads(go(admin, {}, 206))).toBe("303 /");
  });

  it("deletes works without editions and authors without books only", async () => {
    await fresh(207);
    expect(await leads(post(admin, "/works/OL207W/edit", { _delete: "1" }))).toBe("303 /works/OL207W");
    expect(await typeOf("/works/OL207W")).toBe("/type/work");
    await service.load(work(208));
    expect(await leads(post(admin, "/works/OL208W/x/edit", { _delete: "1" }))).toBe("303 /");
    expect(await typeOf("/works/OL208W")).toBe("/type/delete");
    const refused = await post(admin, "/authors/OL1A/edit", { _delete: "1" });
    expect(refused.status).toBe(400);
    const page = await post(admin, "/authors/OL1A/edit", { _delete: "1" }, HTML);
    expect([page.status, await page.text()]).toEqual([400, expect.stringContaining("/works/OL1W")]);
    expect(await leads(post(admin, "/authors/OL3A/edit", { _delete: "1" }))).toBe("303 /");
  });
});

describe("works, authors, identifiers", () => {
  it("POST /works/OL…W/edit changes a work", async () => {
    await service.load(work(300, { authors: [1], subtitle: "old" }));
    const fields = { "work--title": "New", "work--subtitle": "", "work--authors--0--author--key": "OL2A" };
    expect(await leads(post(patron, "/works/OL300W/edit", fields))).toBe("303 /works/OL300W/New");
    const saved = await read("/works/OL300W");
    expect(saved).toMatchObject({ title: "New", authors: [{ author: { key: "/authors/OL2A" } }] });
    expect(saved).not.toHaveProperty("subtitle");
    expect(await lastChange()).toMatchObject({ kind: "edit-book", comment: null });
    const refused = await post(patron, "/works/OL300W/edit", { "work--title": "" }, HTML);
    expect([refused.status, await refused.text()]).toEqual([
      400,
      expect.stringContaining('href="#work--title"'),
    ]);
  });

  it("POST /authors/OL…A/edit changes an author", async () => {
    const fields = {
      "author--name": "Ann A. Author",
      "author--alternate_names": "A\r\nB\r\n",
      "author--bio": "Bio",
      "author--remote_ids": "wikidata: Q1\nviaf: 2",
      "author--links--0--url": "",
      _save: "",
      _comment: "names",
    };
    expect(await leads(post(patron, "/authors/OL1A/x/edit", fields))).toBe("303 /authors/OL1A/Ann_A._Author");
    expect(await read("/authors/OL1A")).toMatchObject({
      name: "Ann A. Author",
      alternate_names: ["A", "B"],
      bio: { type: "/type/text", value: "Bio" },
      remote_ids: { wikidata: "Q1", viaf: "2" },
    });
    expect(await lastChange()).toMatchObject({ kind: "update", comment: "names" });
    expect((await post(patron, "/authors/OL1A/edit", {})).status).toBe(400);
    expect((await post(patron, "/authors/OL1A/edit", { "author--name": " " })).status).toBe(400);
    const page = await post(patron, "/authors/OL1A/edit", { "author--name": " " }, HTML);
    expect([page.status, await page.text()]).toEqual([400, expect.stringContaining('href="#author--name"')]);
  });

  it("POST …/identifiers adds an ISBN to the existing ones", async () => {
    const add = (isbn: string) => post(patron, "/books/OL1M/-/identifiers", { isbn });
    expect(await leads(add("978-0-14-143951-8"))).toBe("303 /books/OL1M/Emma");
    expect(await leads(add("014143951-3"))).toBe("303 /books/OL1M/Emma");
    expect(await read("/books/OL1M")).toMatchObject({
      isbn_10: ["0141439513"],
      isbn_13: ["9780141439518"],
      identifiers: { goodreads: ["1"] },
      revision: 2,
    });
    expect(await lastChange()).toMatchObject({ kind: "edit-book", changes: [{ key: "/books/OL1M" }] });
    expect((await add("123")).status).toBe(400);
    expect((await add("")).status).toBe(400);
    expect((await post(patron, "/books/OL99M/-/identifiers", { isbn: "0141439513" })).status).toBe(404);
  });
});
