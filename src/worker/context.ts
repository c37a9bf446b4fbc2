import { Buffer } from "node:buffer";
import * as z from "zod";
import type { Route } from "./operation.ts";
import type { IsolateCache } from "./answers/isolate-cache.ts";
import type { Actor } from "./sessions/actor.ts";
import type { RequestTrace } from "./metrics/trace.ts";
import type { Session } from "./sessions/session.ts";
import { settingsSchema } from "./settings.ts";

/** The configuration, checked once per isolate. docs/settings.md explains every value. */
export type Settings = z.infer<typeof settingsSchema>;

const known = new WeakMap<object, Settings>();

/** Reads the settings out of the bindings; throws on a value that makes no sense. */
export function settingsOf(env: Env): Settings {
  const cached = known.get(env);
  if (cached !== undefined) return cached;
  const parsed = settingsSchema.safeParse(env);
  if (!parsed.success) throw new Error(`bad configuration:\n${z.prettifyError(parsed.error)}`);
  known.set(env, parsed.data);
  return parsed.data;
}

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

const knownStores = new WeakMap<object, Stores>();

/** The stores behind the bindings. */
export function storesOf(env: Env): Stores {
  const cached = knownStores.get(env);
  if (cached !== undefined) return cached;
  const stores = makeStores(env);
  knownStores.set(env, stores);
  return stores;
}

function makeStores(env: Env): Stores {
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

const SECRET_BYTES = 16;
let requests = 0;
let isolate = "";

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

/** All that an operation may use besides its checked parameters. */
export interface RequestContext {
  readonly sources: Sources;
  /** When the request came, in milliseconds since the epoch. */
  readonly now: number;
  readonly settings: Settings;
  readonly stores: Stores;
  readonly request: Request;
  readonly url: URL;
  readonly requestId: string;
  /** Address of the client, or "local". */
  readonly client: string;
  /** What is noted on the way, for the log and the metrics. */
  readonly trace: RequestTrace;
  /** Headers that every answer to this request gets. */
  readonly headers: Record<string, string>;
  /** Bookmark of the client's last write: his reads must see it. */
  readonly bookmark: string | undefined;
  readonly cache: IsolateCache;
  /** Texts of `Set-Cookie` headers that the answer gets. */
  readonly cookies: string[];
  /** The session that the request's cookie opens, if any; looked up once. */
  session(): Promise<Session | undefined>;
  /** Who makes the request, with account and groups; looked up once. */
  actor(): Promise<Actor>;
  /** The whole interface, for the operations that describe it. */
  readonly routes: readonly Route[];
  waitUntil(promise: Promise<unknown>): void;
}

/** Base address in answers: the setting, else scheme and host of the request. */
export function baseUrl({ settings, url }: RequestContext): string {
  return settings.BASE_URL === "" ? url.origin : settings.BASE_URL.replace(/\/$/, "");
}

/** A read session near the reader; one that knows the client's own last write if there was one. */
export function catalogReader({ stores, bookmark }: RequestContext): D1DatabaseSession {
  return stores.catalog.withSession(bookmark ?? "first-unconstrained");
}

/** Base address of cover images in answers: the setting, else this service. */
export function coversUrl(context: RequestContext): string {
  const { COVERS_PUBLIC_URL: setting } = context.settings;
  return setting === "" ? baseUrl(context) : setting.replace(/\/$/, "");
}
