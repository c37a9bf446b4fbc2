import { readFile } from "node:fs/promises";
import path from "node:path";
import { parse } from "smol-toml";
import { ROOT } from "./paths.mjs";

/**
 * What the local runtime reads of wrangler.toml, the one place of configuration.
 * @typedef {object} Config
 * @property {string} name
 * @property {string} main
 * @property {string} compatibility_date
 * @property {string[]} [compatibility_flags]
 * @property {Record<string, string>} vars
 * @property {{ directory: string, binding: string, not_found_handling?: "none" }} assets
 * @property {{ binding: string, database_name: string, database_id: string, migrations_dir: string }[]} d1_databases
 * @property {{ binding: string, id: string }[]} [hyperdrive]
 * @property {{ binding: string, id: string }[]} kv_namespaces
 * @property {{ binding: string, bucket_name: string }[]} r2_buckets
 * @property {{ binding: string }} [images]
 * @property {{ bindings: { name: string, class_name: string }[] }} durable_objects
 * @property {{ new_sqlite_classes?: string[] }[]} migrations
 * @property {{ producers: { binding: string, queue: string }[], consumers: Consumer[] }} queues
 * @property {{ crons: string[] }} triggers
 */
/**
 * @typedef {object} Consumer
 * @property {string} queue
 * @property {number} max_batch_size
 * @property {number} max_batch_timeout
 * @property {number} max_retries
 * @property {string} [dead_letter_queue]
 */

/**
 * What a deployed service needs, by what wrangler.toml says.
 * @typedef {object} Needs
 * @property {{ binding: string, name: string }[]} databases
 * @property {{ binding: string, title: string }[]} namespaces
 * @property {string[]} buckets
 * @property {string[]} queues those of dead letters among them
 */

/** Stands for the id of what a dry run does not create. */
const NO_ID = "00000000000000000000000000000000";

/** @returns {Promise<Config>} */
export async function readConfig() {
  const text = await readFile(path.join(ROOT, "wrangler.toml"), "utf8");
  // wrangler itself checks the file; `npm run build` shows what it says.
  return /** @type {Config} */ (/** @type {unknown} */ (parse(text)));
}

/** @param {Config} config @returns {Needs} */
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
 * The configuration of the deployed service: wrangler.toml with the ids of this account and the settings of this service.
 * @param {Config} config
 * @param {{ databases?: Map<string, string>, namespaces?: Map<string, string>, settings: Record<string, string> }} found
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
    ...catalogIn(vars),
    vars,
    d1_databases: config.d1_databases.map((database) => ({
      ...database,
      database_id: databases?.get(database.database_name) ?? NO_ID,
    })),
    kv_namespaces: config.kv_namespaces.map((namespace) => {
      const title = wanted.find(({ binding }) => binding === namespace.binding)?.title ?? "";
      return { ...namespace, id: namespaces?.get(title) ?? NO_ID };
    }),
  };
}

/** Bindings of a catalog in PostgreSQL, by the settings with their ids. */
const HYPERDRIVES = { CATALOG_POSTGRES: "CATALOG_HYPERDRIVE", CATALOG_NEAR: "CATALOG_NEAR_HYPERDRIVE" };

/** @param {Record<string, string>} vars */
function catalogIn(vars) {
  const hyperdrive = Object.entries(HYPERDRIVES).flatMap(([binding, setting]) => {
    const id = vars[setting] ?? "";
    return id === "" ? [] : [{ binding, id }];
  });
  return hyperdrive.length === 0 ? {} : { hyperdrive };
}
