import { readdirSync } from "node:fs";
import { createRequire } from "node:module";
import path from "node:path";
import {
  type V4ModuleDefinition,
  type V4WorkerOptions,
  Log,
  LogLevel,
  convertV4MiniflareOptions,
} from "miniflare";
import { BUNDLE, ROOT } from "./paths.ts";
import type { Config, Consumer } from "./config.ts";

export const HOST = "127.0.0.1";

/** A port and the entry point of the worker behind it. */
export interface Listener {
  entrypoint: string;
  name: string;
  port: number;
  flag: string;
}

/** Receives what the runtime and the worker print. */
export interface LogSink {
  /** A line of the worker, with its level (`log`, `warn`, `error`, …). */
  line: (entry: { level: string; message: string }) => void;
  /** A message of the runtime, such as that of a crash. */
  runtime: Log;
}

/** Port of the debugger: the default of Node and Chrome. */
const INSPECTOR_PORT = 9229;

/**
 * Derives the options of the local runtime from wrangler.toml. `bundle` is the folder of the bundle, `catalog` has URLs
 * of PostgreSQL, `onRestart` runs after the runtime has crashed and was restarted, and `more` adds workers.
 */
export function runtimeOptions(
  config: Config,
  {
    state,
    bundle,
    vars,
    listeners,
    catalog,
    inspect,
    log,
    onRestart,
    more = [],
  }: {
    state: string;
    bundle: string;
    vars: Record<string, string>;
    listeners: Listener[];
    catalog?: { primary: string; near?: string | undefined } | undefined;
    inspect?: boolean;
    log?: LogSink;
    onRestart?: () => Promise<void>;
    more?: V4WorkerOptions[];
  },
) {
  if (config.images !== undefined) keepNoImages();
  return convertV4MiniflareOptions({
    host: HOST,
    port: 0,
    cf: false,
    ...(inspect && { inspectorPort: INSPECTOR_PORT }),
    log: log?.runtime ?? new Log(LogLevel.WARN),
    ...(log && { handleStructuredLogs: log.line }),
    unsafeTriggerHandlers: true,
    ...(onRestart && { unsafeHandleRuntimeRestart: onRestart }),
    resourcePersistencePath: state,
    workers: [
      {
        name: config.name,
        modules: bundledModules(bundle),
        rootPath: ROOT,
        modulesRoot: bundle,
        compatibilityDate: config.compatibility_date,
        compatibilityFlags: config.compatibility_flags ?? [],
        bindings: { ...config.vars, ...vars },
        ...stores(config),
        ...(catalog && {
          hyperdrives: {
            CATALOG_POSTGRES: catalog.primary,
            ...(catalog.near && { CATALOG_NEAR: catalog.near }),
          },
        }),
        ...queues(config),
        durableObjects: durableObjects(config),
        assets: {
          directory: path.resolve(ROOT, config.assets.directory),
          binding: config.assets.binding,
          routerConfig: { has_user_worker: true },
          assetConfig: { not_found_handling: config.assets.not_found_handling ?? "none" },
        },
        unsafeDirectSockets: listeners.map(({ entrypoint, port }) => ({ host: HOST, port, entrypoint })),
      },
      ...more,
    ],
  });
}

/** Returns the modules of a bundle, the main one first. */
function bundledModules(folder: string): V4ModuleDefinition[] {
  const names = readdirSync(folder).filter((name) => name !== BUNDLE && /\.(?:js|wasm)$/.test(name));
  return [BUNDLE, ...names].map((name) => ({
    type: name.endsWith(".wasm") ? ("CompiledWasm" as const) : ("ESModule" as const),
    path: path.join(folder, name),
  }));
}

function stores(config: Config) {
  return {
    d1Databases: Object.fromEntries(config.d1_databases.map((d) => [d.binding, d.database_id])),
    kvNamespaces: Object.fromEntries(config.kv_namespaces.map((k) => [k.binding, k.id])),
    r2Buckets: Object.fromEntries(config.r2_buckets.map((b) => [b.binding, b.bucket_name])),
    ...(config.images === undefined ? {} : { images: config.images }),
  };
}

function queues({ queues: { producers, consumers } }: Config) {
  return {
    queueProducers: Object.fromEntries(producers.map((q) => [q.binding, { queueName: q.queue }])),
    queueConsumers: Object.fromEntries(consumers.map((q) => [q.queue, consumerOptions(q)])),
  };
}

function consumerOptions(consumer: Consumer) {
  return {
    maxBatchSize: consumer.max_batch_size,
    maxBatchTimeout: consumer.max_batch_timeout,
    maxRetries: consumer.max_retries,
    deadLetterQueue: consumer.dead_letter_queue,
  };
}

function durableObjects(config: Config) {
  const sqlite = new Set(config.migrations.flatMap((m) => m.new_sqlite_classes ?? []));
  return Object.fromEntries(
    config.durable_objects.bindings.map((d) => [
      d.name,
      { className: d.class_name, useSQLite: sqlite.has(d.class_name) },
    ]),
  );
}

/**
 * Disables the cache of the local image service, which grows to 3 GB after eight large images
 * (docs/decisions/0032-large-photographs.md).
 */
function keepNoImages() {
  let sharp: { cache: (isOn: boolean) => void };
  try {
    // Miniflare's own: it is no dependency of ours.
    sharp = createRequire(import.meta.resolve("miniflare"))("sharp");
  } catch {
    // A platform that it does not work on: large images are then answered with 503.
    return;
  }
  sharp.cache(false);
}
