import { beforeAll, describe, expect, it } from "vitest";
import { type LoggedIn, loggedIn } from "../../support/worker/logged-in.ts";
import { author, work } from "../../support/worker/records.ts";
import { testService } from "../../support/worker/service.ts";

const service = testService();
const NUL = "a \0 b";
const TWAIN = { marc: ["1 \u001faTwain"], subjects: ["Electrons.\u001e 0"] };
let joe: LoggedIn;
let admin: LoggedIn;
let bot: LoggedIn;

beforeAll(async () => {
  joe = await loggedIn(service, "joe");
  admin = await loggedIn(service, "boss", { groups: ["admin", "api", "librarians"] });
  bot = await loggedIn(service, "bot", { bot: true });
  await service.load(author(1, TWAIN), author(2, { bio: "x \u0001", ...TWAIN }), work(1, { authors: [1] }));
});

const JSON_BODY = { "Content-Type": "application/json" };

describe("a control character in a text (Q777)", () => {
  const W1 = { key: "/works/OL1W", type: "/type/work" };
  const records: readonly [string, string, unknown, string][] = [
    ["POST", "/api/new", { type: "/type/work", title: NUL }, "title"],
    ["POST", "/api/new", { type: "/type/work", title: "a", subjects: ["\u000b"] }, "subjects"],
    ["POST", "/api/save_many", [{ ...W1, title: "a", links: [{ url: "http://a", title: "\b" }] }], "links"],
    ["PUT", "/works/OL1W", { ...W1, title: "\u001f" }, "title"],
    ["PUT", "/authors/OL1A", { type: "/type/author", name: "T", marc: [...TWAIN.marc, "\f"] }, "marc"],
  ];
  it.each(records)("is a 400 with the member of a record: %s %s %j", async (method, path, body, member) => {
    const response = await admin.fetch(path, { method, body: JSON.stringify(body), headers: JSON_BODY });
    expect([response.status, await response.json()]).toEqual([
      400,
      expect.objectContaining({ error: "bad_data", at: expect.objectContaining({ property: member }) }),
    ]);
  });

  const form = (fields: Record<string, string>) => new URLSearchParams(fields);
  const texts: readonly [string, BodyInit, ...(string | number)[]][] = [
    ["/people/joe/lists.json", JSON.stringify({ name: "a \u0001" }), "name"],
    ["/people/joe/lists.json", JSON.stringify({ name: "a", seeds: ["subject:\u0002x"] }), "seeds", 0],
    ["/works/OL1W/notes.json", JSON.stringify({ notes: NUL }), "notes"],
    ["/works/OL1W/notes.json", JSON.stringify({ notes: "a", "\0": 1 }), ""],
    ["/works/OL1W/notes", form({ notes: "a \u0001" }), "notes"],
    [
      "/account/create",
      form({ username: "new\0name", email: "a@b.example", password: "long enough" }),
      "username",
    ],
  ];
  it.each(texts)("is a 422 with the field of any other text: %s %s", async (path, body, ...field) => {
    const headers = typeof body === "string" ? JSON_BODY : {};
    const response = await joe.fetch(path, { method: "POST", body, headers });
    expect([response.status, await response.json()]).toEqual([
      422,
      { detail: [{ type: "string_unicode", loc: ["body", ...field], msg: expect.any(String) }] },
    ]);
  });

  it.each(["_comment", "_data"])("is a 400 in %s", async (member) => {
    const body = JSON.stringify({ ...W1, title: "b", [member]: member === "_data" ? { a: "\0" } : "\u0001" });
    const response = await admin.fetch("/works/OL1W", { method: "PUT", body, headers: JSON_BODY });
    expect([response.status, await response.text()]).toEqual([
      400,
      expect.stringMatching(/control characters/i),
    ]);
  });

  it("is dropped from imports with a warning", async () => {
    const record = {
      title: "Nul \0 title",
      authors: [{ name: "An\u0001n" }],
      publishers: ["P"],
      publish_date: "2001",
      source_records: ["x:\u00001"],
    };
    const response = await bot.fetch("/api/import", { method: "POST", body: JSON.stringify(record) });
    const reply = await response.json<{ edition: { key: string }; warnings: unknown }>();
    const code = "control-characters";
    expect(reply.warnings).toEqual([
      expect.objectContaining({ code, field: "title", value: "Nul  title" }),
      expect.objectContaining({ code, field: "authors.0.name" }),
      expect.objectContaining({ code, field: "source_records.0" }),
    ]);
    expect(await service.json(`${reply.edition.key}.json`)).toMatchObject({
      title: "Nul  title",
      source_records: ["x:1"],
    });
  });

  it("rejects a line of a dump that has U+0000, but no other one", async () => {
    const { created, rejected } = await service.load(author(8, { bio: "\u0001" }), author(9, { bio: NUL }));
    expect({ created, rejected }).toEqual({ created: 1, rejected: [{ line: 2, reason: "U+0000 in bio" }] });
  });

  it("stays if it was loaded, when its record is saved", async () => {
    const body = JSON.stringify({ ...Object(await service.json("/authors/OL1A.json")), name: "T" });
    expect((await admin.fetch("/authors/OL1A", { method: "PUT", body, headers: JSON_BODY })).status).toBe(
      200,
    );
    expect(await service.json("/authors/OL1A.json")).toMatchObject({ name: "T", ...TWAIN });
  });

  it("of a duplicate is dropped by a merge", async () => {
    const body = JSON.stringify({ master: "/authors/OL1A", duplicates: ["/authors/OL2A"] });
    const response = await admin.fetch("/authors/merge.json", { method: "POST", body, headers: JSON_BODY });
    expect(response.status).toBe(200);
    const marc = [...TWAIN.marc, "1 aTwain"];
    expect(await service.json("/authors/OL1A.json")).toMatchObject({ bio: { value: "x " }, marc });
  });

  it.each([
    "/search.json?q=",
    "/search/authors.json?q=",
    "/authors/OL1A/works.json?a=",
    "/works/",
    "/query.json?title=",
  ])("finds nothing in %s", async (path) => {
    for (const text of ["%00", "a%00b", "%01"])
      expect((await service.fetch(path + text)).status).toBeLessThan(500);
  });
});
