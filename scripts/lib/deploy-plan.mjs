import { CommandError } from "./command.mjs";

/** @import { Config } from "./config.mjs" */

/**
 * What a deployed service needs, by what wrangler.toml says.
 * @typedef {object} Needs
 * @property {{ binding: string, name: string }[]} databases
 * @property {{ binding: string, title: string }[]} namespaces
 * @property {string[]} buckets
 * @property {string[]} queues those of dead letters among them
 */

/** Secrets that every service needs: they are made when there are none. */
export const MADE_SECRETS = ["LOAD_TOKEN", "SESSION_SECRET", "COVERS_SECRET"];

/** Secrets of other services, which only the operator knows. */
export const OTHER_SECRETS = [
  "SESSION_SECRET_BEFORE",
  "LINK_SECRET",
  "XAUTH_SECRET",
  "OIDC_CLIENT_SECRET",
  "LENDING_KEY",
  "LENDING_SECRET",
  "READER_SECRET",
  "MAIL_TOKEN",
  "ANONYMIZE_SECRET",
];

/**
 * @param {Config} config
 * @returns {Needs}
 */
export function needsOf({ name, d1_databases: databases, kv_namespaces: namespaces, r2_buckets, queues }) {
  const { producers, consumers } = queues;
  const dead = consumers.flatMap(({ dead_letter_queue: queue }) => queue ?? []);
  const names = [...producers, ...consumers].map(({ queue }) => queue);
  return {
    databases: databases.map(({ binding, database_name }) => ({ binding, name: database_name })),
    namespaces: namespaces.map(({ binding }) => ({ binding, title: `${name}-${binding.toLowerCase()}` })),
    buckets: r2_buckets.map(({ bucket_name: bucket }) => bucket),
    queues: [...new Set([...names, ...dead])].sort(),
  };
}

/**
 * Settings as they stand in a file, `NAME=VALUE` a line; lines that begin with `#` are passed over.
 * @param {string} text
 * @param {Record<string, string>} known the settings that there are
 * @returns {Record<string, string>}
 */
export function parseSettings(text, known) {
  /** @type {Record<string, string>} */
  const settings = {};
  for (const line of text.split("\n").map((one) => one.trim())) {
    if (line === "" || line.startsWith("#")) continue;
    const [, name = "", value = ""] = /^([A-Z][A-Z0-9_]*)\s*=\s*(.*)$/.exec(line) ?? [];
    if (name === "") throw new CommandError(`This is not NAME=VALUE: ${line.slice(0, 40)}`);
    if ([...MADE_SECRETS, ...OTHER_SECRETS].includes(name)) {
      throw new CommandError(`${name} is a secret: it belongs into the file of secrets, not of settings.`);
    }
    if (!(name in known)) throw new CommandError(`There is no setting ${name}.`);
    settings[name] = value;
  }
  return settings;
}

/** Stands for the id of what a dry run does not create. */
export const NO_ID = "00000000000000000000000000000000";

/**
 * The configuration of the deployed service: wrangler.toml with the ids of this account and the settings of this service.
 * @param {Config} config
 * @param {{ databases: Map<string, string>, namespaces: Map<string, string>, settings: Record<string, string> }} found
 * @returns {Config} ids by name and by title
 */
export function deployedConfig(config, { databases, namespaces, settings }) {
  const { namespaces: wanted } = needsOf(config);
  const { images, ...others } = config;
  const vars = { ...config.vars, ...settings };
  // What is switched off is not asked for either: an account may not have it.
  const large = vars["LARGE_IMAGES"] === "off" || images === undefined ? {} : { images };
  return {
    ...others,
    ...large,
    vars,
    d1_databases: config.d1_databases.map((database) => ({
      ...database,
      database_id: databases.get(database.database_name) ?? NO_ID,
    })),
    kv_namespaces: config.kv_namespaces.map((namespace) => {
      const title = wanted.find(({ binding }) => binding === namespace.binding)?.title ?? "";
      return { ...namespace, id: namespaces.get(title) ?? NO_ID };
    }),
  };
}
