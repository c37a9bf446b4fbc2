import { env } from "cloudflare:workers";
import { beforeEach, describe, expect, it, vi } from "vitest";
import { setServiceState } from "../../../src/db/service/service-state.ts";
import { ImportFailure } from "../../../src/import/failure.ts";
import { CarrelError } from "../../../src/worker/http/errors.ts";
import { ItemLost } from "../../../src/worker/imports/load-record.ts";
import { emptyCatalog, query, stored } from "../../support/worker/desk.ts";
import { IMPORTER, imported, outcome } from "../../support/worker/importing.ts";
import { claimedItem } from "../../support/worker/load-attempt.ts";
import { edition, editionKey, work } from "../../support/worker/records.ts";
import { testService } from "../../support/worker/service.ts";

const service = testService();
beforeEach(emptyCatalog);

const BOOK = { title: "A", isbn_10: ["1250144051"], source_records: ["x:1"] };

async function failure(...call: Parameters<typeof imported>): Promise<unknown> {
  return imported(...call).then(
    (answer) => answer,
    (error: unknown) => error,
  );
}

describe("an import that is not made", () => {
  it("says what the record store says, without numbers that were never given out", async () => {
    const error = await failure({ ...BOOK, weight: { no: "text" } });
    expect(error).toBeInstanceOf(ImportFailure);
    const { code, message, extra } = error as ImportFailure;
    expect([code, message]).toEqual(["bad-request", "bad_data"]);
    expect(extra).toMatchObject({
      message: expect.stringContaining("/type/string"),
      at: { key: "/books/__new__", property: "weight" },
    });
    expect(await query("SELECT name FROM sequence WHERE name LIKE 'type_%'")).toEqual([]);
  });

  it("waits while the service is read-only", async () => {
    await setServiceState(env.CATALOG, { value: "on", changed: "", by: null });
    const error = await failure(BOOK);
    expect(error).toBeInstanceOf(CarrelError);
    expect(error).toMatchObject({ status: 503, code: "read_only" });
  });

  it("leaves an item alone that somebody else has", async () => {
    const { id } = await claimedItem();
    expect(await failure(BOOK, { item: { id, claim: "another" } })).toBeInstanceOf(ItemLost);
    expect(await query("SELECT key FROM record WHERE key LIKE '/books/%'")).toEqual([]);
  });

  it("ends its item once, though it is asked twice at once", async () => {
    const item = await claimedItem();
    const answers = await Promise.all([failure(BOOK, { item }), failure(BOOK, { item })]);
    expect(answers.filter((answer) => answer instanceof ItemLost)).toHaveLength(1);
    expect(await query("SELECT count(*) AS count FROM record WHERE key LIKE '/books/%'")).toEqual([
      { count: 1 },
    ]);
  });

  it("changes nothing that somebody has protected", async () => {
    const permission = { key: "/permission/staff" };
    await service.loadUnindexed(
      { key: "/permission/staff", type: "/type/permission", writers: [{ key: "/usergroup/staff" }] },
      work(1),
      edition(1, { title: "A", isbn_10: ["1250144051"], source_records: ["x:1"], work: 1, permission }),
    );
    const more = { ...BOOK, source_records: ["y:1"] };
    expect(await failure(more)).toMatchObject({
      code: "bad-request",
      message: "permission_denied",
      extra: { at: { key: editionKey(1) } },
    });
    expect(await stored(editionKey(1))).toMatchObject({ revision: 1 });
    await service.loadUnindexed({
      key: "/usergroup/staff",
      type: "/type/usergroup",
      members: [{ key: IMPORTER }],
    });
    expect(await outcome(more)).toBe("/books/OL1M modified, /works/OL1W matched");
  });

  it("makes nothing in a folder that is closed", async () => {
    await service.loadUnindexed(
      { key: "/permission/staff", type: "/type/permission", writers: [{ key: "/usergroup/staff" }] },
      { key: "/books", type: "/type/page", child_permission: { key: "/permission/staff" } },
    );
    expect(await failure(BOOK)).toMatchObject({ code: "bad-request", message: "permission_denied" });
  });
});

describe("who keeps the scan", () => {
  const SCAN = { ...BOOK, ocaid: "ascan", source_records: ["ia:ascan"] };

  it("is told which book it has become, whatever comes of that", async () => {
    const asked: [string, unknown][] = [];
    const fetched = vi.spyOn(globalThis, "fetch").mockImplementation(async (address, init) => {
      asked.push([String(address), JSON.parse(String(init?.body))]);
      return new Response("no", { status: 500 });
    });
    const logged = vi.spyOn(console, "error").mockImplementation(() => undefined);
    const settings = { ITEM_NOTICE_URL: "https://items.test/notice" };
    expect(await imported(SCAN, {}, settings)).toMatchObject({ success: true });
    expect(await imported(SCAN)).toMatchObject({ success: true });
    expect(await imported({ ...BOOK, isbn_10: ["0888643519"] }, {}, settings)).toMatchObject({
      success: true,
    });
    const told = { ocaid: "ascan", edition: "/books/OL1M", work: "/works/OL1W" };
    expect(asked).toEqual([["https://items.test/notice", told]]);
    expect(logged.mock.calls.join(" ")).toContain("item-notice");
    fetched.mockRestore();
    logged.mockRestore();
  });
});
