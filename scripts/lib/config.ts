import { readFile } from "node:fs/promises";
import path from "node:path";
import { parse } from "smol-toml";
import { BUNDLE, DEPLOYED_BUNDLE, ROOT } from "./paths.ts";

/** The part of wrangler.toml that the local runtime uses. */
export interface Config {
  name: string;
  main: string;
  compatibility_date: string;
  compatibility_flags?: string[];
  vars: Record<string, string>;
  assets: { directory: string; binding: string; not_found_handling?: "none" };
  d1_databases: { binding: string; database_name: string; database_id: string; migrations_dir: string }[];
  hyperdrive?: { binding: string; id: string }[];
  kv_namespaces: { binding: string; id: string }[];
  r2_buckets: { binding: string; bucket_name: string }[];
  images?: { binding: string };
  durable_objects: { bindings: { name: string; class_name: string }[] };
  migrations: { new_sqlite_classes?: string[] }[];
  queues: { producers: { binding: string; queue: string }[]; consumers: Consumer[] };
  triggers: { crons: string[] };
}
export interface Consumer {
  queue: string;
  max_batch_size: number;
  max_batch_timeout: number;
  max_retries: number;
  dead_letter_queue?: string;
}

/** Resources of a deployed service according to wrangler.toml. */
interface Needs {
  databases: { binding: string; name: string }[];
  namespaces: { binding: string; title: string }[];
  buckets: string[];
  /** Includes dead-letter queues. */
  queues: string[];
}

/** Placeholder id for resources that a dry run does not create. */
const NO_ID = "00000000000000000000000000000000";

export async function readConfig(root = ROOT): Promise<Config> {
  const text = await readFile(path.join(root, "wrangler.toml"), "utf8");
  // Not validated here: wrangler does that, in `npm run build`.
  return parse(text) as unknown as Config;
}

export function needsOf({
  name,
  d1_databases: databases,
  kv_namespaces: namespaces,
  r2_buckets,
  queues,
}: Config): Needs {
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
 * Returns the configuration of the deployed service: wrangler.toml with the ids of this account, by name and by title,
 * and the settings of this service.
 */
export function deployedConfig(
  config: Config,
  {
    databases,
    namespaces,
    settings,
  }: { databases?: Map<string, string>; namespaces?: Map<string, string>; settings: Record<string, string> },
) {
  const { namespaces: wanted } = needsOf(config);
  const { images, ...others } = config;
  const vars = { ...config.vars, ...settings };
  // Not requested if switched off: the account may lack it.
  const large = vars["LARGE_IMAGES"] === "off" || images === undefined ? {} : { images };
  return {
    ...others,
    ...large,
    ...catalogIn(vars),
    // Bundled by `bundleForDeploy`.
    main: path.relative(ROOT, path.join(DEPLOYED_BUNDLE, BUNDLE)),
    no_bundle: true,
    rules: [{ type: "ESModule", globs: ["**/*.js"] }],
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

/** Settings with the Hyperdrive ids of a catalog in PostgreSQL, by binding. */
const HYPERDRIVES = { CATALOG_POSTGRES: "CATALOG_HYPERDRIVE", CATALOG_NEAR: "CATALOG_NEAR_HYPERDRIVE" };

function catalogIn(vars: Record<string, string>) {
  const hyperdrive = Object.entries(HYPERDRIVES).flatMap(([binding, setting]) => {
    const id = vars[setting] ?? "";
    return id === "" ? [] : [{ binding, id }];
  });
  return hyperdrive.length === 0 ? {} : { hyperdrive };
}
