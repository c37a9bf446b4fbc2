import { randomBytes } from "node:crypto";
import { readFile, writeFile } from "node:fs/promises";
import { coversSecretFile, sessionSecretFile, tokenFile } from "./paths.mjs";

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

/**
 * The token of a state that a service has run on; undefined when none has.
 * @param {string} state
 */
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
