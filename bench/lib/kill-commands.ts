import { spawn } from "node:child_process";
import { rm, writeFile } from "node:fs/promises";
import path from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { ROOT } from "../../scripts/lib/paths.ts";
import { catalogLines } from "./catalog.ts";
import { fetchJson } from "./client.ts";
import type { KilledService } from "./killed-service.ts";
import { login } from "./patrons.ts";

interface Kills {
  service: KilledService;
  kills: number;
  random: () => number;
}

/** Works of one load, and kills until a rebuild of the whole index is killed too. */
const LOADED_WORKS = 1500;
const REBUILD_EVERY = 3;
/** Longest time until a kill, in milliseconds: a load takes less. */
const KILL_WITHIN_MS = 2500;
/** Repetitions of a command until it has to end well. */
const REPEATS_MAX = 3;
/** Seconds until work that was interrupted has to be done, and longest time between it and the kill in milliseconds. */
const DONE_SECONDS = 90;
const KILL_AFTER_MS = 300;

/**
 * Kills loads and rebuilds of the index: the command, the service with it, or the runtime alone. The command is repeated,
 * and once it ends well, all records have to be there, and all works have to be found as their records are.
 */
export async function killLoads({ service, kills, random }: Kills) {
  const file = path.join(service.state, "../load.txt");
  await service.loadCatalog({ works: 10 });
  let works = 10;
  for (let kill = 1; kill <= kills; kill += 1) {
    const isRebuild = kill % REBUILD_EVERY === 0;
    if (!isRebuild) {
      await writeFile(file, [...catalogLines(LOADED_WORKS, works + 1), ""].join("\n"));
      works += LOADED_WORKS;
    }
    const args = isRebuild ? ["reindex"] : ["load", file];
    const command = run(service, isRebuild ? ["reindex", "--restart"] : args);
    await Promise.race([sleep(random() * KILL_WITHIN_MS), command.ended]);
    const victim = await killOne(service, kill, () => command.kill());
    await command.ended;
    let tries = 1;
    while ((await run(service, args).ended) !== 0 && tries < REPEATS_MAX) tries += 1;
    await service.checkIndex();
    const { numFound } = await fetchJson(`${service.url}/search.json?q=*:*&limit=0`);
    const stored = await countStored(service.url, works);
    if (numFound !== works || stored !== works) {
      throw new Error(`kill ${kill}: ${works} works loaded, ${stored} stored, ${numFound} found`);
    }
    console.log(
      `kill ${kill}, ${victim} during ${args[0]}: ${works} works stored and found after ${tries} more runs`,
    );
  }
  await rm(file, { force: true });
  console.log("passed: every load and rebuild ended whole, no work differs from its records");
}

/** Returns how many works from the first to the last are stored. */
async function countStored(url: string, works: number) {
  let stored = 0;
  for (let first = 1; first <= works; first += 1000) {
    const count = Math.min(1000, works + 1 - first);
    const keys = Array.from({ length: count }, (_, index) => `/works/OL${first + index}W`);
    const { result } = await fetchJson(
      `${url}/api/get_many?keys=${encodeURIComponent(JSON.stringify(keys))}`,
    );
    stored += Object.keys(result).length;
  }
  return stored;
}

function run({ url, state }: KilledService, [name = "", ...args]: string[]) {
  const child = spawn(process.execPath, [`scripts/${name}.ts`, ...args, "--url", url, "--state", state], {
    cwd: ROOT,
    stdio: "ignore",
  });
  const ended = new Promise<number | null>((resolve) => child.once("exit", resolve));
  return { ended, kill: () => child.kill("SIGKILL") };
}

/** Kills one of three in turn, and returns its name. */
async function killOne(service: KilledService, kill: number, killCommand: () => void) {
  const victim = ["command", "service", "runtime"][(kill + Math.floor(kill / REBUILD_EVERY)) % 3];
  if (victim === "command") killCommand();
  if (victim === "runtime") service.killRuntime();
  if (victim === "service") {
    service.kill();
    await service.start();
  }
  return victim;
}

/**
 * Kills the service, or the runtime alone, right after a merge and after a patron has hidden their reading log. Lists have to
 * follow the merge, and followers must not see the log any more.
 */
export async function killFollowUps({ service, kills, random }: Kills) {
  await service.loadCatalog({ works: 2 * kills + 10 });
  await act(service.url, "patron", ["/account/preferences.json", { public_readlog: "yes" }]);
  await fetch(`${service.url}/people/reader/follows.json`, {
    method: "POST",
    headers: { Cookie: await login(service.url, "reader") },
    body: new URLSearchParams({ publisher: "patron", state: "0" }),
  });
  for (let kill = 1; kill <= kills; kill += 1) {
    const [kept, merged] = [`/works/OL${2 * kill}W`, `/works/OL${2 * kill + 1}W`];
    const seeds = [{ key: merged }];
    await act(service.url, "patron", ["/account/preferences.json", { public_readlog: "yes" }]);
    await act(service.url, "patron", [`${kept}/bookshelves.json`, { bookshelf_id: "1" }]);
    const list = await act(service.url, "patron", [
      "/people/patron/lists.json",
      { name: `List ${kill}`, seeds },
    ]);
    const isShown = async () => (await feedOf(service.url)).includes(kept);
    await within(DONE_SECONDS, `kill ${kill}: the log is shown`, isShown);
    await Promise.all([
      act(service.url, "openlibrary", ["/works/merge.json", { master: kept, duplicates: [merged] }]),
      act(service.url, "patron", ["/account/preferences.json", { public_readlog: "no" }]),
    ]);
    await sleep(random() * KILL_AFTER_MS);
    if (kill % 2 === 0) service.killRuntime();
    else {
      service.kill();
      await service.start();
    }
    const started = performance.now();
    await within(
      DONE_SECONDS,
      `kill ${kill}: the log is hidden`,
      async () => !(await feedOf(service.url)).includes(kept),
    );
    await within(DONE_SECONDS, `kill ${kill}: the list has followed`, async () => {
      const { entries } = await fetchJson(`${service.url}${list.key}/seeds.json`);
      const document = await fetchJson(`${service.url}${list.key}.json?_raw=true`);
      return (
        entries.length === 1 &&
        JSON.stringify(document).includes(kept) &&
        !JSON.stringify(document).includes(merged)
      );
    });
    await service.checkIndex();
    console.log(`kill ${kill}: done ${((performance.now() - started) / 1000).toFixed(1)} s later`);
  }
  console.log(
    "passed: every list has followed its merge, no hidden log is shown, no work differs from its records",
  );
}

async function act(url: string, username: string, [target, body]: [string, object]) {
  const headers = { "Content-Type": "application/json", Cookie: await login(url, username) };
  return fetchJson(url + target, { method: "POST", headers, body: JSON.stringify(body) });
}

async function feedOf(url: string) {
  const headers = { Accept: "text/html", Cookie: await login(url, "reader") };
  return (await fetch(`${url}/people/reader/books/feed`, { headers })).text();
}

async function within(seconds: number, what: string, isTrue: () => Promise<boolean>) {
  const deadline = Date.now() + seconds * 1000;
  for (;;) {
    // The runtime may be starting again.
    if (await isTrue().catch(() => false)) return;
    if (Date.now() > deadline) throw new Error(`not within ${seconds} s: ${what}`);
    await sleep(200);
  }
}
