import * as z from "zod";
import type { Route } from "./operation.ts";
import type { IsolateCache } from "./answers/isolate-cache.ts";

const onOff = z.enum(["on", "off"]).transform((value) => value === "on");
const settingsSchema = z.object({
  ENVIRONMENT: z.enum(["development", "production"]),
  RECORD_PREFIX: z.string().regex(/^[A-Z]{2}$/),
  BASE_URL: z.union([z.literal(""), z.url()]),
  COVERS_PUBLIC_URL: z.union([z.literal(""), z.url()]),
  ARCHIVE_PUBLIC_URL: z.url(),
  EDGE_CACHE: onOff,
  RATE_LIMIT_PER_MINUTE: z.string().regex(/^\d+$/).transform(Number),
  DERIVE_HOLDINGS: onOff,
  AFFILIATE_LOOKUP: z.enum(["off", "queue"]),
  LOG_REQUESTS: z.enum(["all", "problems"]),
  LOAD_TOKEN: z.string().min(16).optional(),
});

/** The configuration, checked once per isolate. README.md explains every value. */
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
  readonly throttle: Env["THROTTLE"];
  readonly assets: Fetcher;
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
    throttle: env.THROTTLE,
    assets: env.ASSETS,
  };
}

/** Clock and ids: fixed by tests, real everywhere else. */
export interface Sources {
  /** Milliseconds since the epoch. */
  now(): number;
  newRequestId(): string;
}

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
  /** Headers that every answer to this request gets. */
  readonly headers: Record<string, string>;
  /** Bookmark of the client's last write: his reads must see it. */
  readonly bookmark: string | undefined;
  readonly cache: IsolateCache;
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
