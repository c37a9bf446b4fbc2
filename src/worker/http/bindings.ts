import { Buffer } from "node:buffer";
import { settingsOf } from "./settings.ts";

/** What lies behind the bindings. Nothing but this file reads `env`. */
export interface Stores {
  readonly catalog: D1Database;
  readonly search: D1Database;
  readonly patrons: D1Database;
  readonly cache: KVNamespace;
  readonly covers: R2Bucket;
  readonly archive: R2Bucket;
  readonly indexQueue: Queue;
  readonly lookupQueue: Queue;
  readonly activityQueue: Queue;
  readonly patronJobs: Queue;
  readonly importQueue: Queue;
  readonly coverJobs: Queue;
  readonly dumpJobs: Queue;
  readonly throttle: Env["THROTTLE"];
  readonly patron: Env["PATRON"];
  readonly loanDesk: Env["LOAN_DESK"];
  readonly editDesk: Env["EDIT_DESK"];
  readonly importDesk: Env["IMPORT_DESK"];
  readonly changeFeed: Env["CHANGE_FEED"];
  readonly assets: Fetcher;
  /** Absent where the account has no Analytics Engine. */
  readonly metrics: AnalyticsEngineDataset | undefined;
  /** Makes large images smaller; absent where that is switched off, or the account has no such service. */
  readonly images: ImagesBinding | undefined;
}

export const knownStores = new WeakMap<object, Stores>();

/** The stores behind the bindings. */
export function storesOf(env: Env): Stores {
  const cached = knownStores.get(env);
  if (cached !== undefined) return cached;
  const stores = makeStores(env);
  knownStores.set(env, stores);
  return stores;
}

export function makeStores(env: Env): Stores {
  return {
    catalog: env.CATALOG,
    search: env.SEARCH,
    patrons: env.PATRONS,
    cache: env.CACHE,
    covers: env.COVERS,
    archive: env.ARCHIVE,
    indexQueue: env.INDEX,
    lookupQueue: env.LOOKUPS,
    activityQueue: env.ACTIVITY,
    patronJobs: env.PATRON_JOBS,
    importQueue: env.IMPORTS,
    coverJobs: env.COVER_JOBS,
    dumpJobs: env.DUMP_JOBS,
    throttle: env.THROTTLE,
    patron: env.PATRON,
    loanDesk: env.LOAN_DESK,
    editDesk: env.EDIT_DESK,
    importDesk: env.IMPORT_DESK,
    changeFeed: env.CHANGE_FEED,
    assets: env.ASSETS,
    // The generated types know the configuration, not the account that it is deployed to.
    metrics: env.METRICS as AnalyticsEngineDataset | undefined,
    images: settingsOf(env).LARGE_IMAGES ? (env.IMAGES as ImagesBinding | undefined) : undefined,
  };
}

/** Clock, ids and randomness: decided by tests, real everywhere else. */
export interface Sources {
  /** Milliseconds since the epoch. */
  now(): number;
  newRequestId(): string;
  /** 128 random bits that nobody can guess, as base64url. */
  newSecret(): string;
}

export const SECRET_BYTES = 16;

export let requests = 0;

export let isolate = "";

/** The real clock, and request ids that are unique over all isolates. */
export const systemSources: Sources = {
  now: () => Date.now(),
  newRequestId: () => {
    // Randomness is not to be had while a module starts, so the isolate's part is made on first use.
    if (isolate === "") isolate = crypto.randomUUID().slice(0, 13);
    requests += 1;
    return `${isolate}-${requests.toString(36)}`;
  },
  newSecret: () => Buffer.from(crypto.getRandomValues(new Uint8Array(SECRET_BYTES))).toString("base64url"),
};
