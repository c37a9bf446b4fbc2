import { Buffer } from "node:buffer";
import { catalogOf } from "../../db/catalog.ts";
import { watchBindings } from "../../db/edge-limits.ts";
import type { Store } from "../../db/statement.ts";
import { settingsOf } from "./settings.ts";

/** Binding names of the stores. Only this file reads `env`. */
const BINDINGS = {
  search: "SEARCH",
  patrons: "PATRONS",
  cache: "CACHE",
  covers: "COVERS",
  archive: "ARCHIVE",
  indexQueue: "INDEX",
  lookupQueue: "LOOKUPS",
  activityQueue: "ACTIVITY",
  patronJobs: "PATRON_JOBS",
  importQueue: "IMPORTS",
  coverJobs: "COVER_JOBS",
  dumpJobs: "DUMP_JOBS",
  throttle: "THROTTLE",
  patron: "PATRON",
  loanDesk: "LOAN_DESK",
  editDesk: "EDIT_DESK",
  importDesk: "IMPORT_DESK",
  changeFeed: "CHANGE_FEED",
  assets: "ASSETS",
} as const satisfies Readonly<Record<string, keyof Env>>;

type Bound = { readonly [name in keyof typeof BINDINGS]: Env[(typeof BINDINGS)[name]] };

export interface Stores extends Bound {
  readonly catalog: Store;
  /** Undefined if there is neither Analytics Engine nor `METRICS_LOG`. */
  readonly metrics: Pick<AnalyticsEngineDataset, "writeDataPoint"> | undefined;
  /** Service that shrinks large images; undefined if it is switched off or the account does not have it. */
  readonly images: ImagesBinding | undefined;
}

const storesByEnv = new WeakMap<object, Stores>();

export function storesOf(env: Env): Stores {
  const stores = storesByEnv.get(env) ?? createStores(env);
  storesByEnv.set(env, stores);
  const catalog = catalogOf(env);
  if (catalog === env.CATALOG) return stores;
  return { ...stores, ...watchBindings({ catalog }, settingsOf(env).EDGE_LIMITS) };
}

/** Prints data points for a collector that reads the log. */
const METRIC_LINES: Pick<AnalyticsEngineDataset, "writeDataPoint"> = {
  writeDataPoint: (point) => console.debug(JSON.stringify({ point })),
};

function createStores(env: Env): Stores {
  const bound = Object.entries(BINDINGS).map(([name, binding]) => [name, env[binding]]);
  const { EDGE_LIMITS, LARGE_IMAGES, METRICS_LOG } = settingsOf(env);
  const stores: Stores = {
    // The entries are those of `BINDINGS`.
    ...(Object.fromEntries(bound) as Bound),
    catalog: catalogOf(env),
    // The generated types describe the configuration, not the account that it is deployed to.
    metrics: (env.METRICS as AnalyticsEngineDataset | undefined) ?? (METRICS_LOG ? METRIC_LINES : undefined),
    images: LARGE_IMAGES ? (env.IMAGES as ImagesBinding | undefined) : undefined,
  };
  return watchBindings(stores, EDGE_LIMITS);
}

export interface Sources {
  now(): number;
  newRequestId(): string;
  /** Returns 128 unguessable random bits as base64url. */
  newSecret(): string;
}

const SECRET_BYTES = 16;

let requestCount = 0;
let isolateId = "";

export const systemSources: Sources = {
  now: () => Date.now(),
  newRequestId: () => {
    // Randomness is unavailable while a module starts, so the isolate's part is created on first use.
    if (isolateId === "") isolateId = crypto.randomUUID().slice(0, 13);
    requestCount += 1;
    return `${isolateId}-${requestCount.toString(36)}`;
  },
  newSecret: () => Buffer.from(crypto.getRandomValues(new Uint8Array(SECRET_BYTES))).toString("base64url"),
};
