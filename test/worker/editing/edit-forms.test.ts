import { beforeAll, describe, expect, it } from "vitest";
import { FORM_RECORDS } from "../../support/worker/form-records.ts";
import { type LoggedIn, loggedIn } from "../../support/worker/logged-in.ts";
import { edition, language, work } from "../../support/worker/records.ts";
import { testService } from "../../support/worker/service.ts";
import { type Who, HTML, fieldsOf, leads, looking, post } from "../../support/worker/writing.ts";

const service = testService();
const { read, lastChange, workOf } = looking(service);
let patron: LoggedIn;
let admin: LoggedIn;
let librarian: LoggedIn;

beforeAll(async () => {
  patron = await loggedIn(service, "reader");
  admin = await loggedIn(service, "boss", { groups: ["admin"] });
  librarian = await loggedIn(service, "superlib", { groups: ["super-librarians"] });
  await service.load(...FORM_RECORDS);
});

describe("GET …/edit", () => {
  it.each([
    ["/books/OL1M/edit", { key: "/books/OL1M", revision: 1 }],
    ["/books/OL1M/Emma/edit?mode=add-book", { key: "/books/OL1M", revision: 1 }],
    ["/works/OL1W/edit", { key: "/works/OL1W", revision: 1 }],
    ["/works/OL1W/Emma/edit", { key: "/works/OL1W", revision: 1 }],
    ["/authors/OL1A/edit?v=1", { key: "/authors/OL1A", revision: 1 }],
  ])("returns key and revision for %s", async (path, answer) => {
    const response = await service.fetch(path);
    expect(response.status).toBe(200);
    expect(await response.json()).toEqual(answer);
  });

  it.each([
    ["/books/OL1M/x/edit", "301 /books/OL1M/Emma/edit"],
    ["/works/OL1W/x/edit?v=1", "301 /works/OL1W/Emma/edit?v=1"],
    ["/books/OL9M/edit", "301 /books/OL1M/edit"],
    ["/works/OL9W/x/edit", "301 /works/OL1W/edit"],
  ])("redirects %s", async (path, target) => {
    expect(await leads(service.fetch(path))).toBe(target);
  });

  it.each(["/books/OL8M/edit", "/books/OL99M/edit", "/works/OL99W/x/edit", "/authors/OL1A/edit?v=9"])(
    "answers 404 for %s",
    async (path) => {
      expect((await service.fetch(path)).status).toBe(404);
    },
  );

  it("shows a filled form with escaped values", async () => {
    await service.load(
      edition(90, { work: 1, title: `"><script>alert(1)</script>`, notes: "</textarea><b>" }),
    );
    const response = await patron.fetch("/books/OL90M/edit", { headers: HTML });
    expect(response.status).toBe(200);
    expect(response.headers.get("Content-Type")).toBe("text/html; charset=utf-8");
    expect(response.headers.get("Cache-Control")).toBe("private, no-store");
    const text = await response.text();
    expect(text).not.toContain("<script>");
    expect(text).not.toContain("</textarea><b>");
    expect(text).toContain('<form method="post" action="/books/OL90M/edit"');
    expect(text).toContain('name="edition--title"');
    expect(text).toContain("Ann Author");
    expect(text).toContain('<a href="/books/OL90M/manage-covers">');
    const ids = [...text.matchAll(/<(?:input(?! type="hidden")|textarea)[^>]* id="([^"]+)"/g)].map(
      ([, id]) => id,
    );
    for (const id of ids) expect(text, id).toMatch(new RegExp(`<label(?: class="unseen")? for="${id}">`));
    expect(ids.length).toBeGreaterThan(20);
    expect(text).not.toContain('name="_delete"');
    expect(await (await admin.fetch("/books/OL90M/edit", { headers: HTML })).text()).toContain(
      'name="_delete"',
    );
  });

  it.each(["/books/OL1M/Emma/edit", "/works/OL1W/Emma/edit", "/authors/OL1A/Ann_Author/edit"])(
    "changes nothing when the form of %s is sent back",
    async (path) => {
      const page = await (await patron.fetch(path, { headers: HTML })).text();
      const fields = fieldsOf(page);
      expect(Object.keys(fields).length).toBeGreaterThan(8);
      const { id } = await lastChange();
      expect(await leads(post(patron, path, fields))).toMatch(/^303 /);
      expect((await lastChange())["id"]).toBe(id);
    },
  );
});

