import * as z from "zod";
import { FOLLOWED_KINDS } from "../../import/follow/source.ts";
import { LIMIT_MODES } from "../../db/edge-limits.ts";
import { ENGINES } from "../../search/engine.ts";

const onOff = z.enum(["on", "off"]).transform((value) => value === "on");
const optionalUrl = z.union([z.literal(""), z.url()]).default("");
const hyperdriveId = z
  .string()
  .regex(/^[0-9a-f]*$/)
  .default("");
const words = z
  .string()
  .default("")
  .transform((text) => text.split(" ").filter((word) => word !== ""));
const secret = z.string().min(16).optional();
/** Empty, or a URL without query and fragment, whose path needs no escaping. */
const PLAIN_ADDRESS = /^$|^[^?#/]+:\/\/[^/?#]+(?:\/(?!\.{1,2}(?:\/|$))[\w.~-]+)*\/?$/;
/** Contact in a `User-Agent` header. */
export const contactText = z.string().regex(/^[\x20-\x7e]{0,200}$/);

/**
 * Schema of settings and secrets. A test generates docs/settings.md from its comments and compares the two. `npm run
 * deploy` uses the schema too, so this file imports nothing else of the worker.
 */
export const settingsSchema = z.object({
  /** `development` allows the development accounts to be created. */
  ENVIRONMENT: z.enum(["development", "production"]),
  /** Prefix of record numbers, as in `/works/OL101W`. Choose it before the first load; the starter catalog uses `OL`. */
  RECORD_PREFIX: z.string().regex(/^[A-Z]{2}$/),
  /**
   * URL of the site in answers; empty: scheme and host of the request, and no emails in production. Crawlers are allowed on
   * this host only. It may have a path, such as `https://host.example/catalog`, if a proxy removes the path from each request
   * (not on Cloudflare, [Q867](wire/http.md)); `/robots.txt` and `/.well-known/` of the host are then the proxy's.
   */
  BASE_URL: z
    .union([z.literal(""), z.url()])
    .refine(
      (url) => PLAIN_ADDRESS.test(url),
      "Leave out query and fragment, and characters in its path other than a-z, 0-9 and -._~",
    ),
  /** Name of the service, until its administrators set another one at `/admin/site`. */
  SITE_NAME: z.string().min(1).max(60).default("Carrel"),
  /** Base URL of covers in answers; empty: the URL of the site, which serves covers too. */
  COVERS_PUBLIC_URL: z.union([z.literal(""), z.url()]),
  /** URL of the license of the records, which is sent to programs with records. Empty: none is sent. */
  RECORDS_LICENSE_URL: optionalUrl,
  /** Base URL of the archive in which scanned books are read. */
  ARCHIVE_PUBLIC_URL: z.url(),
  /** Cache answers for up to 30 s in each data center. */
  EDGE_CACHE: onOff,
  /** Requests per minute from one address and isolate; `0`: no limit. */
  RATE_LIMIT_PER_MINUTE: z.string().regex(/^\d+$/).transform(Number),
  /** MiB of documents that a librarian or a bot may save per hour, and five times as many per day; `0`: no limit. */
  LIBRARIAN_MIB_PER_HOUR: z.string().regex(/^\d+$/).default("1024").transform(Number),
  /** Derive access to a scan from the subjects of its work if nothing else is known about it. */
  DERIVE_HOLDINGS: onOff,
  /** `queue`: record ISBNs and ASINs that readers requested and the catalog lacks, and look them up at the affiliate. */
  AFFILIATE_LOOKUP: z.enum(["off", "queue"]),
  /** Service that looks up such books: `GET <url>/isbn/<id>?high_priority=&stage_import=`. Empty: none. */
  AFFILIATE_URL: optionalUrl,
  /** Source of the descriptions and MARC records of scanned items: R2 `ARCHIVE`, or `ITEMS_URL`. */
  ITEMS: z.enum(["archive", "http"]).default("archive"),
  /** Archive that answers `/metadata/<id>` and `/download/<id>/<file>`, the latter with range requests. */
  ITEMS_URL: optionalUrl,
  /** Prefixes of item ids that are never imported. */
  ITEM_PREFIXES_REFUSED: words,
  /** Service that is notified of the edition and work of an imported item, as JSON `{ocaid, edition, work}`; empty: none. */
  ITEM_NOTICE_URL: optionalUrl,
  /** Hosts from which cover images are fetched. */
  COVER_HOSTS: words.transform((hosts) => hosts.map((host) => host.toLowerCase())),
  /** Base URL of covers that loaded records name and this service lacks; empty: none. */
  COVER_FALLBACK_BASE: optionalUrl,
  /** Host names, besides those of this machine, under which other services call record store, search engine and cover store. */
  SERVICE_HOSTS: words,
  /** Numbers of covers that are not shown. */
  COVERS_BLOCKED: words,
  /** Shrink images of more than some six million pixels with Cloudflare's image service, which costs; off: such images are refused. */
  LARGE_IMAGES: onOff.default(true),
  /** Token with which other services write into the cover store: `Authorization: Bearer …`. */
  COVERS_SECRET: secret,
  /** Engine that answers searches: the index in D1, or Solr. */
  SEARCH_ENGINE: z.enum(ENGINES).default("embedded"),
  /** Let the other engine follow the change log too, so that it can take over. */
  SEARCH_SHADOW: onOff.prefault("off"),
  /** With `solr`: its URL, such as `http://solr.example:8983/solr`. */
  SOLR_URL: optionalUrl,
  /** With `solr`: prefix of the names of its two collections. */
  SOLR_COLLECTION: z
    .string()
    .regex(/^[\w-]+$/)
    .default("carrel"),
  /** With `solr`: `user:password`, if it requires them. */
  SOLR_SECRET: z.string().default(""),
  /** Shortest time between two updates of the index, in milliseconds; changes within it share one update, which costs six database calls. `npm start`: 250. */
  INDEX_INTERVAL_MS: z
    .string()
    .regex(/^\d{1,5}$/)
    .default("1000")
    .transform(Number),
  /** Id of the Hyperdrive, without a cache, of the catalog in PostgreSQL; empty: the catalog is in D1. */
  CATALOG_HYPERDRIVE: hyperdriveId,
  /** Id of another one for reads that may be slightly stale: with a cache, or of a replica. */
  CATALOG_NEAR_HYPERDRIVE: hyperdriveId,
  /** Dumps of the whole catalog on the first of the month, or on Mondays; unless off, each day's changes are dumped too. */
  DUMPS: z.enum(["off", "weekly", "monthly"]).default("off"),
  /** A service with the same interface, such as `https://openlibrary.org`, whose changes are applied here; empty: none. */
  FOLLOW_URL: optionalUrl,
  /** First day whose changes are applied, as `2026-11-01`: the day of the loaded dump. */
  FOLLOW_SINCE: z.union([z.literal(""), z.iso.date()]).default(""),
  /** Kinds of records that are followed, such as `works editions authors`; empty: all of them. */
  FOLLOW_ONLY: words.pipe(z.array(z.enum(FOLLOWED_KINDS))),
  /** Apply every revision that a change names, not only the newest one. */
  FOLLOW_HISTORY: onOff.prefault("off"),
  /** Contact for the operator of that service, sent with every request: an email or web address; empty: `BASE_URL`. */
  FOLLOW_CONTACT: contactText.default(""),
  /** Requests per second to that service, at most. */
  FOLLOW_RATE: z.coerce.number().positive().max(1000).default(1),
  /** Secret with which the service that scans books signs its messages to `/api/link` and `/api/unlink`. */
  LINK_SECRET: secret,
  /** Scripts of other sites that `/cdn/<host>/<file>` serves, each as `<host>/<file>`. */
  CDN_SCRIPTS: words,
  /** Folder of those scripts at their hosts, such as `/includes/`; empty: empty scripts are served instead. They run in our pages. */
  CDN_FOLDER: z.union([z.literal(""), z.string().regex(/^\/(?:[\w.-]+\/)*$/)]).default(""),
  /** Hosts from which `/import/preview` may read MARC files, over HTTPS. */
  MARC_HOSTS: words,
  /** Hosts of library systems to which a cover upload may redirect. */
  ILS_HOSTS: words,
  /** Username of the author of the service's own imports. */
  IMPORT_BOT: z.string().min(1).default("ImportBot"),
  /** Log all requests, or only those that failed or took more than 2 s. */
  LOG_REQUESTS: z.enum(["all", "problems"]),
  /** Write data points as lines of level `debug` where there is no Analytics Engine; `npm run serve` makes `/metrics` of them. */
  METRICS_LOG: onOff.prefault("off"),
  /** Limits of the platform, for a runtime that does not enforce them: `report` logs each broken limit, and what each invocation uses; `enforce` fails like the platform. */
  EDGE_LIMITS: z.enum(LIMIT_MODES).default("off"),
  /** Token of the operator for loading dumps and everything else below `/system`. Without it nothing can be loaded. */
  LOAD_TOKEN: secret,
  /** Other sites whose pages may log users in. */
  LOGIN_ORIGINS: words,
  /** Signs sessions; without it no user can log in. */
  SESSION_SECRET: z.string().min(32).optional(),
  /** Previous secret, whose sessions stay valid while `SESSION_SECRET` is being replaced. */
  SESSION_SECRET_BEFORE: z.string().min(32).optional(),
  /** Days that a personal token may last. */
  ACCESS_DAYS_MAX: z.coerce.number().int().min(1).max(3650).default(365),
  /** Service that identifies users: this one, another one by its protocol, or with `forward` the proxy before `npm run serve`. */
  IDENTITY_PROVIDER: z.enum(["local", "xauth", "oidc", "forward"]).default("local"),
  /** With `xauth`: URL of its operations. */
  XAUTH_URL: optionalUrl,
  /** With `xauth`: URL that checks keys. */
  XAUTH_KEY_URL: optionalUrl,
  /** With `xauth`: our access key. */
  XAUTH_ACCESS: z.string().default(""),
  /** With `xauth`: its secret. */
  XAUTH_SECRET: z.string().default(""),
  /** With `oidc`: the issuer, whose discovery document has its other URLs. */
  OIDC_ISSUER: optionalUrl,
  /** With `oidc`: `password` sends email address and password to the issuer; with `redirect` users log in at the issuer only, with the redirect address `<BASE_URL>/account/login/oidc/callback`. */
  OIDC_FLOW: z.enum(["password", "redirect"]).default("password"),
  /** With `redirect`: name of the issuer on pages; empty: its host. */
  OIDC_NAME: z.string().max(60).default(""),
  /** With `oidc`: our client id. */
  OIDC_CLIENT_ID: z.string().default(""),
  /** With `oidc`: its secret. */
  OIDC_CLIENT_SECRET: z.string().default(""),
  /** With `forward`: proves that the front of `npm run serve` names the user (`Carrel-Forward-Auth`). */
  FORWARD_AUTH_SECRET: z.string().min(32).optional(),
  /** Service that lends scanned books: this one, or another one. */
  LENDING: z.enum(["embedded", "http"]).default("embedded"),
  /** With `http`: URL of `services/loans/loan/`. */
  LENDING_URL: optionalUrl,
  /** With `http`: URL of availability. */
  LENDING_AVAILABILITY_URL: optionalUrl,
  /** With `http`: URL of the older calls by method. */
  LENDING_RPC_URL: optionalUrl,
  /** With `http`: our access key. */
  LENDING_ACCESS: z.string().default(""),
  /** With `http`: its secret. */
  LENDING_KEY: z.string().default(""),
  /** Reader that shows scans; empty: this service's own, with files from R2. */
  READER_URL: optionalUrl,
  /** Signs links to another reader. */
  READER_SECRET: secret,
  /** `off`: a link to a borrow address asks for confirmation, and programs must send `POST`. */
  BORROW_GET_WRITES: onOff.default(true),
  /** Secret with which another lending service signs its notices to `/borrow/notify`. */
  LENDING_SECRET: secret,
  /** Service to which emails are posted as JSON `{from, to, subject, text}`; a development service keeps them in its outbox. */
  MAIL_URL: optionalUrl,
  /** Bearer token of that service. */
  MAIL_TOKEN: z.string().default(""),
  /** Sender of emails, and the contact for harvesters and in `/.well-known/security.txt`. */
  MAIL_FROM: z.string().default(""),
  /** Shared with a service that may remove accounts by `POST /account/anonymize.json`. */
  ANONYMIZE_SECRET: secret,
});

/** Configuration, checked once per isolate. docs/settings.md explains every value. */
export type Settings = z.infer<typeof settingsSchema>;

const settingsByEnv = new WeakMap<object, Settings>();

/** Reads the settings from the bindings. Throws on an invalid value. */
export function settingsOf(env: Env): Settings {
  const cached = settingsByEnv.get(env);
  if (cached !== undefined) return cached;
  const parsed = settingsSchema.safeParse(env);
  if (!parsed.success) throw new Error(`bad configuration:\n${z.prettifyError(parsed.error)}`);
  settingsByEnv.set(env, parsed.data);
  return parsed.data;
}

/** Version of the interface. */
export const VERSION = "1.0.0";
