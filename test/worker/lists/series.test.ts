import { beforeAll, beforeEach, describe, expect, it } from "vitest";
import { SERIES_SEEDS_MAX } from "../../../src/catalog/lists/seeds.ts";
import { catalogFaults } from "../../support/worker/catalog-audit.ts";
import { emptyCatalog, stored } from "../../support/worker/desk.ts";
import { JSON_BODY, postSeeds } from "../../support/worker/list-writing.ts";
import { type LoggedIn, loggedIn } from "../../support/worker/logged-in.ts";
import { edition, work, workKey } from "../../support/worker/records.ts";
import { testService } from "../../support/worker/service.ts";
import { looking, post, send } from "../../support/worker/writing.ts";

const service = testService();
const { lastChange } = looking(service);
const SERIES = "/series/OL500L";
let ann: LoggedIn;

beforeAll(() => emptyCatalog());
beforeEach(async () => {
  await emptyCatalog();
  ann = await loggedIn(service, "ann");
  const other = { series: { key: "/series/OL501L" }, position: "7" };
  await service.load(
    { key: SERIES, type: "/type/series", name: "Dune" },
    { key: "/series/OL501L", type: "/type/series", name: "Another" },
    work(1, { series: [{ series: { key: SERIES }, position: "1" }] }),
    work(2, { series: [other, { series: { key: SERIES } }] }),
    work(3),
    edition(4),
  );
});

const edgesOf = async (id: number): Promise<unknown> => (await stored(workKey(id)))?.["series"];
const edge = (more: object = {}) => ({ series: { key: SERIES }, ...more });
const other = { series: { key: "/series/OL501L" }, position: "7" };

describe("POST /series/OL500L/seeds.json", () => {
  it("edits the series members of the works in one change with the series", async () => {
    const add = [{ thing: { key: workKey(3) }, position: "3", notes: "late" }, "OL2W"];
    expect(await postSeeds(ann, SERIES, { add, remove: [workKey(1)] })).toEqual({
      status: 200,
      body: { key: SERIES, revision: 2 },
    });
    expect(await edgesOf(1)).toBeUndefined();
    expect(await edgesOf(2)).toEqual([other, edge()]);
    expect(await edgesOf(3)).toEqual([edge({ notes: "late", position: "3" })]);
    expect(await stored(SERIES)).not.toHaveProperty("seeds");
    expect(await lastChange()).toMatchObject({
      kind: "edit-series-seeds",
      data: { list: { key: SERIES }, add, remove: [workKey(1)] },
      changes: [
        { key: SERIES, revision: 2 },
        { key: workKey(3), revision: 2 },
        { key: workKey(1), revision: 2 },
      ],
    });
    expect(await catalogFaults()).toEqual([]);
  });

  it.each([
    ["OL4M", "Invalid seed"],
    ["subject:x", "Invalid seed"],
    ["OL99W", "Seed not found: /works/OL99W"],
  ])("takes works only and answers 400 for %s", async (seed, detail) => {
    expect(await postSeeds(ann, SERIES, { add: ["OL3W", seed] })).toEqual({ status: 400, body: { detail } });
    expect(await edgesOf(3)).toBeUndefined();
  });
});

// Q264
describe("more works than the limit", () => {
  const detail = `Change at most ${SERIES_SEEDS_MAX} works of a series at once`;
  const many = Array.from({ length: SERIES_SEEDS_MAX + 1 }, (_one, n) => workKey(1000 + n));

  it.each([
    ["added", { add: many }],
    ["removed", { remove: many }],
    ["added and removed", { add: many.slice(1), remove: [workKey(1)] }],
  ])("cannot be %s at once", async (_how, change) => {
    expect(await postSeeds(ann, SERIES, change)).toEqual({ status: 400, body: { detail } });
  });

  it("are refused by the form", async () => {
    const body = { name: "Long", seeds: many };
    for (const path of ["/series/add", `${SERIES}/edit`]) {
      expect(await send(ann, ["POST", path], body, JSON_BODY)).toEqual({ status: 400, body: { detail } });
    }
  });

  it("are counted once each", async () => {
    const remove = Array.from({ length: SERIES_SEEDS_MAX + 1 }, () => workKey(1));
    expect(await postSeeds(ann, SERIES, { remove })).toMatchObject({ status: 200 });
  });
});

