import { execFile } from "node:child_process";
import { readFile, readdir, readlink, realpath } from "node:fs/promises";
import path from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { promisify } from "node:util";
import { codeOf } from "./command.ts";

const RUNTIME = /\bworkerd\b/;
/** Command lines of processes that lock a state. */
const OWNER = /\bscripts\/(?:run\.mjs )?(?:start|serve|prepare)\b/;
/** Time between SIGTERM and SIGKILL of a runtime, in milliseconds. */
const END_MS = 3000;
const LOOK_EVERY_MS = 25;

/** A process that has files of a folder open. */
export interface Holder {
  pid: number;
  parent: number;
  command: string;
  /** Open files, relative to the folder. */
  files: string[];
}

/** Returns true if a process is running and may be ours, not a zombie or another program with a reused id. */
export async function isRunning(pid: number) {
  const command = await procFile(pid, "cmdline");
  if (command !== undefined) return command.includes("node");
  try {
    process.kill(pid, 0);
    return process.platform !== "linux";
  } catch (error) {
    return codeOf(error) === "EPERM";
  }
}

/** Returns true if the command line of a running process is that of a command that locks states. */
export async function isOwner(pid: number) {
  return (await isRunning(pid)) && OWNER.test(await commandOf(pid));
}

/**
 * Lists the processes with open files below a folder. Empty on platforms without /proc; processes of other users are
 * invisible.
 */
export async function holdersOf(folder: string): Promise<Holder[]> {
  const inside = (await realpath(folder)) + path.sep;
  const names = await readdir("/proc").catch(() => []);
  const holders = names.filter((name) => /^\d+$/.test(name)).map((name) => holderOf(Number(name), inside));
  return (await Promise.all(holders)).filter(({ pid, files }) => files.length > 0 && pid !== process.pid);
}

async function holderOf(pid: number, inside: string): Promise<Holder> {
  const files = await openFiles(pid, inside);
  if (files.length === 0) return { pid, parent: 0, command: "", files };
  return { pid, parent: await parentOf(pid), command: await commandOf(pid), files };
}

export async function showsFiles(pid: number) {
  return (await readdir(`/proc/${pid}/fd`).catch(() => undefined)) !== undefined;
}

/** True for a local runtime whose service was killed. */
export async function isOrphan({ parent, command }: Holder) {
  if (!RUNTIME.test(command)) return false;
  return parent === 1 || !/node/.test((await procFile(parent, "cmdline")) ?? "");
}

/** Ends a process with SIGTERM, then SIGKILL. */
export async function end(pid: number) {
  signal(pid, "SIGTERM");
  for (const deadline = Date.now() + END_MS; Date.now() < deadline; await sleep(LOOK_EVERY_MS)) {
    if (!signal(pid, 0)) return;
  }
  signal(pid, "SIGKILL");
}

/** Returns false if there is no such process. */
function signal(pid: number, name: NodeJS.Signals | 0) {
  try {
    return process.kill(pid, name);
  } catch (error) {
    if (codeOf(error) === "ESRCH") return false;
    throw error;
  }
}

async function openFiles(pid: number, inside: string) {
  const folder = `/proc/${pid}/fd`;
  const links = await readdir(folder).catch(() => []);
  const files = await Promise.all(links.map((link) => readlink(path.join(folder, link)).catch(() => "")));
  return files.filter((file) => file.startsWith(inside)).map((file) => file.slice(inside.length));
}

async function parentOf(pid: number) {
  // The name of the program comes before it, in brackets, and may have blanks.
  const [, , parent] = ((await procFile(pid, "stat")) ?? "").replace(/^.*\)/s, ")").split(" ");
  return Number(parent);
}

async function commandOf(pid: number) {
  const command = await procFile(pid, "cmdline");
  if (command !== undefined || process.platform === "linux") return (command ?? "").replaceAll("\0", " ");
  const shown = await promisify(execFile)("ps", ["-o", "command=", "-p", String(pid)]).catch(() => undefined);
  return shown?.stdout ?? "";
}

function procFile(pid: number, name: string) {
  return readFile(`/proc/${pid}/${name}`, "utf8").catch(() => undefined);
}
