import { beforeAll, describe, expect, it } from "vitest";
import { stored } from "../../support/worker/desk.ts";
import { JSON_BODY, newList } from "../../support/worker/list-writing.ts";
import { type LoggedIn, loggedIn } from "../../support/worker/logged-in.ts";
import { work } from "../../support/worker/records.ts";
import { testService } from "../../support/worker/service.ts";
import { HTML, fieldsOf, leads, looking, post, send } from "../../support/worker/writing.ts";

const service = testService();
const { lastChange } = looking(service);
let joe: LoggedIn;
let ann: LoggedIn;

beforeAll(async () => {
  joe = await loggedIn(service, "joe");
  ann = await loggedIn(service, "ann");
  await service.load(
    work(1),
    work(2),
    work(3, { series: [{ series: { key: "/series/OL500L" }, position: "2" }] }),
    {
      key: "/series/OL500L",
      type: "/type/series",
      name: "Dune",
    },
  );
});

const seedsOf = async (key: string) => (await stored(key))?.["seeds"];
const keyIn = (location: string) => /\/(?:people\/joe\/)?(?:lists|series)\/OL\d+L/.exec(location)?.[0] ?? "";

describe("adding a book to an existing list", () => {
  it("offers add and remove on the page and redirects back", async () => {
    const key = keyIn(await leads(post(joe, "/people/joe/lists/add", { name: "Kept <i>", seeds: "OL2W" })));
    const offer = async () =>
      (await joe.fetch("/people/joe/lists/add?seeds=/works/OL1W", { headers: HTML })).text();
    const first = await offer();
    expect(first).toMatch(/Add to <b[^>]*>Kept &lt;i&gt;<\/b>/);
    expect(fieldsOf(first)).toMatchObject({ add: "/works/OL1W", seeds: "/works/OL1W" });
    const action = `${key}/seeds?redir_url=%2Fworks%2FOL1W`;
    expect(first).toContain(`action="${action}"`);
    expect(await leads(post(joe, action, { add: "/works/OL1W" }, HTML))).toBe("303 /works/OL1W");
    expect(await seedsOf(key)).toEqual([{ key: "/works/OL2W" }, { key: "/works/OL1W" }]);
    const second = await offer();
    expect(second).toMatch(/Remove from <b[^>]*>Kept &lt;i&gt;<\/b>/);
    await post(joe, action, { remove: "/works/OL1W" }, HTML);
    expect(await seedsOf(key)).toEqual([{ key: "/works/OL2W" }]);
    // Several books, or none, begin a new list.
    for (const seeds of ["", "OL1W,OL2W"]) {
      const page = await joe.fetch(`/people/joe/lists/add?seeds=${seeds}`, { headers: HTML });
      expect(await page.text()).not.toContain("Add to ");
    }
  });
});

describe("POST /people/<username>/lists/add", () => {
  it("creates a list from form fields", async () => {
    const fields = {
      name: "My list",
      description: "Of it",
      tags: "a, b",
      "seeds--0--key": "/works/OL1W",
      "seeds--1--thing--key": "/works/OL2W",
      "seeds--1--notes": "why",
      "seeds--1--position": "3",
      _comment: "My first",
    };
    const location = await leads(post(joe, "/people/joe/lists/add", fields));
    expect(location).toMatch(/^303 \/people\/joe\/lists\/OL\d+L\/My_list$/);
    expect(await stored(keyIn(location))).toMatchObject({
      name: "My list",
      description: { value: "Of it" },
      tags: ["a", "b"],
      seeds: [{ key: "/works/OL1W" }, { thing: { key: "/works/OL2W" }, notes: "why", position: "3" }],
    });
    expect(await lastChange()).toMatchObject({ kind: "create-list", comment: "My first" });
  });

  it("accepts seeds as text with commas, and JSON", async () => {
    const location = await leads(post(joe, "/people/joe/lists/add", { name: "x", seeds: "OL1W,OL2W" }));
    expect(await seedsOf(keyIn(location))).toEqual([{ key: "/works/OL1W" }, { key: "/works/OL2W" }]);
    const { status, body } = await send(
      joe,
      ["POST", "/people/joe/lists/add"],
      { name: "y", seeds: "OL1W,subject:x" },
      JSON_BODY,
    );
    expect({ status, body }).toEqual({ status: 200, body: { key: expect.any(String) } });
    expect(await seedsOf(Object(body)["key"])).toEqual([{ key: "/works/OL1W" }, "subject:x"]);
  });

  it("creates community lists for signed-in patrons", async () => {
    const location = await leads(post(ann, "/lists/add", { name: "Ours" }));
    expect(location).toMatch(/^303 \/lists\/OL\d+L\/Ours$/);
    expect((await post(service, "/lists/add", { name: "Ours" })).status).toBe(401);
    expect((await post(service, "/series/add", { name: "Ours" })).status).toBe(401);
    expect((await post(ann, "/people/joe/lists/add", { name: "His" })).status).toBe(403);
    expect((await post(ann, "/people/nobody/lists/add", { name: "His" })).status).toBe(404);
  });

  it("returns the form with errors, or 400 as JSON, without a name", async () => {
    const response = await post(joe, "/people/joe/lists/add", { name: " ", seeds: "OL1W, foo" }, HTML);
    expect(response.status).toBe(400);
    const text = await response.text();
    expect(text).toContain("A list name is required.");
    expect(text).toContain("Invalid seed");
    expect(fieldsOf(text)).toMatchObject({ name: "", seeds: "OL1W, foo" });
    expect(await send(joe, ["POST", "/people/joe/lists/add"], {}, JSON_BODY)).toEqual({
      status: 400,
      body: { detail: "A list name is required." },
    });
  });
});

