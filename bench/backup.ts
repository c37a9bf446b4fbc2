// Backup and restore of a whole service: `npm run bench -- backup [--works 100000] [--patrons 10000] [--covers 1000]`.
// Prints times and sizes of the first backup, of one after a hundred changes, and of the restore.
import { randomBytes } from "node:crypto";
import { mkdtemp, rm } from "node:fs/promises";
import os from "node:os";
import path from "node:path";
import { execFile } from "node:child_process";
import { promisify } from "node:util";
import { checkFile, readManifest } from "../scripts/lib/backup-files.ts";
import { updateIndex } from "../scripts/lib/index-client.ts";
import { sendLines } from "../scripts/lib/load-client.ts";
import { knownToken } from "../scripts/lib/local-state.ts";
import { ServiceProcess } from "../scripts/lib/service-process.ts";
import { type Target, call } from "../scripts/lib/service.ts";
import { catalogLines } from "./lib/catalog.ts";
import { randomFrom } from "./lib/random.ts";

const READY_SECONDS = 120;
const SHELVED = 200;
const PATRONS_PER_REQUEST = 20;
const COVER_BYTES = 20_000;
const CHANGED = 100;

export async function benchBackup(options: { works: number; patrons: number; covers: number; seed: number }) {
  const folder = await mkdtemp(path.join(os.tmpdir(), "carrel-bench-backup-"));
  const services: ServiceProcess[] = [];
  const start = async (name: string): Promise<Target> => {
    const state = path.join(folder, name);
    const service = ServiceProcess.start(["--bare", "--state", state]);
    services.push(service);
    const url = await service.ready(READY_SECONDS);
    return { url, token: (await knownToken(state)) ?? "", fetch };
  };
  try {
    const source = await start("source");
    await fill(source, options);
    const to = path.join(folder, "backup");
    const backUp = ["scripts/backup.ts", "--to", to, "--state", path.join(folder, "source")];
    await timed("first backup", ...backUp);
    const bytes = Object.values((await readManifest(to))?.files ?? {}).reduce(
      (sum, file) => sum + file.bytes,
      0,
    );
    const list = await checkFile(path.join(to, "files.jsonl")).catch(() => ({ bytes: 0 }));
    console.log(
      `  tables and objects: ${(bytes / 1e6).toFixed(1)} MB; list of files: ${(list.bytes / 1e6).toFixed(1)} MB`,
    );
    await timed("backup without a change", ...backUp);
    await restorePatrons(source, {
      from: 0,
      to: CHANGED,
      works: options.works,
      random: randomFrom(7),
      entries: 1,
    });
    await timed(`backup after ${CHANGED} patrons have changed`, ...backUp);
    await start("target");
    await timed(
      "restore, with index and checks",
      "scripts/restore.ts",
      to,
      "--state",
      path.join(folder, "target"),
    );
  } finally {
    for (const service of services) service.kill();
    await rm(folder, { recursive: true, force: true });
  }
}

/** Runs a script and prints its time. */
async function timed(name: string, ...args: string[]) {
  const started = performance.now();
  await promisify(execFile)(process.execPath, args, { maxBuffer: 1e8 });
  console.log(`${name}: ${((performance.now() - started) / 1000).toFixed(1)} s`);
}

async function fill(
  target: Target,
  { works, patrons, covers, seed }: { works: number; patrons: number; covers: number; seed: number },
) {
  await sendLines(catalogLines(works), target);
  await updateIndex(target, { quiet: true });
  await restorePatrons(target, { from: 0, to: patrons, works, random: randomFrom(seed), entries: SHELVED });
  for (let number = 1; number <= covers; number += 1) {
    const name = `covers/${String(number).padStart(10, "0")}/o`;
    const body = new Uint8Array(randomBytes(COVER_BYTES));
    await call(target, `/system/backup/files/covers/${name}`, { method: "PUT", body, type: "image/jpeg" });
  }
}

async function restorePatrons(
  target: Target,
  {
    from,
    to,
    works,
    random,
    entries,
  }: { from: number; to: number; works: number; random: () => number; entries: number },
) {
  for (let first = from; first < to; first += PATRONS_PER_REQUEST) {
    const lines = Array.from({ length: Math.min(PATRONS_PER_REQUEST, to - first) }, (_, index) => {
      const username = `patron${first + index}`;
      const shelves = new Map<number, object>();
      while (shelves.size < Math.min(entries, works)) {
        const work = 1 + Math.floor(random() * works);
        shelves.set(work, { work, shelf: "want-to-read", date: "2026-01-01T00:00:00" });
      }
      return JSON.stringify({ username, email: `${username}@example.org`, shelves: [...shelves.values()] });
    });
    const sent = { method: "POST", body: lines.join("\n"), type: "application/x-ndjson" };
    const { rejected } = await call(target, "/system/patrons", sent);
    if (rejected.length > 0) throw new Error(JSON.stringify(rejected[0]));
  }
}
