import { env } from "cloudflare:workers";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { formatDatetime } from "../../../src/catalog/datetime.ts";
import { openBatch } from "../../../src/db/imports/batches.ts";
import { addItems } from "../../../src/db/imports/items.ts";
import { formOf } from "../../support/worker/accounts.ts";
import { type LoggedIn, loggedIn } from "../../support/worker/logged-in.ts";
import { work } from "../../support/worker/records.ts";
import { testService } from "../../support/worker/service.ts";

const service = testService();
const EVENTS = { Accept: "text/event-stream" };
let boss: LoggedIn;
let jane: LoggedIn;

// A stream looks at its page every two seconds; a test need not wait for them.
const wait = scheduler.wait.bind(scheduler);
const waits = vi
  .spyOn(scheduler, "wait")
  .mockImplementation((milliseconds) => wait(Math.min(milliseconds, 5)));
afterAll(() => waits.mockRestore());

beforeAll(async () => {
  boss = await loggedIn(service, "boss", { groups: ["admin"] });
  jane = await loggedIn(service, "jane");
  await service.load(work(1));
});

const listeners = (): Promise<number> => env.CHANGE_FEED.getByName("catalog").ping();

async function open(who: { fetch: LoggedIn["fetch"] }, path: string) {
  const response = await who.fetch(path, { headers: EVENTS });
  expect(response.headers.get("Content-Type")).toBe("text/event-stream; charset=utf-8");
  const reader = response.body?.pipeThrough(new TextDecoderStream()).getReader();
  if (reader === undefined) throw new Error("no stream");
  const next = async (): Promise<string | undefined> => (await reader.read()).value;
  expect(await next()).toMatch(/^retry: \d+\n\n$/);
  return { response, next, close: () => reader.cancel() };
}

describe("live pages as event streams", () => {
  it("send the live part, and again when it changes", async () => {
    const stream = await open(boss, "/admin/dumps");
    expect(stream.response.headers.get("Cache-Control")).toBe("no-store");
    expect(await listeners()).toBe(1);
    expect(await stream.next()).toMatch(
      /^data: <live-part id="dumps">[^]*No data dumps yet[^]*<\/live-part>\n\n$/,
    );
    // The clock of the test stands still, so that nothing is new until there is a dump.
    const changed = stream.next();
    await boss.fetch("/admin/dumps", formOf({ kind: "full" }));
    expect(await changed).toMatch(/^data: <live-part id="dumps"[^]*(?:Running|Published)/);
    await stream.close();
    while ((await listeners()) > 0) await scheduler.wait(5);
  });

  it("begin before the import that they show", async () => {
    const stream = await open(service, "/imports");
    expect(await stream.next()).toMatch(/<dt>pending<\/dt><dd>0<\/dd>/);
    const now = formatDatetime(service.now);
    const { batch } = await openBatch(env.CATALOG, { name: "file", now });
    await addItems(env.CATALOG, [{ ia_id: "test:1", data: "{}" }], { batch: batch.id, now });
    // The numbers are shared for ten seconds.
    service.now += 10_000;
    expect(await stream.next()).toMatch(/<dt>pending<\/dt><dd>1<\/dd>/);
    await stream.close();
    while ((await listeners()) > 0) await scheduler.wait(5);
    const page = await (await service.fetch("/imports", { headers: { Accept: "text/html" } })).text();
    expect(page).toContain('<noscript><meta http-equiv="refresh" content="5"></noscript>');
    await env.CATALOG.prepare("DELETE FROM import_item").run();
    service.now += 10_000;
    const idle = await (await service.fetch("/imports", { headers: { Accept: "text/html" } })).text();
    expect(idle).toContain('<noscript><p><a href="/imports">Refresh this page</a></p></noscript>');
  });

  it("end after a while", async () => {
    const stream = await open(service, "/imports");
    expect(await stream.next()).toContain('data: <live-part id="numbers" data-live>');
    service.now += 60_000;
    expect(await stream.next()).toBeUndefined();
    while ((await listeners()) > 0) await scheduler.wait(5);
  });

  it("end when the user loses access", async () => {
    const stream = await open(boss, "/admin/dumps");
    await stream.next();
    await boss.fetch("/account/logout", formOf({}));
    // The dump goes on, so an event of before the logout may be on its way.
    while ((await stream.next()) !== undefined);
    expect((await boss.fetch("/admin/dumps", { headers: EVENTS })).status).toBe(401);
  });

  it("need access to the page", async () => {
    const refused = await jane.fetch("/admin/dumps", { headers: EVENTS });
    expect([refused.status, await refused.text()]).toEqual([403, expect.not.stringContaining("live-part")]);
    expect(await listeners()).toBe(0);
  });

  it.each(["/imports.json", "/works/OL1W.json", "/works/OL9W.json"])("do not exist for %s", async (path) => {
    const [asked, plain] = await Promise.all([
      service.fetch(path, { headers: EVENTS }),
      service.fetch(path, { headers: { Accept: "application/json" } }),
    ]);
    expect([asked.status, await asked.text()]).toEqual([plain.status, await plain.text()]);
  });
});
