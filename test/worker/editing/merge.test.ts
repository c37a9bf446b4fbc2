import { env } from "cloudflare:workers";
import { beforeAll, describe, expect, it } from "vitest";
import { catalogFaults } from "../../support/worker/catalog-audit.ts";
import { type LoggedIn, loggedIn } from "../../support/worker/logged-in.ts";
import {
  author,
  authorKey,
  deleted,
  edition,
  editionKey,
  redirected,
  work,
  workKey,
} from "../../support/worker/records.ts";
import { type TestRecord, testService } from "../../support/worker/service.ts";

const service = testService();
let librarian: LoggedIn;
let chief: LoggedIn;
let next = 1000;
const numbers = (): [number, number, number] => [(next += 10), next + 1, next + 2];

beforeAll(async () => {
  librarian = await loggedIn(service, "libby", { groups: ["librarians"] });
  chief = await loggedIn(service, "chief", { groups: ["super-librarians"] });
});

const post = (path: string, body: unknown, who: Pick<LoggedIn, "fetch"> = librarian): Promise<Response> =>
  who.fetch(path, {
    method: "POST",
    body: typeof body === "string" ? body : JSON.stringify(body),
    headers: { "Content-Type": "application/json" },
  });
const mergeAuthors = (master: number, ...duplicates: number[]): Promise<Response> =>
  post("/authors/merge.json", { master: authorKey(master), duplicates: duplicates.map(authorKey) });
const read = async (key: string): Promise<Record<string, unknown>> => {
  const {
    created: _created,
    last_modified: _modified,
    latest_revision: _latest,
    ...rest
  } = (await service.json(`${key}.json`)) as Record<string, unknown>;
  return rest;
};
const newest = async (): Promise<Record<string, unknown>> =>
  ((await service.json("/recentchanges.json?limit=1")) as Record<string, unknown>[])[0]!;

describe("POST /authors/merge.json", () => {
  it("redirects the duplicates, updates references and fills the master in one change", async () => {
    const [a, b, c] = numbers();
    await service.load(
      author(a, { name: "Ann", photos: [1] }),
      author(b, { name: "Anna", photos: [2, 1], birth_date: "1900" }),
      work(a, { authors: [b] }),
      work(b, { authors: [a, b] }),
      edition(a, { work: a, authors: [{ key: authorKey(b) }], table_of_contents: ["One"] }),
      edition(b, { work: b }),
      work(c, { authors: [c] }),
    );
    const response = await mergeAuthors(a, b);
    expect(response.status).toBe(200);
    const saved = await response.json<{ key: string; revision: number }[]>();
    expect(saved[0]).toEqual({ key: authorKey(b), revision: 2 });
    expect(saved.at(-1)).toEqual({ key: authorKey(a), revision: 2 });
    expect(saved.map(({ key }) => key).sort()).toEqual(
      [authorKey(a), authorKey(b), workKey(a), workKey(b), editionKey(a)].sort(),
    );
    expect(await read(authorKey(b))).toMatchObject({
      type: { key: "/type/redirect" },
      location: authorKey(a),
    });
    expect(await read(authorKey(a))).toMatchObject({
      name: "Ann",
      photos: [1, 2],
      birth_date: "1900",
      alternate_names: ["Anna"],
    });
    const role = { type: { key: "/type/author_role" }, author: { key: authorKey(a) } };
    expect(await read(workKey(a))).toMatchObject({ authors: [role] });
    expect(await read(workKey(b))).toMatchObject({ authors: [role], revision: 2 });
    expect(await read(editionKey(a))).toMatchObject({
      authors: [{ key: authorKey(a) }],
      table_of_contents: [{ level: 0, label: "", title: "One", pagenum: "" }],
    });
    expect(await read(editionKey(b))).toMatchObject({ revision: 1 });
    expect(await newest()).toMatchObject({
      kind: "merge-authors",
      comment: "merge authors",
      author: { key: librarian.key },
      changes: saved,
      data: { master: authorKey(a), duplicates: [authorKey(b)] },
    });
    expect(response.headers.get("X-Carrel-Bookmark")).not.toBeNull();

    const again = await mergeAuthors(a, b);
    expect([again.status, await again.json()]).toEqual([200, []]);
  });

  it("accepts deleted and redirected duplicates, and ignores unknown ones and the master", async () => {
    const [a, b, c] = numbers();
    await service.load(author(a), deleted(authorKey(b), 2), redirected(authorKey(c), authorKey(a), 3));
    const response = await mergeAuthors(a, b, c, a, 999_999);
    expect(await response.json()).toEqual([{ key: authorKey(b), revision: 3 }]);
    expect(await newest()).toMatchObject({ data: { duplicates: [authorKey(b), authorKey(c)] } });
  });

  it("updates references by old keys", async () => {
    const [a, b] = numbers();
    await service.load(author(a), author(b), edition(a, { authors: [{ key: `/a/OL${b}A` }] }));
    expect((await mergeAuthors(a, b)).status).toBe(200);
    expect(await read(editionKey(a))).toMatchObject({ authors: [{ key: authorKey(a) }] });
  });

  it("updates references in the master itself and in excerpts", async () => {
    const [a, b] = numbers();
    await service.load(
      author(a, { links: [{ title: "x", url: "u", about: { key: authorKey(b) } }] }),
      author(b),
      work(a, { authors: [a], excerpts: [{ excerpt: "x", about: { key: authorKey(b) } }] }),
      edition(a, { work: a, authors: [{ key: authorKey(b) }] }),
    );
    expect((await mergeAuthors(a, b)).status).toBe(200);
    expect(await read(workKey(a))).toMatchObject({
      excerpts: [{ excerpt: "x", about: { key: authorKey(a) } }],
    });
    expect(await read(authorKey(a))).toMatchObject({ links: [{ about: { key: authorKey(a) } }] });
  });

  const valid = { master: "/authors/OL1A", duplicates: ["/authors/OL2A"] };
  it.each<[string, unknown, number, unknown]>([
    ["no body", "", 422, [{ type: "missing", loc: ["body"], msg: "Field required", input: null }]],
    ["no JSON", "{", 422, [{ type: "json_invalid", loc: ["body", expect.any(Number)] }]],
    [
      "wrong types",
      { master: 1, duplicates: "x", mrid: 5 },
      422,
      [
        { type: "string_type", loc: ["body", "master"], msg: "Input should be a valid string", input: 1 },
        { type: "list_type", loc: ["body", "duplicates"], msg: "Input should be a valid list" },
        { type: "string_type", loc: ["body", "mrid"] },
      ],
    ],
    [
      "a number among the duplicates",
      { ...valid, duplicates: [1] },
      422,
      [{ loc: ["body", "duplicates", 0] }],
    ],
    [
      "a body of no depth that records have",
      "[".repeat(20_000) + "]".repeat(20_000),
      422,
      [{ type: "json_invalid", loc: ["body", 0] }],
    ],
    ["empty duplicates", { ...valid, duplicates: [] }, 400, { error: "bad_data" }],
    [
      "an unknown master",
      { ...valid, master: "/authors/OL9999A" },
      400,
      { error: "bad_data", key: "/authors/OL9999A" },
    ],
    ["a work as master", { ...valid, master: "/works/OL1W" }, 400, { error: "bad_data" }],
    ["a work as duplicate", { ...valid, duplicates: ["/works/OL1W"] }, 400, { error: "bad_data" }],
  ])("refuses %s", async (_what, body, status, detail) => {
    const response = await post("/authors/merge.json", body);
    expect(response.status).toBe(status);
    expect(await response.json()).toMatchObject({ detail });
  });

  it.each([
    ["deleted", (key: string): TestRecord => deleted(key, 2)],
    ["a redirect", (key: string): TestRecord => redirected(key, "/authors/OL1A")],
  ])("refuses a master that is %s", async (_what, made) => {
    const [a, b] = numbers();
    await service.load(made(authorKey(a)), author(b));
    const response = await mergeAuthors(a, b);
    expect(response.status).toBe(400);
    expect(await response.json()).toMatchObject({
      detail: { error: "bad_data", message: expect.stringMatching(/^expected \/type\/author, found/) },
    });
    expect(await read(authorKey(b))).toMatchObject({ revision: 1 });
  });

  it("reports an invalid body before missing access", async () => {
    expect((await post("/authors/merge.json", "{", service)).status).toBe(422);
  });

  it("saves nothing when one of the records cannot be saved", async () => {
    const [a, b] = numbers();
    await service.load(
      author(a),
      author(b),
      work(a, { authors: [b] }),
      work(b, { authors: [b], permission: { key: "/permission/restricted" } }),
      { key: "/permission/restricted", type: "/type/permission", writers: [{ key: "/usergroup/admin" }] },
    );
    const response = await mergeAuthors(a, b);
    expect(response.status).toBe(400);
    expect(await response.json()).toMatchObject({
      detail: { error: "permission_denied", message: `Permission denied to modify '${workKey(b)}'` },
    });
    expect(await read(workKey(a))).toMatchObject({ revision: 1 });
  });
});

