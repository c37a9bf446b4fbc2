import { beforeAll, describe, expect, it } from "vitest";
import { saved } from "../../support/worker/desk.ts";
import { callHook } from "../../support/worker/hooks.ts";
import { loggedIn } from "../../support/worker/logged-in.ts";
import { author, deleted, work } from "../../support/worker/records.ts";
import { testService } from "../../support/worker/service.ts";

const service = testService();
const versions = (query: unknown) => callHook(service, "versions", { query });
const rows = async (query: unknown): Promise<string[]> => {
  const { status, result } = await versions(query);
  expect(status).toBe("ok");
  const found: { key: string; revision: number }[] = Object(result);
  return found.map(({ key, revision }) => `${key}@${revision}`);
};
const modified = (second: number) => `2026-11-02T00:00:0${second}.000000`;

beforeAll(async () => {
  await service.load(work(1, { modified: modified(1) }));
  await service.load(author(1, { modified: modified(2) }));
  await service.load(work(1, { revision: 2, modified: modified(3) }));
  await service.load(work(2, { modified: modified(4) }));
  await service.load(deleted("/works/OL2W", 2, { modified: modified(5) }));
});

const ALL = ["/works/OL2W@2", "/works/OL2W@1", "/works/OL1W@2", "/authors/OL1A@1", "/works/OL1W@1"];

describe("GET /api/versions", () => {
  it.each([
    [{}, ALL],
    [{ sort: "created" }, ALL.toReversed()],
    [{ limit: 2 }, ALL.slice(0, 2)],
    [{ limit: 2, offset: 2 }, ALL.slice(2, 4)],
    [{ limit: 0 }, []],
    [{ key: "/works/OL1W" }, ["/works/OL1W@2", "/works/OL1W@1"]],
    [{ key: "/works/OL1W", revision: 1 }, ["/works/OL1W@1"]],
    [{ revision: 2 }, ["/works/OL2W@2", "/works/OL1W@2"]],
    [{ type: "/type/author" }, ["/authors/OL1A@1"]],
    [{ type: "/type/delete" }, ["/works/OL2W@2", "/works/OL2W@1"]],
    [{ bot: true }, ALL],
    [{ created: modified(3) }, ["/works/OL1W@2"]],
    [{ comment: "Loaded from a dump", limit: 1 }, ["/works/OL2W@2"]],
    [{ key: "/works/OL99W" }, []],
    [{ author: "/people/jane" }, []],
    [{ nothing: 1 }, []],
    [{ constructor: 1 }, []],
    [{ ip: "10.0.0.1" }, []],
  ])("%j", async (query, expected) => {
    expect(await rows(query)).toEqual(expected);
  });

  it.each([
    '"text"',
    "{",
    '{"limit":-1}',
    '{"bot":"yes"}',
    '{"key":5}',
    '{"sort":"nothing"}',
    '{"sort":"constructor"}',
    '{"sort":"id; DROP TABLE record"}',
  ])("fails for %s", async (query) => {
    expect(await versions(query)).toMatchObject({ status: "fail", message: expect.stringMatching(/^Bad /) });
  });

  it("shows addresses to administrators, who can filter by them", async () => {
    const admin = await loggedIn(service, "chief", { groups: ["admin"] });
    const writer = { author: "/people/jane", bot: false, ip: "203.0.113.7", authority: "service" } as const;
    await saved([{ key: "/works/OL7W", type: { key: "/type/work" }, title: "Seven" }], { writer });
    const path = `/api/versions?query=${encodeURIComponent('{"ip":"203.0.113.7"}')}`;
    expect(await service.json(path)).toEqual({ status: "ok", result: [] });
    const found = Object(await admin.json(path)).result;
    expect(found).toMatchObject([{ key: "/works/OL7W", author: "/people/jane", ip: "203.0.113.7" }]);
    const reader = await loggedIn(service, "reader");
    expect(await reader.json(path)).toEqual({ status: "ok", result: [] });
  });
});
