// Confirmed writes of patrons count after the service is killed, without another request of theirs.
import { mkdtemp } from "node:fs/promises";
import os from "node:os";
import path from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, beforeAll, expect, it } from "vitest";
import { ServiceProcess } from "../../scripts/lib/service-process.ts";

/** Works that the patron moves all at once, over and over. */
const WORKS = 40;
const BATCH_RECORDS = 300;
/** The alarm of a patron's object comes half a minute after what it is set for; the rest is for a busy machine. */
const PATIENCE_MS = 150_000;

let folder = "";
let service: ServiceProcess | undefined;
let url = "";

async function start(): Promise<void> {
  service = ServiceProcess.start(["--empty", "--state", path.join(folder, "state")]);
  url = await service.ready(180);
}

async function login(username = "openlibrary"): Promise<string> {
  const response = await fetch(`${url}/account/login`, {
    method: "POST",
    headers: { "Content-Type": "application/json" },
    body: JSON.stringify({ username, password: username }),
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

it("does all jobs of a runtime that was killed", { timeout: 3 * PATIENCE_MS }, async () => {
  const [chief, reader] = [await login(), await login("reader")];
  /** Sends JSON, or reads, with a session; an empty object if the runtime is starting. */
  const call = async (cookie: string, address: string, body?: BodyInit | object) => {
    const json = body === undefined || body instanceof URLSearchParams ? body : JSON.stringify(body);
    const headers = { Cookie: cookie, ...(json === body ? {} : { "Content-Type": "application/json" }) };
    const init = json === undefined ? { headers } : { method: "POST", body: json, headers };
    const response = await fetch(url + address, { ...init, redirect: "manual" }).catch(() => undefined);
    return Object((await response?.json().catch(() => undefined)) ?? {});
  };
  const book = (id: string) => ({
    title: `Killed ${id}`,
    authors: [{ name: `Author ${id}` }],
    publishers: ["Press"],
    publish_date: "2001",
    source_records: [`test:${id}`],
  });
  const [master, duplicate] = [
    await call(chief, "/api/import", book("a")),
    await call(chief, "/api/import", book("b")),
  ];
  const list = await call(chief, "/people/openlibrary/lists.json", {
    name: "Mine",
    seeds: [{ key: duplicate.work.key }],
  });
  await call(chief, "/works/merge.json", { master: master.work.key, duplicates: [duplicate.work.key] });
  service?.killRuntime();
  const wait = { timeout: PATIENCE_MS, interval: 500 };
  await expect
    .poll(async () => (await call(chief, `${list.key}.json?v=2`)).seeds, wait)
    .toEqual([{ key: master.work.key }]);

  const follow = new URLSearchParams({ publisher: "openlibrary", state: "0" });
  const hide = (value: string) => call(chief, "/account/preferences.json", { public_readlog: value });
  await hide("yes");
  await call(reader, "/people/reader/follows.json", follow);
  const follows = async () => call(reader, "/people/reader/follows.json");
  await expect.poll(follows, wait).toMatchObject([{ disabled: false }]);
  await hide("no");
  service?.killRuntime();
  await expect.poll(follows, wait).toMatchObject([{ disabled: true }]);

  const lines = Array.from({ length: BATCH_RECORDS }, (_, at) => JSON.stringify(book(String(at)))).join("\n");
  const { batch } = await call(
    chief,
    "/import/batch/new.json",
    new URLSearchParams({ batchImportText: lines }),
  );
  service?.killRuntime();
  const created = async () => (await call(chief, `/import/batch/${batch.id}.json`)).counts?.created;
  await expect.poll(created, wait).toBe(BATCH_RECORDS);
});
