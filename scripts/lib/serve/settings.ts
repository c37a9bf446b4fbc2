import { randomBytes } from "node:crypto";
import { readText } from "../local-state.ts";
import { type Environment, CommandError } from "../command.ts";
import type { Config } from "../config.ts";
import { OTHER_SECRETS, settingsProblems } from "../deploy-settings.ts";
import { localSecrets, otherSecrets } from "../start-settings.ts";

/** Settings of the platform, and those that options of the command set. */
const REFUSED: Record<string, string> = {
  CATALOG_HYPERDRIVE: "use --catalog URL, or CATALOG_URL",
  CATALOG_NEAR_HYPERDRIVE: "use --catalog-near URL",
  FORWARD_AUTH_SECRET: "it is made at each start",
};

/** Secrets of the command, besides those of the worker. */
const OWN_SECRETS = ["SMTP_URL", "CATALOG_URL"];

/**
 * Returns the environment with the secrets whose files it names: `MAIL_TOKEN_FILE=/run/secrets/mail` sets `MAIL_TOKEN`.
 * Throws for a file that cannot be read, and for a secret that is given in both ways.
 */
export async function readSecretFiles(env: Environment): Promise<Environment> {
  const read = [...OTHER_SECRETS, ...OWN_SECRETS].map(async (name) => {
    const file = env[`${name}_FILE`];
    if (file === undefined || file === "") return [];
    if (env[name] !== undefined) throw new CommandError(`${name} is set twice: also by ${name}_FILE.`);
    const value = await readText(file);
    if (value === undefined) throw new CommandError(`${name}_FILE: there is no file ${file}.`);
    return [[name, value] as const];
  });
  return { ...env, ...Object.fromEntries((await Promise.all(read)).flat()) };
}

/**
 * Combines the settings of wrangler.toml, of a service on one machine and of the environment with the secrets of the
 * state. Throws for invalid settings.
 */
export async function serveSettings(
  config: Config,
  { state, env, more }: { state: string; env: Environment; more: Record<string, string> },
): Promise<Record<string, string> & { LOAD_TOKEN: string }> {
  const secrets = await localSecrets(state, env);
  const refused = Object.entries(REFUSED).flatMap(([name, instead]) =>
    (env[name] ?? "") === "" ? [] : [`${name}: ${instead}`],
  );
  refused.push(...otherSecrets(secrets, { state, env }));
  if ((env["ENVIRONMENT"] ?? "production") !== "production") {
    refused.push("ENVIRONMENT: npm start is the development service");
  }
  if (refused.length > 0) throw new CommandError(`These settings are not served:\n${refused.join("\n")}`);
  const names = [...Object.keys(config.vars), ...OTHER_SECRETS].filter((name) => !(name in REFUSED));
  const vars = {
    // The local runtime keeps its cache on the disk, which is slower than most answers.
    EDGE_CACHE: "off",
    ...Object.fromEntries(names.flatMap((name) => (env[name] === undefined ? [] : [[name, env[name]]]))),
    ENVIRONMENT: "production",
    METRICS_LOG: "on",
    // Not known to a proxy or a client: only the front of this process can tell the worker who has logged in.
    FORWARD_AUTH_SECRET: randomBytes(32).toString("base64url"),
    ...more,
    ...secrets,
  };
  const problems = await settingsProblems({ ...config.vars, ...vars });
  if (problems.length > 0) {
    const lines = problems.map(({ name, message }) => `${name}: ${message}`);
    throw new CommandError(
      `The service cannot run with these settings (docs/settings.md):\n${lines.join("\n")}`,
    );
  }
  return vars;
}
