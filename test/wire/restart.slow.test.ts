// What patrons were told is stored counts after the service was killed at once, without anybody coming back.
import { mkdtemp } from "node:fs/promises";
import os from "node:os";
import path from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, beforeAll, expect, it } from "vitest";
import { ServiceProcess } from "../../scripts/lib/service-process.ts";

/** Works that the patron moves all at once, over and over. */
const WORKS = 40;
/** The alarm of a patron's object comes half a minute after what it is set for; the rest is for a busy machine. */
const PATIENCE_MS = 150_000;

let folder = "";
let service: ServiceProcess | undefined;
let url = "";

async function start(): Promise<void> {
  service = ServiceProcess.start(["--empty", "--state", path.join(folder, "state")]);
  url = await service.ready(180);
}

async function login(): Promise<string> {
  const response = await fetch(`${url}/account/login`, {
    method: "POST",
    headers: { "Content-Type": "application/json" },
    body: JSON.stringify({ username: "openlibrary", password: "openlibrary" }),
  });
  const cookies = response.headers.getSetCookie();
  return cookies.find((text) => text.startsWith("session="))?.split(";")[0] ?? "";
}

beforeAll(async () => {
  folder = await mkdtemp(path.join(os.tmpdir(), "carrel-restart-"));
  await start();
}, 400_000);

afterAll(() => service?.kill());

it("counts what was acknowledged before a kill", { timeout: 2 * PATIENCE_MS }, async () => {
  const cookie = await login();
  /** The shelf of each work that was acknowledged last; those asked for since may or may not have been stored. */
  const acknowledged = new Map<number, number>();
  const state = { hasEnded: false };
  const move = async (work: number): Promise<void> => {
    for (let shelf = 1; !state.hasEnded; shelf = (shelf % 3) + 1) {
      try {
        const response = await fetch(`${url}/works/OL${work}W/bookshelves.json`, {
          method: "POST",
          headers: { Cookie: cookie },
          body: new URLSearchParams({ bookshelf_id: String(shelf), dont_remove: "true" }),
        });
        expect([response.status, await response.json()]).toEqual([200, { bookshelves_affected: 1 }]);
        acknowledged.set(work, shelf);
      } catch (error) {
        // The service is gone in the middle of it.
        if (!state.hasEnded) throw error;
      }
    }
  };
  const movers = Array.from({ length: WORKS }, (_, index) => move(index + 1));
  while (acknowledged.size < WORKS) await sleep(5);
  state.hasEnded = true;
  service?.kill();
  await Promise.all(movers);
  await start();
  const names = ["want_to_read", "currently_reading", "already_read"];
  const deadline = Date.now() + PATIENCE_MS;
  for (const [work, shelf] of acknowledged) {
    // Either what was acknowledged last, or what was on its way then.
    const shelves = [shelf, (shelf % 3) + 1].map((number) => names[number - 1] ?? "");
    for (;;) {
      const { counts } = Object(await (await fetch(`${url}/works/OL${work}W/bookshelves.json`)).json());
      const total = Object.values<number>(counts).reduce((sum, count) => sum + count, 0);
      const held = shelves.reduce((sum, name) => sum + Number(counts[name]), 0);
      if (total === 1 && held === 1) break;
      if (Date.now() > deadline) expect([work, shelves, counts]).toBe("counted");
      await sleep(250);
    }
  }
});
