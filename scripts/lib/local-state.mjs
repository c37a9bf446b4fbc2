import { randomBytes } from "node:crypto";
import { mkdir, readFile, rm, writeFile } from "node:fs/promises";
import { UsageError } from "./arguments.mjs";
import { coversSecretFile, lockFile, sessionSecretFile, tokenFile } from "./paths.mjs";

/**
 * The token with which this state's service lets dumps be loaded: made once, readable by its owner only.
 * @param {string} state
 */
export function localToken(state) {
  return madeOnce(tokenFile(state));
}

/**
 * The secret that signs the sessions of this state's service: made once, readable by its owner only.
 * @param {string} state
 */
export function localSessionSecret(state) {
  return madeOnce(sessionSecretFile(state));
}

/**
 * The secret with which this state's cover store lets covers be written: made once, readable by its owner only.
 * @param {string} state
 */
export function localCoversSecret(state) {
  return madeOnce(coversSecretFile(state));
}

/** The token of a state that a service has run on; undefined when none has. @param {string} state */
export function knownToken(state) {
  return read(tokenFile(state));
}

/** @param {string} file */
async function madeOnce(file) {
  const known = await read(file);
  if (known !== undefined) return known;
  const secret = randomBytes(32).toString("base64url");
  await writeFile(file, `${secret}\n`, { mode: 0o600 });
  return secret;
}

/** @param {string} file */
async function read(file) {
  const text = await readFile(file, "utf8").catch(() => undefined);
  return text?.trim();
}

/** Makes sure that no other process works on the same state; returns what undoes it. @param {string} state */
export async function lockState(state) {
  const file = lockFile(state);
  await mkdir(state, { recursive: true });
  const owner = await lockOwner(state);
  if (owner !== undefined) {
    throw new UsageError(`${state} is in use by process ${owner}. Stop it, or choose another: --state DIR`);
  }
  await writeFile(file, String(process.pid));
  return () => rm(file, { force: true });
}

/**
 * The running process that holds a state directory, if there is one.
 * @param {string} state
 * @returns {Promise<number | undefined>}
 */
async function lockOwner(state) {
  const text = await readFile(lockFile(state), "utf8").catch(() => "");
  const owner = Number(text);
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
