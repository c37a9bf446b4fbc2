import { randomBytes } from "node:crypto";
import { mkdir, readFile, rm, writeFile } from "node:fs/promises";
import path from "node:path";
import { CommandError } from "./command.mjs";

/**
 * A secret of this state's service, made once and readable by its owner only: the token with which it lets dumps be loaded,
 * what signs its sessions, or what its cover store lets covers be written with.
 * @param {string} state
 * @param {"load-token" | "session-secret" | "covers-secret"} name
 */
export async function localSecret(state, name) {
  const file = path.join(state, name);
  const known = await read(file);
  if (known !== undefined) return known;
  const secret = randomBytes(32).toString("base64url");
  await writeFile(file, `${secret}\n`, { mode: 0o600 });
  return secret;
}

/** The token of a state that a service has run on; undefined when none has. @param {string} state */
export function knownToken(state) {
  return read(path.join(state, "load-token"));
}

/** @param {string} file */
async function read(file) {
  const text = await readFile(file, "utf8").catch(() => undefined);
  return text?.trim();
}

/** Makes sure that no other process works on the same state; returns what undoes it. @param {string} state */
export async function lockState(state) {
  const file = path.join(state, "carrel.pid");
  await mkdir(state, { recursive: true });
  const owner = await lockOwner(file);
  if (owner !== undefined) {
    throw new CommandError(`${state} is in use by process ${owner}. Stop it, or choose another: --state DIR`);
  }
  await writeFile(file, String(process.pid));
  return () => rm(file, { force: true });
}

/** The running process that a lock names, if there is one. @param {string} file @returns {Promise<number | undefined>} */
async function lockOwner(file) {
  const owner = Number(await read(file));
  if (!Number.isInteger(owner) || owner <= 0 || owner === process.pid) return undefined;
  return (await isRunning(owner)) ? owner : undefined;
}

/**
 * True for a living process that can be one of ours: not a dead one that nobody has collected yet, nor another
 * program that got the number after a restart of the machine.
 * @param {number} pid
 */
export async function isRunning(pid) {
  const command = await readFile(`/proc/${pid}/cmdline`, "utf8").catch(() => undefined);
  if (command !== undefined) return command.includes("node");
  try {
    process.kill(pid, 0);
    return process.platform !== "linux";
  } catch (error) {
    return error instanceof Error && "code" in error && error.code === "EPERM";
  }
}