describe("concurrent edits of works", () => {
  it("lose neither side", async () => {
    const titles = Array.from({ length: 6 }, (_one, n) => `Title ${n}`);
    const answers = await Promise.all([
      ...titles.map((title) => post(ann, "/works/OL3W/edit", { "work--title": title })),
      ...[1, 2, 3, 4].map((n) =>
        postSeeds(ann, SERIES, { add: [{ thing: { key: workKey(3) }, position: String(n) }] }),
      ),
    ]);
    expect(answers.map(({ status }) => status)).toEqual([...titles.map(() => 303), 200, 200, 200, 200]);
    const { title, series } = (await stored(workKey(3))) ?? {};
    expect(titles).toContain(title);
    expect(series).toEqual([edge({ position: expect.stringMatching(/^[1-4]$/) })]);
    expect(await catalogFaults()).toEqual([]);
  });
});

describe("the form of a series", () => {
  const add = (body: object) => send(ann, ["POST", "/series/add"], body, JSON_BODY);
  const edit = (body: object) => send(ann, ["POST", `${SERIES}/edit`], body, JSON_BODY);

  it("creates a series with its works in one change", async () => {
    const seeds = [{ thing: { key: workKey(3) }, position: "1" }, "OL1W"];
    const { status, body } = await add({ name: "New", description: "All of it", seeds });
    const { key } = Object(body);
    expect({ status, key }).toEqual({ status: 200, key: expect.stringMatching(/^\/series\/OL\d+L$/) });
    expect(await stored(key)).toMatchObject({ type: { key: "/type/series" }, name: "New", revision: 1 });
    expect(await edgesOf(3)).toEqual([{ series: { key }, position: "1" }]);
    expect(await edgesOf(1)).toEqual([edge({ position: "1" }), { series: { key } }]);
    expect(await lastChange()).toMatchObject({
      kind: "create-series",
      data: { list: { key } },
      changes: [{ key }, { key: workKey(3) }, { key: workKey(1) }],
    });
    expect(await catalogFaults()).toEqual([]);
  });

  it("requires a name and works", async () => {
    expect(await add({ seeds: [] })).toEqual({
      status: 400,
      body: { detail: "A series name is required." },
    });
    expect(await add({ name: "x", seeds: ["OL4M"] })).toMatchObject({ body: { detail: "Invalid seed" } });
    expect(await add({ name: "x", seeds: ["OL99W"] })).toEqual({
      status: 400,
      body: { detail: "Seed not found: /works/OL99W" },
    });
  });

  it("adds, updates and removes works", async () => {
    const seeds = [{ thing: { key: workKey(2) }, position: "1" }, "OL3W"];
    expect(await edit({ name: "Dune", seeds })).toEqual({ status: 200, body: { key: SERIES } });
    expect(await edgesOf(1)).toBeUndefined();
    expect(await edgesOf(2)).toEqual([other, edge({ position: "1" })]);
    expect(await edgesOf(3)).toEqual([edge()]);
    // Its own record says the same as before, and has a revision with them all the same.
    expect(await stored(SERIES)).toMatchObject({ name: "Dune", revision: 2 });
    expect(await lastChange()).toMatchObject({ kind: "edit-series" });
  });

  it.each([
    ["GET", "/people/ann/series/add"],
    ["POST", "/people/ann/series/add"],
    ["GET", "/people/ann/series/OL1L/edit"],
    ["POST", "/people/ann/series/OL1L/edit"],
  ])("answers 400 for %s %s", async (method, path) => {
    expect((await ann.fetch(path, { method })).status).toBe(400);
  });
});
