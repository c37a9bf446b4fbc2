import { randomBytes } from "node:crypto";
import { readFile, writeFile } from "node:fs/promises";
import { tokenFile } from "./paths.mjs";

/**
 * The token with which this state's service lets dumps be loaded: made once, readable by its owner only.
 * @param {string} state
 */
export async function localToken(state) {
  const known = await knownToken(state);
  if (known !== undefined) return known;
  const token = randomBytes(32).toString("base64url");
  await writeFile(tokenFile(state), `${token}\n`, { mode: 0o600 });
  return token;
}

/**
 * The token of a state that a service has run on; undefined when none has.
 * @param {string} state
 */
export async function knownToken(state) {
  const text = await readFile(tokenFile(state), "utf8").catch(() => undefined);
  return text?.trim();
}
