import { randomBytes } from "node:crypto";
import { mkdir, open, readFile, realpath, rename, rm, writeFile } from "node:fs/promises";
import path from "node:path";
import { CommandError } from "./command.ts";
import { type Holder, end, holdersOf, isOrphan, isOwner, showsFiles } from "./processes.ts";

/** Name of the file with the number of the process that works on a state, which keeps it open. */
const LOCK = "carrel.pid";

/** Secrets of a local service, and their files in its state. */
export const SECRET_FILES = {
  LOAD_TOKEN: "load-token",
  SESSION_SECRET: "session-secret",
  COVERS_SECRET: "covers-secret",
} as const;

/**
 * A secret of this state's service, made once and readable by its owner only: the token with which it lets dumps be
 * loaded, what signs its sessions, or what its cover store lets covers be written with.
 */
export async function localSecret(state: string, name: "load-token" | "session-secret" | "covers-secret") {
  const file = path.join(state, name);
  const known = await readText(file);
  if (known !== undefined) return known;
  const secret = randomBytes(32).toString("base64url");
  await writeWhole(file, `${secret}\n`, { mode: 0o600 });
  return secret;
}

/** The token of a state that a service has run on; undefined when none has. */
export async function knownToken(state: string) {
  return (await readText(path.join(state, SECRET_FILES.LOAD_TOKEN))) || undefined;
}

/** Writes a file that is there whole or not at all, whenever the process or the machine ends. */
export async function writeWhole(file: string, text: string, options?: { mode?: number }) {
  const target = await realpath(file).catch(() => file);
  const part = `${target}.${process.pid}.new`;
  try {
    await writeFile(part, text, { ...options, flush: true });
    await rename(part, target);
  } catch (error) {
    await rm(part, { force: true });
    throw error;
  }
}

/** Returns the trimmed text of a file; undefined if there is no such file. */
export async function readText(file: string) {
  try {
    return (await readFile(file, "utf8")).trim();
  } catch (error) {
    if (error instanceof Error && "code" in error && error.code === "ENOENT") return undefined;
    throw error;
  }
}

/**
 * Makes sure that no other process works on the same state, and ends the runtime that a killed service has left on it.
 * Returns what undoes it.
 */
export async function lockState(state: string) {
  const file = path.join(state, LOCK);
  await mkdir(state, { recursive: true });
  const holders = await holdersOf(state);
  const owner = (await lockOwner(file, holders)) ?? (await runtimeOwner(holders));
  if (owner !== undefined) {
    throw new CommandError(`${state} is in use by process ${owner}. Stop it, or choose another: --state DIR`);
  }
  for (const holder of holders) {
    if (!(await isOrphan(holder))) continue;
    await end(holder.pid);
    console.log(`Ended process ${holder.pid}, a runtime that a killed service had left running.`);
  }
  await writeWhole(file, String(process.pid));
  const held = await open(file);
  return async () => {
    await held.close();
    await rm(file, { force: true });
  };
}

/**
 * The running process that a lock names. The number may have become another program's, even another Node's, so the
 * process must have the lock open, or look like a service where open files are not shown.
 */
async function lockOwner(file: string, holders: Holder[]): Promise<number | undefined> {
  const owner = Number(await readText(file));
  if (!Number.isInteger(owner) || owner <= 0 || owner === process.pid) return undefined;
  const isHeld = (await showsFiles(owner))
    ? holders.some(({ pid, files }) => pid === owner && files.includes(LOCK))
    : await isOwner(owner);
  return isHeld ? owner : undefined;
}

/** The process of a runtime that works on the state, if another program runs it, such as `wrangler dev`. */
async function runtimeOwner(holders: Holder[]) {
  for (const holder of holders) {
    const isRuntime = holder.files.some((name) => name.endsWith(".sqlite"));
    if (isRuntime && /\bworkerd\b/.test(holder.command) && !(await isOrphan(holder))) return holder.parent;
  }
  return undefined;
}
