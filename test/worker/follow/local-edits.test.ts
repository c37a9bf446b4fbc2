import { beforeEach, describe, expect, it } from "vitest";
import {
  followBy,
  followedNetwork,
  SINCE,
  SOURCE,
  change,
  pageAt,
  record,
} from "../../support/worker/followed.ts";
import { OPERATOR } from "../../support/worker/import-queue.ts";
import { loggedIn } from "../../support/worker/logged-in.ts";
import { author, edition, work } from "../../support/worker/records.ts";
import { type TestService, testService } from "../../support/worker/service.ts";
import { emptyStores } from "../../support/worker/stored.ts";

const network = followedNetwork();
let service: TestService;
let put: (key: string, members: object) => Promise<unknown>;

beforeEach(async () => {
  await emptyStores();
  service = testService();
  await service.loadUnindexed(author(1), work(1, { subjects: ["Love"] }), work(2), edition(1, { work: 1 }));
  const boss = await loggedIn(service, "boss", { groups: ["admin"] });
  put = async (key, members) => {
    const kind = { W: "work", M: "edition", A: "author" }[key.at(-1) ?? ""];
    const body = JSON.stringify({ key, type: { key: `/type/${kind}` }, ...members });
    const answer = await boss.fetch(`${key}.json`, { method: "PUT", body });
    expect(answer.status, await answer.clone().text()).toBe(200);
    return answer.json();
  };
});

const list = async (
  query = "",
): Promise<{ status: number; body: { edits: object[]; next: string | null } }> => {
  const answer = await service.fetch(`/system/local-edits.json${query}`, { headers: OPERATOR });
  return { status: answer.status, body: await answer.json() };
};
const edit = (key: string, type: string, revision: number, base: number | null) => ({
  key,
  type: `/type/${type}`,
  revision,
  base,
  change: expect.any(Number) as number,
});

describe("GET /system/local-edits.json", () => {
  it("lists edited records in the order of their latest changes, with the revision that was loaded", async () => {
    expect((await list()).body).toEqual({ edits: [], next: null });
    await put("/works/OL2W", { title: "Two" });
    await put("/works/OL1W", { title: "One" });
    await put("/works/OL2W", { title: "Two, again" });
    await put("/authors/OL9A", { name: "Made here" });
    const edits = [
      edit("/works/OL1W", "work", 2, 1),
      edit("/works/OL2W", "work", 3, 1),
      edit("/authors/OL9A", "author", 1, null),
    ];
    expect((await list()).body).toEqual({ edits, next: null });
    const paged: object[] = [];
    for (let next: string | null = "0"; next !== null;) {
      const { body } = await list(`?limit=1&after=${next}`);
      paged.push(...body.edits);
      ({ next } = body);
    }
    expect(paged).toEqual(edits);
  });

  it("leaves out records of other kinds, and those that a load replaced", async () => {
    await put("/works/OL1W", { title: "One" });
    await service.loadUnindexed({ ...work(1), revision: 5 });
    expect((await list()).body.edits).toEqual([]);
  });

  it("returns the state of given records, by key", async () => {
    await put("/books/OL1M", { title: "Edited", works: [{ key: "/works/OL1W" }] });
    const keys = encodeURIComponent(JSON.stringify(["/works/OL1W", "/books/OL1M", "/works/OL404W"]));
    expect((await list(`?keys=${keys}`)).body).toEqual({
      edits: [edit("/books/OL1M", "edition", 2, 1), edit("/works/OL1W", "work", 1, 1)],
      next: null,
    });
  });

  it.each([
    ["?after=x", 422],
    ["?limit=1001", 422],
    ["?keys=x", 400],
    ["?keys=[1]", 400],
  ])("refuses %s with %i", async (query, status) => {
    expect((await list(query)).status).toBe(status);
  });

  it("is for the operator", async () => {
    expect((await service.fetch("/system/local-edits.json")).status).toBe(401);
  });
});

describe("follow: edits that the source accepted", () => {
  const followTo = async (
    revision: number,
    members: Record<string, unknown>,
    day = revision,
  ): Promise<unknown> => {
    network.answers({
      [pageAt()]: [change(day, { key: "/works/OL1W", revision })],
      [`${SOURCE}/works/OL1W.json`]: record("/works/OL1W", revision, members),
    });
    const { stored } = (await followBy(service, SINCE)) as { stored: number };
    const state = await (await service.fetch("/system/follow.json", { headers: OPERATOR })).json();
    return { stored, kept: (state as { kept: { key: string }[] }).kept.map(({ key }) => key) };
  };
  const title = "Work 1";

  it.each([
    ["a revision with all changes", 3, { title, subjects: ["Love", "War", "Peace"] }, true],
    ["a higher revision that lacks one", 3, { title, subjects: ["Love", "Peace"] }, false],
    ["an equal one of the same number", 2, { title, subjects: ["Love", "War"] }, true],
    ["no other one of the same number", 2, { title, subjects: ["Love", "War", "Peace"] }, false],
    ["no deleted record", 3, { title, subjects: ["Love", "War"], type: { key: "/type/delete" } }, false],
  ])("takes %s", async (_name, revision, members, isTaken) => {
    await put("/works/OL1W", { title, subjects: ["Love", "War"] });
    expect(await followTo(revision, members)).toEqual({
      stored: isTaken ? 1 : 0,
      kept: isTaken ? [] : ["/works/OL1W"],
    });
    const there = record("/works/OL1W", revision, members);
    const here = await service.json("/works/OL1W.json");
    if (isTaken) expect(here).toEqual(there);
    else expect(here).toMatchObject({ revision: 2, subjects: ["Love", "War"] });
    expect((await list()).body.edits).toHaveLength(isTaken ? 0 : 1);
  });

  it("lists a conflict until the source has the edit, and follows the record from then on", async () => {
    await put("/works/OL1W", { title, subjects: ["Love", "War"] });
    await put("/works/OL1W", { title, subjects: ["Love", "War", "Peace"] });
    const kept = ["/works/OL1W"];
    expect(await followTo(2, { title, subjects: ["Love", "War"] })).toEqual({ stored: 0, kept });
    expect(await followTo(4, { title, subjects: ["Love", "War", "Peace"] })).toEqual({ stored: 1, kept: [] });
    expect(await followTo(5, { title, subjects: ["Love"] })).toEqual({ stored: 2, kept: [] });
  });

  it("reports an equal record of a lower number as no conflict", async () => {
    await put("/works/OL1W", { title, subjects: ["Love", "War"] });
    await put("/works/OL1W", { title, subjects: ["Love", "War", "Peace"] });
    expect(await followTo(2, { title, subjects: ["Love", "War", "Peace"] })).toEqual({ stored: 0, kept: [] });
    expect(await service.json("/works/OL1W.json")).toMatchObject({ revision: 3 });
  });
});
