import { randomBytes } from "node:crypto";
import { mkdir, open, readFile, realpath, rename, rm, writeFile } from "node:fs/promises";
import path from "node:path";
import { CommandError, codeOf } from "./command.ts";
import { type Holder, end, holdersOf, isOrphan, isOwner, showsFiles } from "./processes.ts";

/** Lock file with the id of the process that uses a state. The process keeps it open. */
const LOCK = "carrel.pid";
/** File with the address of the service that uses a state. */
const ADDRESS = "carrel.url";

/** Secrets of a local service, and their files in its state. */
export const SECRET_FILES = {
  LOAD_TOKEN: "load-token",
  SESSION_SECRET: "session-secret",
  COVERS_SECRET: "covers-secret",
} as const;

/**
 * Returns a secret of this state, generated once with mode 600: the token of load requests, the key of sessions, or the
 * secret of the cover store.
 */
export async function localSecret(state: string, name: "load-token" | "session-secret" | "covers-secret") {
  const file = path.join(state, name);
  const known = await readText(file);
  if (known !== undefined) return known;
  const secret = randomBytes(32).toString("base64url");
  await writeWhole(file, `${secret}\n`, { mode: 0o600 });
  return secret;
}

/** Returns the load token of a state; undefined if no service has used the state. */
export async function knownToken(state: string) {
  return (await readText(path.join(state, SECRET_FILES.LOAD_TOKEN))) || undefined;
}

/** Writes a file atomically and durably. */
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
    if (codeOf(error) === "ENOENT") return undefined;
    throw error;
  }
}

/** Returns the address of the service that uses a state; undefined if none runs. */
export async function addressOf(state: string) {
  const file = path.join(state, LOCK);
  if ((await readText(file)) === undefined) return undefined;
  const owner = await lockOwner(file, await holdersOf(state));
  return owner === undefined ? undefined : readText(path.join(state, ADDRESS));
}

/**
 * Locks a state for this process, and ends a runtime left by a killed service. `address` is that of the service. Returns a
 * function that unlocks. Throws if the state is in use.
 */
export async function lockState(state: string, address?: string) {
  const file = path.join(state, LOCK);
  const addressFile = path.join(state, ADDRESS);
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
  // A killed service has left its own.
  await rm(addressFile, { force: true });
  await writeWhole(file, String(process.pid));
  const held = await open(file);
  if (address !== undefined) await noteAddress(state, address);
  return async () => {
    await held.close();
    for (const name of [file, addressFile]) await rm(name, { force: true });
  };
}

/** Records the address of the service that uses a state, for commands. */
export function noteAddress(state: string, address: string) {
  return writeWhole(path.join(state, ADDRESS), address);
}

/**
 * Returns the running owner of a lock. Process ids are reused, so the process must have the lock open, or look like a
 * service on platforms that do not show open files.
 */
async function lockOwner(file: string, holders: Holder[]): Promise<number | undefined> {
  const owner = Number(await readText(file));
  if (!Number.isInteger(owner) || owner <= 0 || owner === process.pid) return undefined;
  const isHeld = (await showsFiles(owner))
    ? holders.some(({ pid, files }) => pid === owner && files.includes(LOCK))
    : await isOwner(owner);
  return isHeld ? owner : undefined;
}

/** Returns the parent of a runtime that uses the state, such as `wrangler dev`. */
async function runtimeOwner(holders: Holder[]) {
  for (const holder of holders) {
    const isRuntime = holder.files.some((name) => name.endsWith(".sqlite"));
    if (isRuntime && /\bworkerd\b/.test(holder.command) && !(await isOrphan(holder))) return holder.parent;
  }
  return undefined;
}
