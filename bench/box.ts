// A box of one's own, tried: `npm run serve` by the command of its unit behind Caddy, under a mix of readers, patrons,
// editors, imports, a harvest and agents; killed twice, its disk filled once; backed up, restored beside it and compared.
import { execFileSync, spawnSync } from "node:child_process";
import { appendFileSync, mkdirSync, readFileSync, statfsSync } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import os from "node:os";
import path from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { updateIndex } from "../scripts/lib/index-client.ts";
import { sendLines } from "../scripts/lib/load-client.ts";
import { call } from "../scripts/lib/service.ts";
import { freePorts } from "../scripts/lib/service-process.ts";
import { startMailServer } from "../test/support/node/mail-server.ts";
import { BoxClient } from "./lib/box-clients.ts";
import { BoxLoad } from "./lib/box-load.ts";
import { BoxMachine } from "./lib/box-machine.ts";
import { catalogLines } from "./lib/catalog.ts";
import { percentiles } from "./lib/latency.ts";
import { randomFrom } from "./lib/random.ts";

const READERS = 12;
const PATRONS = 12;
const EDITORS = 3;
/** Size of the disk of the service, and time for which it stays full. */
const DISK_MB = 1200;
const FULL_MS = 30_000;
/** Records that are compared byte by byte after the restore. */
const COMPARED = 500;

interface BoxOptions {
  minutes: number;
  rate: number;
  works: number;
  seed: number;
}

export async function benchBox({ minutes, rate, works, seed }: BoxOptions) {
  const folder = await mkdtemp(path.join(os.tmpdir(), "carrel-box-"));
  // Others read the folders below it.
  execFileSync("chmod", ["755", folder]);
  const mails = await startMailServer();
  const disk = openDisk(folder);
  const machines: BoxMachine[] = [];
  const open = (name: string, state: string, options: string[] = []) =>
    openBox({ folder: path.join(folder, name), state, smtp: mails.url, machines }, options);
  try {
    const box = await open("first", path.join(disk.folder, "state"));
    const { named, readers, target } = box;
    await sendLines(catalogLines(works), target);
    await updateIndex(target, { quiet: true });
    for (const { client, name } of named) await client.register(name, () => mails.received);
    const usernames = named.map(({ name }) => name).filter((name) => name.startsWith("editor"));
    await call(target, "/system/administrators", { method: "POST", json: { usernames } });
    const patrons = named.slice(0, PATRONS);
    const editors = named.slice(PATRONS).map(({ client }) => client);
    const load = new BoxLoad({ readers, patrons, editors, works, random: randomFrom(seed) });
    await runMinutes(load, { minutes, rate, machine: box.machine, disk });
    const lost = await load.findLost({ patrons, readers });
    console.log(
      `${load.ledger.size} values acknowledged, ${lost.length} lost ${lost.slice(0, 5).join("; ")}`,
    );
    console.log(`index: ${await countDrift(target)} works differ from their records`);

    const backup = path.join(folder, "backup");
    runScript(["backup", "--to", backup, "--url", target.url, "--token", target.token]);
    const second = await open("second", path.join(folder, "restored"), ["--bare"]);
    runScript(["restore", backup, "--url", second.target.url, "--token", second.target.token]);
    for (const { client, name } of second.named) await client.login(name);
    const missing = await load.findLost({ patrons: second.named.slice(0, PATRONS), readers: second.readers });
    console.log(`restored: ${missing.length} acknowledged values differ ${missing.slice(0, 5).join("; ")}`);
    const records = await countDifferences(target.url, second.target.url, works);
    console.log(`restored: ${records} of ${COMPARED} records differ`);
    for (const one of [box, second]) for (const { client } of one.named) client.close();
  } finally {
    for (const machine of machines) await machine.end();
    mails.close();
    disk.close();
    await rm(folder, { recursive: true, force: true });
  }
}

/** Starts a machine, with clients that come through its proxy, and the operator's target. */
async function openBox(
  { folder, state, smtp, machines }: { folder: string; state: string; smtp: string; machines: BoxMachine[] },
  options: string[],
) {
  mkdirSync(state, { recursive: true });
  const [port = 0, servicePort = 0, managementPort = 0] = await freePorts(3);
  const machine = new BoxMachine({ folder, state, port, servicePort, managementPort, smtp });
  machines.push(machine);
  machine.start(options);
  const ca = await machine.startProxy();
  await machine.ready();
  const token = readFileSync(path.join(state, "load-token"), "utf8").trim();
  const clients = Array.from({ length: READERS + PATRONS + EDITORS }, (_, number) => {
    return new BoxClient({ base: `https://books.test:${port}`, ca, number: number + 1 });
  });
  const named = clients.slice(0, PATRONS + EDITORS).map((client, number) => {
    return { client, name: number < PATRONS ? `patron${number}` : `editor${number - PATRONS}` };
  });
  const target = { url: `http://127.0.0.1:${servicePort}`, token, fetch };
  return { machine, named, readers: clients.slice(PATRONS + EDITORS), target };
}

