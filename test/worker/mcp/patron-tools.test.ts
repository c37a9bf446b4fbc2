import { beforeAll, describe, expect, it } from "vitest";
import { type Agent, connectAgent, textOf, tokenOf } from "../../support/worker/agents.ts";
import { indexAll } from "../../support/worker/indexing.ts";
import { type LoggedIn, loggedIn } from "../../support/worker/logged-in.ts";
import { edition, work } from "../../support/worker/records.ts";
import { testService } from "../../support/worker/service.ts";

const service = testService();
let reader: LoggedIn;
let agent: Agent;

beforeAll(async () => {
  reader = await loggedIn(service, "reader");
  await service.load(work(1, { title: "Emma" }), work(2), edition(1, { work: 1 }));
  await indexAll();
  agent = await connectAgent(service, { token: await tokenOf(reader, ["read", "shelves", "lists", "edit"]) });
});

describe("tools of a person", () => {
  it("put a work on a shelf, which my_shelves lists", async () => {
    const put = { work: "OL1W", shelf: "currently-reading", edition: "OL1M" };
    expect(await agent.read("put_on_shelf", put)).toEqual({
      work: "/works/OL1W",
      shelf: "currently-reading",
      changed: 1,
    });
    expect(await agent.read("my_shelves", { shelf: "currently-reading" })).toMatchObject({
      total: 1,
      entries: [{ work: { key: "/works/OL1W", title: "Emma" }, logged_edition: "/books/OL1M" }],
    });
    // Again, it changes nothing: the hint says so.
    expect(await agent.read("put_on_shelf", put)).toMatchObject({ shelf: "currently-reading" });
    expect(await agent.read("my_shelves", { shelf: "currently-reading" })).toMatchObject({ total: 1 });
    await agent.read("put_on_shelf", { work: "OL1W", shelf: "none" });
    expect(await agent.read("my_shelves", { shelf: "currently-reading" })).toEqual({ total: 0, entries: [] });
  });

  it.each([
    ["2026-11-30", "finished", { event_type: 3, event_date: "2026-11-30" }],
    ["2026-11", "continued", { event_type: 2, event_date: "2026-11" }],
    ["2025", "started", { event_type: 1, event_date: "2025" }],
  ])("record a reading of %s", async (date, event, entry) => {
    const { id } = await agent.read("record_reading", { work: "/works/OL2W", event, date });
    const { entries } = (await reader.json("/works/OL2W/check-ins.json")) as { entries: { id: number }[] };
    expect(entries.find((one) => one.id === id)).toMatchObject(entry);
  });

  it("list lists, and add to one of them", async () => {
    await reader.fetch("/people/reader/lists.json", {
      method: "POST",
      body: JSON.stringify({ name: "To buy", seeds: [] }),
      headers: { "Content-Type": "application/json" },
    });
    const { lists } = await agent.read("my_lists");
    const [list] = lists as { key: string; name: string }[];
    expect([list?.name, list?.key]).toEqual([
      "To buy",
      expect.stringMatching(/^\/people\/reader\/lists\/OL\d+L$/),
    ]);
    const items = ["/works/OL1W", "/books/OL1M", "subject:love"];
    const added = await agent.read("add_to_list", { list: list?.key, items });
    expect(added).toEqual({ list: list?.key, revision: 2 });
    expect(await agent.read("add_to_list", { list: list?.key, items })).toEqual(added);
    expect(await service.json(`${list?.key}/seeds.json`)).toMatchObject({ size: 3 });
  });

  it.each<[string, object, number]>([
    ["put_on_shelf", { work: "OL1M", shelf: "already-read" }, 400],
    ["record_reading", { work: "OL1W", event: "finished", date: "2026-02-31" }, 422],
    ["add_to_list", { list: "/people/other/lists/OL1L", items: ["/works/OL1W"] }, 404],
    ["add_to_list", { list: "/account", items: ["/works/OL1W"] }, 400],
    ["add_to_list", { list: "/people/../lists/OL1L", items: ["/works/OL1W"] }, 400],
    ["propose_change", { key: "OL1W", revision: 1, changes: { title: 7 }, comment: "x" }, 400],
    ["propose_change", { key: "OL1W", revision: 9, changes: { title: "E" }, comment: "x" }, 409],
    ["propose_change", { key: "OL1W", revision: 1, changes: { title: "E" }, comment: "x", save: true }, 403],
  ])("refuse %s %j with %i", async (tool, input, status) => {
    const failed = await agent.call(tool, input as Record<string, unknown>);
    expect([failed.isError, JSON.parse(textOf(failed))]).toEqual([
      true,
      { error: expect.any(String), status, next_step: expect.any(String) },
    ]);
  });
});

describe("propose_change", () => {
  const change = {
    key: "/works/OL1W",
    revision: 1,
    changes: { title: "Emma: a novel" },
    comment: "title page",
  };

  it("stores a proposal and leaves the record", async () => {
    const { id, ...rest } = await agent.read("propose_change", change);
    expect(rest).toEqual({ state: "proposed", url: `http://carrel.test/proposals/${id}` });
    expect(await reader.json(`/proposals/${id}.json`)).toMatchObject({
      key: "/works/OL1W",
      changes: change.changes,
      comment: "title page",
      submitter: "reader",
    });
    expect(await service.json("/works/OL1W.json")).toMatchObject({ title: "Emma", revision: 1 });
  });

  it("saves at once only for accounts that may write records, at the revision that was read", async () => {
    const bot = await loggedIn(service, "robot", { groups: ["api"] });
    const { read, call } = await connectAgent(service, { token: await tokenOf(bot, ["read", "edit"]) });
    const saved = await read("propose_change", { ...change, changes: { subjects: ["Love"] }, save: true });
    expect(saved).toEqual({ state: "saved", url: "http://carrel.test/works/OL1W", revision: 2 });
    expect(await service.json("/works/OL1W.json")).toMatchObject({ title: "Emma", subjects: ["Love"] });
    expect(await service.json("/recentchanges.json?limit=1")).toMatchObject([
      { author: { key: "/people/robot" }, comment: "title page" },
    ]);
    const outdated = await call("propose_change", { ...change, save: true });
    expect(JSON.parse(textOf(outdated))).toMatchObject({
      status: 409,
      next_step: expect.stringMatching(/^Read the record again/),
    });
  });
});
