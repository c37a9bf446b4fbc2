import { randomBytes } from "node:crypto";
import { chmod, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import os from "node:os";
import path from "node:path";
import { CommandError } from "./command.mjs";
import { MADE_SECRETS, OTHER_SECRETS } from "./deploy-plan.mjs";

/**
 * The secrets that the operator keeps, by name: those of the file, and new ones where the account has none either. What is
 * made is in the file before it is anywhere else, so that no secret is ever known to the account alone by accident.
 * @param {string} file JSON, for its owner's eyes only
 * @param {{ known: Set<string>, isDryRun: boolean }} account names that the account has
 * @returns {Promise<{ secrets: Record<string, string>, made: string[] }>}
 */
export async function ownSecrets(file, { known, isDryRun }) {
  const secrets = await readSecrets(file);
  const made = MADE_SECRETS.filter((name) => secrets[name] === undefined && !known.has(name));
  if (made.length === 0 || isDryRun) return { secrets, made };
  for (const name of made) secrets[name] = randomBytes(32).toString("base64url");
  await writeFile(file, `${JSON.stringify(secrets, null, 2)}\n`, { mode: 0o600 });
  await chmod(file, 0o600);
  return { secrets, made };
}

/**
 * The secrets in the operator's file; none when there is no file.
 * @param {string} file
 * @returns {Promise<Record<string, string>>}
 */
export async function readSecrets(file) {
  const text = await readFile(file, "utf8").catch((error) => {
    if (error.code === "ENOENT") return "{}";
    throw error;
  });
  const value = parsed(text);
  const isObject = typeof value === "object" && value !== null && !Array.isArray(value);
  if (!isObject || !Object.values(value).every((one) => typeof one === "string" && one !== "")) {
    throw new CommandError(`${file} must be a JSON object of texts that are not empty.`);
  }
  const unknown = Object.keys(value).filter((name) => ![...MADE_SECRETS, ...OTHER_SECRETS].includes(name));
  if (unknown.length > 0) throw new CommandError(`${file}: there is no secret ${unknown.join(", ")}.`);
  return value;
}

/** What a text is as JSON. Messages of the parser show a part of it. @param {string} text */
function parsed(text) {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/**
 * Hands secrets over in a file that is there no longer than that takes: never on a command line, which others can read.
 * @template Result
 * @param {Record<string, string>} secrets
 * @param {(file: string) => Promise<Result>} use
 */
export async function withSecretsFile(secrets, use) {
  const folder = await mkdtemp(path.join(os.tmpdir(), "carrel-deploy-"));
  const file = path.join(folder, "secrets.json");
  try {
    await writeFile(file, JSON.stringify(secrets), { mode: 0o600 });
    return await use(file);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}
