import { Buffer } from "node:buffer";
import * as z from "zod";
import type { Route } from "./operation.ts";
import type { IsolateCache } from "./answers/isolate-cache.ts";
import type { Actor } from "./sessions/actor.ts";
import type { Session } from "./sessions/session.ts";

const onOff = z.enum(["on", "off"]).transform((value) => value === "on");
const optionalUrl = z.union([z.literal(""), z.url()]).default("");
const words = z
  .string()
  .default("")
  .transform((text) => text.split(" ").filter((word) => word !== ""));
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
  /** Where retail products are looked up; empty: nowhere. */
  AFFILIATE_URL: optionalUrl,
  /** Where scanned items are described: in ARCHIVE, or at ITEMS_URL. */
  ITEMS: z.enum(["archive", "http"]).default("archive"),
  ITEMS_URL: optionalUrl,
  /** Beginnings of item ids that are never imported. */
  ITEM_PREFIXES_REFUSED: words,
  /** Who is told which edition and work an item has become; empty: nobody. */
  ITEM_NOTICE_URL: optionalUrl,
  /** Hosts whose images imports may name, in lower case. */
  COVER_HOSTS: words.transform((hosts) => hosts.map((host) => host.toLowerCase())),
  /** Where covers are shown that this service does not have; empty: nowhere. */
  COVER_FALLBACK_BASE: optionalUrl,
  /** Numbers of covers that are not shown. */
  COVERS_BLOCKED: words,
  /** Shared with the services that may write into the cover store. */
  COVERS_SECRET: z.string().min(16).optional(),
  /** How often the whole catalog is dumped for download; the changes of each day are dumped unless it is off. */
  DUMPS: z.enum(["off", "weekly", "monthly"]).default("off"),
  /** With which the service that scans books signs what it tells of them (lookup.md 17.6). */
  LINK_SECRET: z.string().min(16).optional(),
  /** Hosts from which a preview may read MARC files. */
  MARC_HOSTS: words,
  /** Hosts that the form for covers of library systems may lead back to. */
  ILS_HOSTS: words,
  /** Username of the account that queued imports are made by. */
  IMPORT_BOT: z.string().min(1).default("ImportBot"),
  LOG_REQUESTS: z.enum(["all", "problems"]),
  LOAD_TOKEN: z.string().min(16).optional(),
  /** Origins other than our own whose pages may log somebody in, separated by blanks. */
  LOGIN_ORIGINS: words,
  SESSION_SECRET: z.string().min(32).optional(),
  SESSION_SECRET_BEFORE: z.string().min(32).optional(),
  IDENTITY_PROVIDER: z.enum(["local", "xauth", "oidc"]).default("local"),
  XAUTH_URL: optionalUrl,
  XAUTH_KEY_URL: optionalUrl,
  XAUTH_ACCESS: z.string().default(""),
  XAUTH_SECRET: z.string().default(""),
  OIDC_ISSUER: optionalUrl,
  OIDC_CLIENT_ID: z.string().default(""),
  OIDC_CLIENT_SECRET: z.string().default(""),
  LENDING: z.enum(["embedded", "http"]).default("embedded"),
  LENDING_URL: optionalUrl,
  LENDING_AVAILABILITY_URL: optionalUrl,
  LENDING_RPC_URL: optionalUrl,
  LENDING_ACCESS: z.string().default(""),
  LENDING_KEY: z.string().default(""),
  READER_URL: optionalUrl,
  /** With which links to another reader are signed. */
  READER_SECRET: z.string().min(16).optional(),
  BORROW_GET_WRITES: onOff.default(true),
  /** With which a lending service signs what it tells of its loans (lookup.md 14). */
  LENDING_SECRET: z.string().min(16).optional(),
  MAIL_URL: optionalUrl,
  MAIL_TOKEN: z.string().default(""),
  MAIL_FROM: z.string().default(""),
  /** Shared with the service that may have accounts removed. */
  ANONYMIZE_SECRET: z.string().min(16).optional(),
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
