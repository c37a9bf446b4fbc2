import { runInDurableObject } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { REWIND_DAYS_MAX } from "../../../src/worker/operations/repairs.ts";
import { type LoggedIn, loggedIn } from "../../support/worker/logged-in.ts";
import { settleActivity } from "../../support/worker/queues.ts";
import { work } from "../../support/worker/records.ts";
import { testService } from "../../support/worker/service.ts";
import { emptyStores } from "../../support/worker/stored.ts";

const OPERATOR = { Authorization: `Bearer ${env.LOAD_TOKEN}` };
const DAY_MS = 86_400_000;

const service = testService();
let ann: LoggedIn;
beforeEach(async () => {
  vi.spyOn(console, "error").mockImplementation(() => undefined);
  vi.spyOn(console, "warn").mockImplementation(() => undefined);
  await emptyStores();
  service.now += 60_000;
  ann = await loggedIn(service, "Ann");
});
afterEach(() => vi.restoreAllMocks());

const send = (body: unknown): Promise<Response> =>
  service.fetch("/system/rewind", { method: "POST", headers: OPERATOR, body: JSON.stringify(body) });
const at = (ms: number): string => new Date(ms).toISOString();
const yesterday = (): string => at(service.now - DAY_MS);
const shelf = async (): Promise<unknown> =>
  Object(await service.json("/works/OL1W/bookshelves.json")).counts.want_to_read;

/**
 * The local platform keeps no earlier states. Here it "keeps" one, without anything on shelves, and gives it back as
 * the real one does: when the object starts next.
 */
async function keepingStates(asked: (number | Date)[]): Promise<void> {
  await runInDurableObject(env.PATRON.getByName("ann"), (_object, { storage }) => {
    Object.assign(storage, {
      getBookmarkForTime: async (time: number | Date) => {
        asked.push(time);
        return "then";
      },
      onNextSessionRestoreBookmark: async (bookmark: string) => {
        expect(bookmark).toBe("then");
        storage.sql.exec("DELETE FROM shelf_entry");
        return "now";
      },
    });
  });
}

describe("POST /system/rewind", () => {
  it("restores a patron's object, ends sessions and updates counts", async () => {
    await service.load(work(1));
    const body = new URLSearchParams({ bookshelf_id: "1", dont_remove: "true" });
    await ann.fetch("/works/OL1W/bookshelves.json", { method: "POST", body });
    await settleActivity();
    expect(await shelf()).toBe(1);
    const asked: (number | Date)[] = [];
    await keepingStates(asked);
    const response = await send({ patron: "ANN", time: yesterday() });
    expect(await response.json()).toEqual({ patron: "Ann", undo: "now" });
    expect(asked).toEqual([service.now - DAY_MS]);
    await settleActivity();
    expect(await shelf()).toBe(0);
    expect((await ann.fetch("/account", { headers: { Accept: "application/json" } })).status).not.toBe(200);
  });

  it("keeps an account blocked", async () => {
    await env.PATRONS.prepare("UPDATE account SET status = 'blocked' WHERE username_folded = 'ann'").run();
    await keepingStates([]);
    expect((await send({ patron: "ann", time: yesterday() })).status).toBe(200);
    const session = { id: "x", opened: service.now + 1, expires: service.now + DAY_MS };
    const object = env.PATRON.getByName("ann");
    expect(await object.openSession({ ...session, remembered: false, client: "local" })).toBe(false);
  });

  it("answers 503 without stored states, and keeps sessions", async () => {
    expect((await send({ patron: "Ann", time: yesterday() })).status).toBe(503);
    expect((await ann.fetch("/account/preferences.json")).status).toBe(200);
  });

  it("answers 404 for a removed account", async () => {
    expect((await send({ patron: "nobody", time: yesterday() })).status).toBe(404);
  });

  it("refuses other bodies and times out of range", async () => {
    for (const body of [
      {},
      [],
      { patron: "Ann" },
      { patron: "", time: "2026-11-20T10:00:00Z" },
      { patron: "Ann", time: "yesterday" },
      { patron: "Ann", time: at(service.now) },
      { patron: "Ann", time: "2030-01-01T00:00:00Z" },
      { patron: "Ann", time: at(service.now - REWIND_DAYS_MAX * DAY_MS) },
      { patron: "Ann", time: "2026-11-20T10:00:00Z", more: 1 },
    ])
      expect((await send(body)).status, JSON.stringify(body)).toBe(400);
  });
});