describe("POST /books/OL…M/edit", () => {
  const edit = (
    id: number,
    fields: Record<string, string>,
    { who = patron as Who, query = "", headers = {} } = {},
  ) => post(who, `/books/OL${id}M/x/edit${query}`, fields, headers);
  const ofOwn = async (id: number, members = {}): Promise<void> => {
    await service.load(work(id, { title: `Own ${id}`, authors: [1] }), edition(id, { work: id, ...members }));
  };

  it("changes edition and work in one change, and keeps other members", async () => {
    await ofOwn(101, { notes: "kept", isbn_10: ["1"], publishers: ["Old"], covers: [5] });
    const answer = edit(101, {
      "edition--title": "A title: with a subtitle",
      "edition--publishers": " One ; Two;; ",
      "edition--number_of_pages": "123",
      "edition--languages--0--key": "/languages/eng",
      "edition--identifiers--0--name": "isbn_13",
      "edition--identifiers--0--value": "978-0-14-143951-8",
      "work--title": "Work title: sub",
      "work--subjects": 'A, "B, c", a, ,D',
      "work--description": "Text",
      _comment: "by form",
    });
    expect(await leads(answer)).toBe("303 /books/OL101M/A_title");
    const { isbn_10: gone, ...saved } = await read("/books/OL101M");
    expect(gone).toBeUndefined();
    expect(saved).toMatchObject({
      title: "A title",
      subtitle: "with a subtitle",
      publishers: ["One", "Two"],
      number_of_pages: 123,
      languages: [{ key: "/languages/eng" }],
      isbn_13: ["9780141439518"],
      notes: "kept",
      covers: [5],
      works: [{ key: "/works/OL101W" }],
    });
    expect(await read("/works/OL101W")).toMatchObject({
      title: "Work title",
      subtitle: "sub",
      subjects: ["A", "B, c", "D"],
      description: { type: "/type/text", value: "Text" },
      authors: [{ author: { key: "/authors/OL1A" } }],
    });
    const change = await lastChange();
    expect(change).toMatchObject({ kind: "edit-book", comment: "by form" });
    expect(change["changes"]).toHaveLength(2);
  });

  it("makes new authors and series first, in the same change", async () => {
    await ofOwn(102);
    const answer = edit(102, {
      "work--authors--0--author--key": "/authors/OL1A",
      "work--authors--1--author--key": "__new__",
      "work--authors--2--author--key": "",
      "work--authors--3--author--key": " ",
      "authors--1": "Second Author",
      "author_names--3": "Third Author",
      "work--series--0--series--key": "__new__",
      "work--series--0--position": "2",
      "series--0": "A saga",
    });
    expect((await answer).status).toBe(303);
    const saved = await read("/works/OL102W");
    const keys = (saved["authors"] as { author: { key: string } }[]).map((role) => role.author.key);
    expect(keys[0]).toBe("/authors/OL1A");
    expect(await read(keys[1] ?? "")).toMatchObject({ name: "Second Author" });
    expect(await read(keys[2] ?? "")).toMatchObject({ name: "Third Author" });
    const [part] = saved["series"] as { series: { key: string }; position: string }[];
    expect(part?.position).toBe("2");
    expect((await lastChange())["changes"]).toHaveLength(4);
  });

  it("gives an edition without a work a new one", async () => {
    expect(await leads(edit(2, { "edition--publish_date": "1950", "work--subjects": "Lost" }))).toMatch(
      /^303/,
    );
    expect(await read(await workOf("/books/OL2M"))).toMatchObject({
      title: "Orphan",
      covers: [7],
      subjects: ["Lost"],
      authors: [{ author: { key: "/authors/OL1A" } }],
      revision: 1,
    });
  });

  it("moves an edition to another work or a new one, but never to none", async () => {
    await ofOwn(103);
    await edit(103, { "edition--works--0--key": "/works/OL4W" });
    expect(await workOf("/books/OL103M")).toBe("/works/OL4W");
    await edit(103, { "edition--works--0--key": "", "edition--title": "Still there" });
    expect(await read("/books/OL103M")).toMatchObject({
      title: "Still there",
      works: [{ key: "/works/OL4W" }],
    });
    await edit(103, { "edition--works--0--key": "__new__", "work--title": "Its own" });
    expect(await read(await workOf("/books/OL103M"))).toMatchObject({ title: "Its own", revision: 1 });
    expect(await read("/works/OL4W")).toMatchObject({ title: "Empty", revision: 1 });
    const missing = await edit(103, { "edition--works--0--key": "/works/OL99W" });
    expect(missing.status).toBe(404);
  });

  it("follows a redirected work, and edits the work of work_key", async () => {
    await edit(4, { "edition--publish_date": "1960" });
    expect(await workOf("/books/OL4M")).toBe("/works/OL1W");
    await ofOwn(104);
    await edit(104, { "work--title": "By work_key" }, { query: "?work_key=/works/OL4W" });
    expect(await read("/works/OL4W")).toMatchObject({ title: "By work_key" });
    await edit(104, { "work--title": "Own again" }, { query: "?work_key=/works/OL99W" });
    expect(await workOf("/books/OL104M")).toBe("/works/OL4W");
  });

  it("keeps what others changed while the form was open", async () => {
    await ofOwn(105, { publishers: ["One"], publish_date: "1900" });
    await edit(105, { "edition--publish_date": "1901" });
    await edit(105, {
      "edition--revision": "1",
      "edition--publish_date": "1900",
      "edition--publishers": "Two",
      "edition--title": "Edition 105",
    });
    expect(await read("/books/OL105M")).toMatchObject({
      publish_date: "1901",
      publishers: ["Two"],
      revision: 3,
    });
  });

  it("shows conflicting changes of others, and saves the resolution", async () => {
    await ofOwn(110, { publishers: ["One"], publish_date: "1900", notes: "old" });
    const form = fieldsOf(
      await (await patron.fetch("/books/OL110M/Edition_110/edit", { headers: HTML })).text(),
    );
    await edit(110, { "edition--publish_date": "1901", "edition--notes": "theirs" });
    const typed = {
      ...form,
      "edition--publish_date": "1902",
      "edition--publishers": "Two",
      "edition--notes": "mine",
    };
    const answer = await edit(110, typed, { headers: HTML });
    expect(answer.status).toBe(409);
    const page = await answer.text();
    expect(page).toContain('<a href="#edition--publish_date">');
    expect(page).toContain("theirs--edition--publish_date");
    expect(page).not.toContain("theirs--edition--publishers");
    expect(await read("/books/OL110M")).toMatchObject({ publish_date: "1901", publishers: ["One"] });
    const again = fieldsOf(page);
    expect(again).toMatchObject({
      "edition--revision": "2",
      "edition--publish_date": "1902",
      "edition--publishers": "Two",
    });
    const merged = { ...again, "edition--notes": "both", "theirs--edition--publish_date": "true" };
    expect(await leads(edit(110, merged, { headers: HTML }))).toBe("303 /books/OL110M/Edition_110");
    expect(await read("/books/OL110M")).toMatchObject({
      publish_date: "1901",
      publishers: ["Two"],
      notes: { value: "both" },
      revision: 3,
    });
    // Programs say what is to be, as ever.
    expect((await edit(110, { "edition--revision": "1", "edition--notes": "x" })).status).toBe(303);
  });

  it("resolves authors, works and languages by name", async () => {
    await service.load(language("fre", "French"));
    await ofOwn(111);
    const send = (fields: Record<string, string>) => post(patron, "/works/OL111W/x/edit", fields, HTML);
    const name = "work--authors--0--author--key";
    const open = {
      [`${name}_text`]: "Bob Unknown",
      [`${name}_found`]: "Ann Author",
      [name]: "/authors/OL1A",
    };
    const asked = await send(open);
    expect(asked.status).toBe(400);
    expect(await asked.text()).toContain(`name="${name}" value="__new__"`);
    expect(await read("/works/OL111W")).toMatchObject({ revision: 1 });
    const made = { [`${name}_text`]: "Bob Unknown", [`${name}_found`]: "Bob Unknown", [name]: "__new__" };
    expect((await send(made)).status).toBe(303);
    const [role] = (await read("/works/OL111W"))["authors"] as { author: { key: string } }[];
    expect(await read(role?.author.key ?? "")).toMatchObject({ name: "Bob Unknown" });
    expect((await send({ [`${name}_text`]: "", [`${name}_found`]: "Bob Unknown", [name]: "x" })).status).toBe(
      303,
    );
    expect((await read("/works/OL111W"))["authors"] ?? []).toEqual([]);
    const found = await send({ find: "work--subjects", "work--subjects_text": "Sea", "work--title": "Kept" });
    expect([found.status, await found.text()]).toEqual([200, expect.stringContaining('value="Kept"')]);
    const more = { "work--subjects": "A", "work--subjects_text": "B, c", "work--subjects_more--0": "D" };
    expect((await send(more)).status).toBe(303);
    expect(await read("/works/OL111W")).toMatchObject({ subjects: ["A", "D", "B, c"] });
    expect((await edit(111, { "edition--languages": "english\nFrench" }, { headers: HTML })).status).toBe(
      303,
    );
    expect(await read("/books/OL111M")).toMatchObject({
      languages: [{ key: "/languages/eng" }, { key: "/languages/fre" }],
    });
  });

  it("asks about a mistyped ISBN and a date without a year, and saves them once confirmed", async () => {
    await ofOwn(112, { isbn_10: ["1"] });
    const fields = { "edition--isbn_10": "1\n0141439514", "work--first_publish_date": "sixteen hundred" };
    const page = await (await edit(112, fields, { headers: HTML })).text();
    expect(page).toContain("0141439514");
    expect(page).toContain("This date has no year: <bdi>sixteen hundred</bdi>.");
    const confirmed = { ...fields, _misprinted: "true", _undated: "true" };
    expect((await edit(112, { ...fields, _misprinted: "true" }, { headers: HTML })).status).toBe(400);
    for (const _time of [1, 2]) expect((await edit(112, confirmed, { headers: HTML })).status).toBe(303);
    expect(await read("/books/OL112M")).toMatchObject({ isbn_10: ["1", "0141439514"] });
    expect(await read("/works/OL112W")).toMatchObject({ first_publish_date: "sixteen hundred" });
    const ahead = await (await edit(112, { "edition--publish_date": "2399" }, { headers: HTML })).text();
    expect(ahead).toContain('name="_undated"');
  });

  it("lets only super-librarians and administrators change a scan", async () => {
    await ofOwn(106, { ocaid: "first" });
    const refused = await edit(106, { "edition--ocaid": "other" });
    expect([refused.status, await refused.json()]).toMatchObject([
      403,
      { at: { key: "/books/OL106M", property: "ocaid" } },
    ]);
    expect((await edit(106, { "edition--ocaid": "" })).status).toBe(403);
    expect(
      (await edit(106, { "edition--identifiers--0--name": "lccn", "edition--identifiers--0--value": "1" }))
        .status,
    ).toBe(303);
    expect((await edit(106, { "edition--ocaid": "other" }, { who: librarian })).status).toBe(303);
    expect(await read("/books/OL106M")).toMatchObject({ ocaid: "other", lccn: ["1"] });
  });

  it("reports all failures, and shows the form with the submitted text", async () => {
    await ofOwn(107);
    const fields = {
      "edition--title": "",
      "edition--number_of_pages": "many",
      "edition--notes": "typed <b>",
      "work--title": " ",
      "work--authors--0--author--key": "__new__",
    };
    const answer = await edit(107, fields);
    expect(answer.status).toBe(400);
    expect(Object(await answer.json())["errors"]).toHaveLength(3);
    const shown = await edit(107, fields, { headers: HTML });
    expect(shown.status).toBe(400);
    const page = await shown.text();
    expect(page).toContain('<a href="#edition--title">Enter a title</a>');
    expect(page).toContain('<a href="#work--title">Enter a title</a>');
    expect(page).toContain("typed &lt;b&gt;");
    const number = await edit(107, { "edition--number_of_pages": "many" }, { headers: HTML });
    expect(await number.text()).toContain('<a href="#edition--number_of_pages">');
    expect(await read("/books/OL107M")).toMatchObject({ revision: 1 });
  });

  it.each([
    ["/books/OL99M/edit", 404],
    ["/books/OL8M/edit", 404],
  ])("answers a POST to %s with %i", async (path, status) => {
    expect((await post(patron, path, { "edition--title": "x" })).status).toBe(status);
  });

  it("refuses forms that are too large", async () => {
    expect((await edit(1, { ["edition--".repeat(20)]: "x" })).status).toBe(400);
    expect((await edit(1, { "edition--notes": "x".repeat(1024 * 1024) })).status).toBe(413);
  });
});