describe("GET /lists/add and <list>/edit", () => {
  it("redirects to the login or answers 403", async () => {
    expect((await joe.fetch("/people/joe/lists/add", { headers: HTML })).status).toBe(200);
    expect((await joe.fetch("/series/add", { headers: HTML })).status).toBe(200);
    expect((await ann.fetch("/people/joe/lists/add", { headers: HTML })).status).toBe(403);
    expect(await leads(service.fetch("/lists/add", { headers: HTML }))).toBe(
      "303 /account/login?redirect=%2Flists%2Fadd",
    );
  });

  it("prefills from the query, escaped", async () => {
    const path = `/lists/add?seeds=OL1W,OL2W&name=${encodeURIComponent('"><script>')}`;
    const text = await (await joe.fetch(path, { headers: HTML })).text();
    expect(text).not.toContain("<script>");
    expect(fieldsOf(text)).toMatchObject({ seeds: "OL1W\r\nOL2W", name: '"><script>' });
  });

  it("returns key and revision as JSON", async () => {
    const list = await newList(joe, { name: "Mine" });
    for (const path of [`${list}/edit`, `${list}/Mine/edit`]) {
      expect(await service.json(path)).toEqual({ key: list, revision: 1 });
    }
    expect(await leads(service.fetch(`${list}/x/edit`, { headers: HTML }))).toBe(`301 ${list}/Mine/edit`);
    expect((await service.fetch("/lists/OL77L/edit")).status).toBe(404);
    expect((await service.fetch("/lists/x/edit")).status).toBe(422);
    expect((await ann.fetch(`${list}/Mine/edit`, { headers: HTML })).status).toBe(403);
  });
});

describe("POST <list>/edit", () => {
  it("keeps everything that the form does not show", async () => {
    const seeds = ["OL1W", { thing: { key: "/works/OL2W" }, notes: "A | b\nc", position: "1" }, "subject:x"];
    const list = await newList(joe, { name: "Mine", description: "one\ntwo", tags: ["a", "b"], seeds });
    await service.load({
      ...Object(await stored(list)),
      key: list,
      type: "/type/list",
      revision: 2,
      cover: 7,
    });
    const text = await (await joe.fetch(`${list}/edit`, { headers: HTML })).text();
    const fields = fieldsOf(text);
    expect(fields).toMatchObject({ name: "Mine", revision: "2" });
    expect(await leads(post(joe, `${list}/edit`, fields))).toBe(`303 ${list}/Mine`);
    expect(await stored(list)).toMatchObject({ revision: 2 });
    expect(await leads(post(joe, `${list}/Mine/edit`, { ...fields, name: "Other" }))).toBe(
      `303 ${list}/Other`,
    );
    expect(await stored(list)).toMatchObject({
      name: "Other",
      description: { value: "one\ntwo" },
      tags: ["a", "b"],
      cover: 7,
      seeds: [
        { key: "/works/OL1W" },
        { thing: { key: "/works/OL2W" }, notes: "A | b\nc", position: "1" },
        "subject:x",
      ],
      revision: 3,
    });
    expect(await lastChange()).toMatchObject({ kind: "edit-list", data: { list: { key: list } } });
  });

  it("replaces all members except tags", async () => {
    const list = await newList(joe, { name: "Mine", description: "x", tags: ["a"], seeds: ["OL1W"] });
    expect(await send(joe, ["POST", `${list}/edit`], { name: "New" }, JSON_BODY)).toEqual({
      status: 200,
      body: { key: list },
    });
    const after = await stored(list);
    expect(after).toMatchObject({ name: "New", tags: ["a"] });
    expect(after).not.toHaveProperty("seeds");
    expect(after).not.toHaveProperty("description");
  });

  it("answers 409 with the form when the list changed since", async () => {
    const list = await newList(joe, { name: "Mine" });
    const fields = fieldsOf(await (await joe.fetch(`${list}/edit`, { headers: HTML })).text());
    await send(joe, ["POST", `${list}/edit`], { name: "Meanwhile" }, JSON_BODY);
    const response = await post(joe, `${list}/edit`, { ...fields, name: "Late" }, HTML);
    expect(response.status).toBe(409);
    const text = await response.text();
    expect(text).toContain("Someone else edited this record while you were editing.");
    expect(fieldsOf(text)).toMatchObject({ name: "Late", revision: "2" });
    expect(await leads(post(joe, `${list}/edit`, fieldsOf(text), HTML))).toBe(`303 ${list}/Late`);
  });

  it("admits owners, and every patron for community lists", async () => {
    const list = await newList(joe, { name: "Mine" });
    expect((await post(ann, `${list}/edit`, { name: "x" })).status).toBe(403);
    expect((await post(service, `${list}/edit`, { name: "x" })).status).toBe(401);
    expect((await post(ann, "/lists/OL77L/edit", { name: "x" })).status).toBe(404);
    const ours = keyIn(await leads(post(joe, "/lists/add", { name: "Ours" })));
    expect(await leads(post(ann, `${ours}/edit`, { name: "All of ours" }))).toBe(`303 ${ours}/All_of_ours`);
  });

  it("edits a series with its works", async () => {
    const text = await (await ann.fetch("/series/OL500L/edit", { headers: HTML })).text();
    const fields = fieldsOf(text);
    expect(fields).toMatchObject({ name: "Dune", seeds: "/works/OL3W | 2" });
    await post(ann, "/series/OL500L/edit", { ...fields, seeds: `${fields["seeds"]}\r\nOL1W | 3` });
    expect(await stored("/works/OL1W")).toMatchObject({
      series: [{ series: { key: "/series/OL500L" }, position: "3" }],
    });
    expect(await stored("/works/OL3W")).toMatchObject({ revision: 1 });
  });
});