describe("POST /works/merge.json", () => {
  it("moves editions, redirects works and joins their members", async () => {
    const [a, b] = numbers();
    await service.load(
      author(a),
      author(b),
      work(a, { title: "T", authors: [a], subjects: ["x"] }),
      work(b, { title: "Other", authors: [a, b], subjects: ["x", "y"], covers: [7] }),
      edition(a, { work: b }),
      edition(b, { work: a }),
    );
    const body = { master: workKey(a), duplicates: [workKey(b)], mrid: "12345" };
    expect((await post("/works/merge.json", body)).status).toBe(403);
    const response = await post("/works/merge.json", body, chief);
    expect([response.status, await response.json()]).toEqual([
      200,
      [
        { key: workKey(b), revision: 2 },
        { key: editionKey(a), revision: 2 },
        { key: workKey(a), revision: 2 },
      ],
    ]);
    expect(await read(workKey(a))).toMatchObject({
      title: "T",
      other_titles: ["Other"],
      subjects: ["x", "y"],
      covers: [7],
      authors: [{ author: { key: authorKey(a) } }, { author: { key: authorKey(b) } }],
    });
    expect(await read(workKey(b))).toMatchObject({ location: workKey(a) });
    expect(await read(editionKey(a))).toMatchObject({ works: [{ key: workKey(a) }] });
    expect(await newest()).toMatchObject({
      kind: "merge-works",
      comment: "Merge works (MRID: 12345)",
      data: { master: workKey(a), duplicates: [workKey(b)], mrid: "12345" },
    });
  });
});

describe("after all merges", () => {
  it("the catalog is consistent", async () => {
    expect((await catalogFaults()).filter((fault) => !fault.endsWith("have gaps"))).toEqual([]);
    const open = await env.CATALOG.prepare("SELECT count(*) AS count FROM merge_job").first("count");
    expect(open).toBe(0);
  });
});
