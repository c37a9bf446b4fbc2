import { randomBytes } from "node:crypto";
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import os from "node:os";
import path from "node:path";
import type { ZodType } from "zod";
import { CommandError, codeOf } from "./command.ts";
import { importSource } from "./import-source.ts";
import { writeWhole } from "./local-state.ts";

/** Module with the worker's own settings schema. */
const SCHEMA = "src/worker/http/settings.ts";

/** Secrets that are generated if missing. */
export const MADE_SECRETS = ["LOAD_TOKEN", "SESSION_SECRET", "COVERS_SECRET"];

/** Secrets of other services, which only the operator can supply. */
export const OTHER_SECRETS = [
  "SESSION_SECRET_BEFORE",
  "LINK_SECRET",
  "XAUTH_SECRET",
  "OIDC_CLIENT_SECRET",
  "FORWARD_AUTH_SECRET",
  "LENDING_KEY",
  "LENDING_SECRET",
  "READER_SECRET",
  "MAIL_TOKEN",
  "ANONYMIZE_SECRET",
  "SOLR_SECRET",
];

let source: Promise<{ settingsSchema: ZodType }> | undefined;

/**
 * Parses a settings file with one `NAME=VALUE` per line and `#` comments. Like a shell it takes `export` and quotes around
 * the value. `known` has all valid settings.
 */
export function parseSettings(text: string, known: Record<string, string>): Record<string, string> {
  const settings: Record<string, string> = {};
  for (const line of text.split("\n").map((one) => one.trim())) {
    if (line === "" || line.startsWith("#")) continue;
    const [, name = "", written = ""] = /^(?:export\s+)?([A-Z][A-Z0-9_]*)\s*=\s*(.*)$/.exec(line) ?? [];
    if (name === "") throw new CommandError(`This is not NAME=VALUE: ${line.slice(0, 40)}`);
    if ([...MADE_SECRETS, ...OTHER_SECRETS].includes(name)) {
      throw new CommandError(`${name} is a secret: it belongs into the file of secrets, not of settings.`);
    }
    if (!(name in known)) throw new CommandError(`There is no setting ${name}.`);
    const [, , quoted] = /^(["'])(.*)\1$/.exec(written) ?? [];
    if (quoted === undefined && /^["']|["']$/.test(written)) {
      throw new CommandError(`${name}: quotes must be around the whole value.`);
    }
    settings[name] = quoted ?? written;
  }
  return settings;
}

/** Validates settings and secrets as the worker does, so that no deploy makes every request fail. */
export async function checkSettings(values: Record<string, string>) {
  const problems = (await settingsProblems(values)).map(({ name, message }) => `${name}: ${message}`);
  const { BASE_URL: url = "" } = values;
  // Addresses are made by appending paths to it, and routes begin at the root.
  if (URL.canParse(url) && !/^https?:\/\/[^/?#@]+\/?$/i.test(url)) {
    problems.push("BASE_URL: Only scheme and host, such as https://books.example, without a path.");
  }
  if (values["IDENTITY_PROVIDER"] === "forward") {
    problems.push(
      "IDENTITY_PROVIDER: forward needs the front of `npm run serve`, which a deployed Worker lacks.",
    );
  }
  if (problems.length > 0) throw new CommandError(`These settings make no sense:\n${problems.join("\n")}`);
}

/** Lists the settings and secrets that the worker would reject. */
export async function settingsProblems(
  values: Record<string, string>,
): Promise<{ name: string; message: string }[]> {
  source ??= importSource(SCHEMA);
  const { settingsSchema } = await source;
  const { error } = settingsSchema.safeParse(values);
  const issues = error?.issues ?? [];
  return issues.map(({ path: place, message }) => ({ name: place.join("."), message }));
}

/**
 * Returns the secrets of the operator's JSON file, after adding generated ones that the account (`known`) lacks too.
 * New secrets are written to the file first, so that none exists in the account alone.
 */
export async function ownSecrets(
  file: string,
  { known, isDryRun }: { known: Set<string>; isDryRun: boolean },
): Promise<{ secrets: Record<string, string>; made: string[] }> {
  const secrets = await readSecrets(file);
  const made = MADE_SECRETS.filter((name) => secrets[name] === undefined && !known.has(name));
  if (made.length === 0 || isDryRun) return { secrets, made };
  for (const name of made) secrets[name] = randomBytes(32).toString("base64url");
  await writeWhole(file, `${JSON.stringify(secrets, null, 2)}\n`, { mode: 0o600 });
  return { secrets, made };
}

/** Reads the secrets in the operator's file; none if there is no file. */
export async function readSecrets(file: string): Promise<Record<string, string>> {
  const value = parseJson((await textOf(file)) || "{}");
  const isObject = typeof value === "object" && value !== null && !Array.isArray(value);
  if (!isObject || !Object.values(value).every((one) => typeof one === "string" && one !== "")) {
    throw new CommandError(`${file} must be a JSON object of texts that are not empty.`);
  }
  const unknown = Object.keys(value).filter((name) => ![...MADE_SECRETS, ...OTHER_SECRETS].includes(name));
  if (unknown.length > 0) throw new CommandError(`${file}: there is no secret ${unknown.join(", ")}.`);
  return value;
}

/** Parses JSON without the parser's error message, which would quote a secret. */
function parseJson(text: string) {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** Passes secrets in a temporary file: other users can read command lines. */
export async function withSecretsFile<Result>(
  secrets: Record<string, string>,
  use: (file: string) => Promise<Result>,
) {
  const folder = await mkdtemp(path.join(os.tmpdir(), "carrel-deploy-"));
  const file = path.join(folder, "secrets.json");
  try {
    await writeFile(file, JSON.stringify(secrets), { mode: 0o600 });
    return await use(file);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** Reads a file; returns an empty string if there is none. */
export function textOf(file: string): Promise<string> {
  return readFile(file, "utf8").catch((error) => {
    if (codeOf(error) === "ENOENT") return "";
    throw error;
  });
}