/** Sends the load, lets things go wrong, and prints a line per minute and one per kind of request. */
async function runMinutes(
  load: BoxLoad,
  {
    minutes,
    rate,
    machine,
    disk,
  }: Pick<BoxOptions, "minutes" | "rate"> & { machine: BoxMachine; disk: Disk },
) {
  console.log("minute\trequests\tfailed\tp50\tp95\tp99\tNode MB\tworkerd MB\tstarts\tevent");
  const ends = Date.now() + minutes * 60_000;
  const running = load.run(rate, ends);
  for (let minute = 1; minute <= minutes; minute += 1) {
    const until = ends - (minutes - minute) * 60_000;
    const event = await injectFault(minute / minutes, (minute - 1) / minutes, { machine, disk });
    await sleep(until - Date.now());
    const answers = load.take();
    const answered = answers.filter(({ status }) => status > 0 && status < 500).map(({ ms }) => ms);
    const { node, workerd } = machine.memory();
    const failed = answers.length - answered.length;
    const figures = [
      minute,
      answers.length,
      failed,
      ...timesOf(answered),
      node,
      workerd,
      machine.starts,
      event,
    ];
    console.log(figures.join("\t"));
  }
  await running;
  console.log("\nkind\trequests\tfailed\tp50\tp95\tp99");
  for (const [kind, { count, failed, times }] of load.kinds) {
    console.log([kind, count, failed, ...timesOf(times)].join("\t"));
  }
  console.log(`refused or failed: ${[...load.refusals].map((pair) => pair.join(" × ")).join(", ")}`);
}

function timesOf(times: number[]) {
  const { p50, p95, p99 } = percentiles(times);
  return [p50, p95, p99].map((time) => time.toFixed(1));
}

type Disk = ReturnType<typeof openDisk>;

/** Does what goes wrong in this minute. Returns its name. */
async function injectFault(
  share: number,
  before: number,
  { machine, disk }: { machine: BoxMachine; disk: Disk },
) {
  const isNow = (time: number) => before <= time && time < share;
  if (isNow(0.3)) {
    machine.kill();
    return "killed";
  }
  if (isNow(0.5)) {
    machine.killRuntime();
    return "workerd killed";
  }
  if (!isNow(0.7)) return "";
  disk.fill();
  await sleep(FULL_MS);
  disk.free();
  return "disk full";
}

/** Makes a small disk for the state; needs the user root. */
function openDisk(parent: string) {
  const folder = path.join(parent, "disk");
  const image = path.join(parent, "disk.img");
  mkdirSync(folder);
  execFileSync("truncate", ["-s", `${DISK_MB}M`, image]);
  execFileSync("mkfs.ext4", ["-q", "-m", "0", image]);
  execFileSync("mount", ["-o", "loop", image, folder]);
  execFileSync("chmod", ["777", folder]);
  const filler = path.join(folder, "filler");
  return {
    folder,
    fill() {
      const { bavail, bsize } = statfsSync(folder);
      spawnSync("fallocate", ["-l", String(bavail * bsize - 1_000_000), filler]);
      try {
        for (;;) appendFileSync(filler, Buffer.alloc(100_000));
      } catch {
        // The disk is full.
      }
    },
    free: () => execFileSync("rm", ["-f", filler]),
    close: () => spawnSync("umount", [folder]),
  };
}

/** Returns the works of the index that differ from their records. */
async function countDrift(target: Parameters<typeof call>[0]) {
  let drift = 0;
  for (let after = 0; ;) {
    const part = await call(target, "/system/index-check", { method: "POST", json: { after } });
    drift += part.repaired.length + part.stray.length;
    if (part.position === 0) return drift;
    after = part.position;
  }
}

/** Compares records of two services byte by byte. */
async function countDifferences(one: string, other: string, works: number) {
  let count = 0;
  for (let n = 1; n <= COMPARED; n += 1) {
    const key = `/works/OL${1 + Math.floor((n * works) / (COMPARED + 1))}W`;
    const texts = [one, other].map(async (url) => (await fetch(`${url}${key}.json`)).text());
    const [first, second] = await Promise.all(texts);
    if (first !== second) count += 1;
  }
  return count;
}

function runScript(args: string[]) {
  const { status, stdout, stderr } = spawnSync(process.execPath, ["scripts/run.mjs", ...args], {
    encoding: "utf8",
  });
  console.log(`${args[0]}: ${stdout.trim().split("\n").at(-1)}`);
  if (status !== 0) throw new Error(`${args[0]}: ${stderr}`);
}
