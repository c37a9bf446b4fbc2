import os from "node:os";
import path from "node:path";
import { type Environment, CommandError } from "./command.ts";
import { OTHER_SECRETS, settingsProblems } from "./deploy-settings.ts";
import { SECRET_FILES, localSecret } from "./local-state.ts";
import type { Config } from "./config.ts";
import type { Listener } from "./runtime.ts";

const SERVE = "npm run serve is for users (docs/self-host.md)";

/** Settings that `npm start` rejects in the environment, and their replacements. */
const REFUSED: Record<string, string> = {
  ENVIRONMENT: `npm start is a development service, with known passwords; ${SERVE}`,
  BASE_URL: `a local service answers with the address of the request; ${SERVE}`,
  RECORD_PREFIX: `the starter catalog has this one; ${SERVE}`,
  ARCHIVE_PUBLIC_URL: SERVE,
  DERIVE_HOLDINGS: SERVE,
  SESSION_SECRET_BEFORE: `write a new secret into the file session-secret of the state; sessions then end`,
  CATALOG_HYPERDRIVE: "use --catalog URL",
  CATALOG_NEAR_HYPERDRIVE: "use --catalog-near URL",
};

/** Accepted values without effect that differ from wrangler.toml. */
const SAME: Record<string, string[]> = { ENVIRONMENT: ["development"], SESSION_SECRET_BEFORE: [""] };

/** Accepted values of `HOST`. csh sets it to the host name. */
const HOSTS = new Set(["127.0.0.1", "localhost", os.hostname()]);

/**
 * Combines the settings of wrangler.toml, of a development service and of the environment with the secrets. Throws for
 * unsupported and invalid settings.
 */
export async function startSettings(
  config: Config,
  {
    listeners,
    state,
    env,
    more,
  }: { listeners: Listener[]; state: string; env: Environment; more: Record<string, string> },
): Promise<Record<string, string> & { LOAD_TOKEN: string }> {
  const secrets = await localSecrets(state, env);
  const refused = [...refusedSettings(config, env, listeners), ...otherSecrets(secrets, { state, env })];
  if (refused.length > 0) {
    throw new CommandError(
      `npm start does not serve these settings of the environment:\n${refused.join("\n")}`,
    );
  }
  const vars = { ...localVars(config, listeners, env), ...more, ...secrets };
  const problems = await settingsProblems({ ...config.vars, ...vars });
  if (problems.length > 0) {
    const lines = problems.map(({ name, message }) => `${name}${origin(name, { state, env })}: ${message}`);
    throw new CommandError(
      `The service cannot run with these settings (docs/settings.md):\n${lines.join("\n")}`,
    );
  }
  return vars;
}

/** Returns the secrets of a state, which are made once. */
export async function localSecrets(state: string, env: Environment) {
  return {
    LOAD_TOKEN: await localSecret(state, SECRET_FILES.LOAD_TOKEN),
    SESSION_SECRET: await localSecret(state, SECRET_FILES.SESSION_SECRET),
    COVERS_SECRET: env["COVERS_SECRET"] ?? (await localSecret(state, SECRET_FILES.COVERS_SECRET)),
  };
}

/** Lists the settings of the environment that would be ignored. */
export function refusedSettings({ vars }: Config, env: Environment, listeners: Listener[]) {
  const problems = Object.entries(REFUSED).flatMap(([name, instead]) => {
    const value = env[name];
    const isSame = value === undefined || (SAME[name] ?? [vars[name] ?? ""]).includes(value);
    return isSame || (name === "BASE_URL" && isOwnUrl(value, listeners)) ? [] : [`${name}: ${instead}`];
  });
  const host = env["HOST"] ?? "";
  if (host !== "" && !HOSTS.has(host)) problems.push(`HOST: it listens on 127.0.0.1 only; ${SERVE}`);
  return problems;
}

/** Returns true for the service's own URL, and for `/`, which Vite sets. */
function isOwnUrl(url: string, listeners: Listener[]) {
  if (url === "/") return true;
  if (!URL.canParse(url)) return false;
  const { origin: address, hostname, port } = new URL(url);
  const main = listeners.find(({ entrypoint }) => entrypoint === "MainSite");
  return HOSTS.has(hostname) && port === String(main?.port) && url.replace(/\/$/, "") === address;
}

/** Names the secrets of the environment that are not those of the state. */
export function otherSecrets(
  secrets: Record<string, string>,
  { state, env }: { state: string; env: Environment },
) {
  return Object.entries(secrets).flatMap(([name, value]) =>
    env[name] === undefined || env[name] === value
      ? []
      : [`${name}: unset it, or write it into ${fileOf(name, state)}`],
  );
}

/** Returns the settings that differ between a development service and a deployed one. */
function localVars(config: Config, listeners: Listener[], env: Environment): Record<string, string> {
  const covers = listeners.find(({ entrypoint }) => entrypoint === "CoverStore");
  const names = [...Object.keys(config.vars), ...OTHER_SECRETS].filter((name) => !(name in REFUSED));
  return {
    ENVIRONMENT: "development",
    COVERS_PUBLIC_URL: `http://localhost:${covers?.port}`,
    EDGE_CACHE: "off",
    INDEX_INTERVAL_MS: "250",
    DUMPS: "off",
    RATE_LIMIT_PER_MINUTE: "60000",
    LOG_REQUESTS: "problems",
    EDGE_LIMITS: "enforce",
    ...Object.fromEntries(names.flatMap((name) => (env[name] === undefined ? [] : [[name, env[name]]]))),
  };
}

/** Names the source of a setting that is not in wrangler.toml. */
function origin(name: string, { state, env }: { state: string; env: Environment }) {
  if (env[name] !== undefined) return " of the environment";
  return name in SECRET_FILES ? `, in ${fileOf(name, state)} (without the file a new one is made)` : "";
}

function fileOf(name: string, state: string) {
  return path.join(state, SECRET_FILES[name as keyof typeof SECRET_FILES]);
}
