import { execFile } from "node:child_process";
import { readFile, readdir, readlink, realpath } from "node:fs/promises";
import path from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { promisify } from "node:util";

/** The local runtime's own process. */
const RUNTIME = /\bworkerd\b/;
/** Commands that lock a state. */
const OWNER = /\bscripts\/(?:run\.mjs )?(?:start|prepare)\b/;
/** Time between SIGTERM and SIGKILL of a runtime, in milliseconds. */
const END_MS = 3000;
const LOOK_EVERY_MS = 25;

/** A process that has files of a folder open. */
export interface Holder {
  pid: number;
  parent: number;
  /** Its command line. */
  command: string;
  /** The open files, relative to the folder. */
  files: string[];
}

/**
 * True for a living process that can be one of ours: not a zombie, nor another program that got the number after a
 * restart of the machine.
 */
export async function isRunning(pid: number) {
  const command = await procFile(pid, "cmdline");
  if (command !== undefined) return command.includes("node");
  try {
    process.kill(pid, 0);
    return process.platform !== "linux";
  } catch (error) {
    return error instanceof Error && "code" in error && error.code === "EPERM";
  }
}

/** True if a running process is a command that locks states, as far as its command line shows. */
export async function isOwner(pid: number) {
  return (await isRunning(pid)) && OWNER.test(await commandOf(pid));
}

/**
 * Processes that have files below a folder open, by /proc. Other platforms than Linux have none, nor are processes of
 * other users seen.
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

/** True if the open files of a process can be seen. */
export async function showsFiles(pid: number) {
  return (await readdir(`/proc/${pid}/fd`).catch(() => undefined)) !== undefined;
}

/** True for a local runtime whose service was killed. */
export async function isOrphan({ parent, command }: Holder) {
  if (!RUNTIME.test(command)) return false;
  return parent === 1 || !/node/.test((await procFile(parent, "cmdline")) ?? "");
}

/** Ends a process, by force if it takes too long. */
export async function end(pid: number) {
  signal(pid, "SIGTERM");
  for (const deadline = Date.now() + END_MS; Date.now() < deadline; await sleep(LOOK_EVERY_MS)) {
    if (!signal(pid, 0)) return;
  }
  signal(pid, "SIGKILL");
}

/** False if there is no such process. */
function signal(pid: number, name: NodeJS.Signals | 0) {
  try {
    return process.kill(pid, name);
  } catch (error) {
    if (error instanceof Error && "code" in error && error.code === "ESRCH") return false;
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
