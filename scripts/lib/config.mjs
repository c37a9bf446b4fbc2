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

/** @returns {Promise<Config>} */
export async function readConfig() {
  const text = await readFile(path.join(ROOT, "wrangler.toml"), "utf8");
  // wrangler itself checks the file; `npm run build` shows what it says.
  return /** @type {Config} */ (/** @type {unknown} */ (parse(text)));
}
