import * as z from "zod";
import { FOLLOWED_KINDS } from "../../import/follow/source.ts";
import { ENGINES } from "../../db/search/generation.ts";

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
/** Text that `User-Agent` may contain beside a name. */
export const contactText = z.string().regex(/^[\x20-\x7e]{0,200}$/);

/**
 * Schema of settings and secrets. A test generates docs/settings.md from its comments and compares the two. `npm run
 * deploy` uses the schema, too, so this file imports nothing else of the worker.
 */
export const settingsSchema = z.object({
  /** `development` allows the development accounts to be made. */
  ENVIRONMENT: z.enum(["development", "production"]),
  /** What record numbers start with, as in `/works/OL101W`. Choose before the first load; the starter catalog uses `OL`. */
  RECORD_PREFIX: z.string().regex(/^[A-Z]{2}$/),
  /** Address of the site in answers; empty: scheme and host of the request, and no mails in production. Crawlers are let in on this host only. */
  BASE_URL: z.union([z.literal(""), z.url()]),
  /** What cover addresses in answers start with; empty: the address of the site, which serves covers too. */
  COVERS_PUBLIC_URL: z.union([z.literal(""), z.url()]),
  /** Address of the licence that records may be used under; programs are told it where records are shown. Empty: nothing is said. */
  RECORDS_LICENSE_URL: optionalUrl,
  /** Where scanned books can be read. */
  ARCHIVE_PUBLIC_URL: z.url(),
  /** Keep answers for up to 30 s in each data centre. */
  EDGE_CACHE: onOff,
  /** Requests a minute from one address and isolate; `0`: no limit. */
  RATE_LIMIT_PER_MINUTE: z.string().regex(/^\d+$/).transform(Number),
  /** MiB of documents that a librarian or a bot may save in an hour, and five times as many in a day; `0`: no limit. */
  LIBRARIAN_MIB_PER_HOUR: z.string().regex(/^\d+$/).default("1024").transform(Number),
  /** Judge by the subjects of the work who may read a scan of which nothing else is known. */
  DERIVE_HOLDINGS: onOff,
  /** `queue`: note ISBNs and ASINs that readers asked for and the catalog lacks, and have the affiliate look them up. */
  AFFILIATE_LOOKUP: z.enum(["off", "queue"]),
  /** Where such books are looked up: `GET <url>/isbn/<id>?high_priority=&stage_import=`. Empty: nowhere. */
  AFFILIATE_URL: optionalUrl,
  /** Where scanned items are described and their MARC records lie: in R2 `ARCHIVE`, or at `ITEMS_URL`. */
  ITEMS: z.enum(["archive", "http"]).default("archive"),
  /** An archive that answers `/metadata/<id>` and `/download/<id>/<file>`, the latter with parts of files. */
  ITEMS_URL: optionalUrl,
  /** Beginnings of item ids that are never imported. */
  ITEM_PREFIXES_REFUSED: words,
  /** Who is told which edition and work a scanned item has become, as JSON `{ocaid, edition, work}`; empty: nobody. */
  ITEM_NOTICE_URL: optionalUrl,
  /** Hosts from which images of covers are fetched. */
  COVER_HOSTS: words.transform((hosts) => hosts.map((host) => host.toLowerCase())),
  /** Where covers are shown that loaded records name and this service does not have; empty: nowhere. */
  COVER_FALLBACK_BASE: optionalUrl,
  /** Hosts, beside those of this machine, by which other services call record store, search engine and cover store. */
  SERVICE_HOSTS: words,
  /** Numbers of covers that are not shown. */
  COVERS_BLOCKED: words,
  /** Images beyond some six million pixels are made smaller by Cloudflare's image service, which costs; off: refused. */
  LARGE_IMAGES: onOff.default(true),
  /** With which other services write into the cover store: `Authorization: Bearer …`. */
  COVERS_SECRET: secret,
  /** What answers searches: the index in D1, or Solr. */
  SEARCH_ENGINE: z.enum(ENGINES).default("embedded"),
  /** Whether the other engine follows the log, too, so that it can take over. */
  SEARCH_SHADOW: onOff.prefault("off"),
  /** With `solr`: where it is, such as `http://solr.example:8983/solr`. */
  SOLR_URL: optionalUrl,
  /** With `solr`: what the names of its two collections begin with. */
  SOLR_COLLECTION: z
    .string()
    .regex(/^[\w-]+$/)
    .default("carrel"),
  /** With `solr`: `user:password`, if it asks for them. */
  SOLR_SECRET: z.string().default(""),
  /** Id of the Hyperdrive, without a cache, that leads to the catalog in PostgreSQL; empty: the catalog is in D1. */
  CATALOG_HYPERDRIVE: hyperdriveId,
  /** Another one for what may be a little older: with a cache, or to a replica. */
  CATALOG_NEAR_HYPERDRIVE: hyperdriveId,
  /**
   * When the whole catalog is dumped: the first of the month, or Mondays; unless it is off the changes of each day
   * are too.
   */
  DUMPS: z.enum(["off", "weekly", "monthly"]).default("off"),
  /** A service with the same interface, such as `https://openlibrary.org`, whose changes the sweep takes over; empty: none. */
  FOLLOW_URL: optionalUrl,
  /** The first day whose changes are taken over, as `2026-11-01`: that of the dump that was loaded. */
  FOLLOW_SINCE: z.union([z.literal(""), z.iso.date()]).default(""),
  /** Kinds of records that are followed, such as `works editions authors`; empty: all of them. */
  FOLLOW_ONLY: words.pipe(z.array(z.enum(FOLLOWED_KINDS))),
  /** Take over each revision that a change names, not the newest one alone. */
  FOLLOW_HISTORY: onOff.prefault("off"),
  /** How the operator of that service reaches you: a mail or web address, sent with every request; empty: `BASE_URL`. */
  FOLLOW_CONTACT: contactText.default(""),
  /** Requests a second to that service, at most. */
  FOLLOW_RATE: z.coerce.number().positive().max(1000).default(1),
  /** With which the service that scans books signs its messages to `/api/link` and `/api/unlink`. */
  LINK_SECRET: secret,
  /** Scripts of other sites that `/cdn/<host>/<file>` answers, each as `<host>/<file>`. */
  CDN_SCRIPTS: words,
  /**
   * Folder of those scripts at their hosts, such as `/includes/`; empty: empty ones take their place. They run in our
   * pages.
   */
  CDN_FOLDER: z.union([z.literal(""), z.string().regex(/^\/(?:[\w.-]+\/)*$/)]).default(""),
  /** Hosts from which `/import/preview` may read MARC files, over HTTPS. */
  MARC_HOSTS: words,
  /** Hosts of library systems that the upload of a cover may lead back to. */
  ILS_HOSTS: words,
  /** Username whose changes the imports of the service itself are. */
  IMPORT_BOT: z.string().min(1).default("ImportBot"),
  /** Log all requests, or those that failed or took more than 2 s. */
  LOG_REQUESTS: z.enum(["all", "problems"]),
  /** Lets its holder load dumps and do all that is below `/system`. Without it nothing can be loaded. */
  LOAD_TOKEN: secret,
  /** Sites other than this one whose pages may log somebody in. */
  LOGIN_ORIGINS: words,
  /** Signs sessions; without it nobody can log in. */
  SESSION_SECRET: z.string().min(32).optional(),
  /** Sessions signed with it hold on while `SESSION_SECRET` is being replaced. */
  SESSION_SECRET_BEFORE: z.string().min(32).optional(),
  /** Who checks passwords: this service, or another one by its protocol. */
  IDENTITY_PROVIDER: z.enum(["local", "xauth", "oidc"]).default("local"),
  /** With `xauth`: address of its operations. */
  XAUTH_URL: optionalUrl,
  /** With `xauth`: where keys are checked. */
  XAUTH_KEY_URL: optionalUrl,
  /** With `xauth`: our access key. */
  XAUTH_ACCESS: z.string().default(""),
  /** With `xauth`: its secret. */
  XAUTH_SECRET: z.string().default(""),
  /** With `oidc`: the issuer, which is asked for its addresses. */
  OIDC_ISSUER: optionalUrl,
  /** With `oidc`: our client id. */
  OIDC_CLIENT_ID: z.string().default(""),
  /** With `oidc`: its secret. */
  OIDC_CLIENT_SECRET: z.string().default(""),
  /** Who lends scanned books: this service, or another one. */
  LENDING: z.enum(["embedded", "http"]).default("embedded"),
  /** With `http`: where `services/loans/loan/` is. */
  LENDING_URL: optionalUrl,
  /** With `http`: where availability is asked for. */
  LENDING_AVAILABILITY_URL: optionalUrl,
  /** With `http`: where the older calls by method go. */
  LENDING_RPC_URL: optionalUrl,
  /** With `http`: our access key. */
  LENDING_ACCESS: z.string().default(""),
  /** With `http`: its secret. */
  LENDING_KEY: z.string().default(""),
  /** The reader that shows scans; empty: this service's own, with files from R2. */
  READER_URL: optionalUrl,
  /** Signs links to another reader. */
  READER_SECRET: secret,
  /** `off`: a link to a borrow address asks first, and programs have to send `POST`. */
  BORROW_GET_WRITES: onOff.default(true),
  /** With which another lending service signs its notices to `/borrow/notify`. */
  LENDING_SECRET: secret,
  /** Where letters are posted as JSON `{from, to, subject, text}`; a development service keeps them in its outbox. */
  MAIL_URL: optionalUrl,
  /** With which letters are posted. */
  MAIL_TOKEN: z.string().default(""),
  /** Address that sends letters, and that is told to harvesters and in `/.well-known/security.txt`. */
  MAIL_FROM: z.string().default(""),
  /** Shared with a service that may have accounts removed by `POST /account/anonymize.json`. */
  ANONYMIZE_SECRET: secret,
});

/** Configuration, checked once per isolate. docs/settings.md explains every value. */
export type Settings = z.infer<typeof settingsSchema>;

const known = new WeakMap<object, Settings>();

/** Reads the settings from the bindings. Throws on an invalid value. */
export function settingsOf(env: Env): Settings {
  const cached = known.get(env);
  if (cached !== undefined) return cached;
  const parsed = settingsSchema.safeParse(env);
  if (!parsed.success) throw new Error(`bad configuration:\n${z.prettifyError(parsed.error)}`);
  known.set(env, parsed.data);
  return parsed.data;
}

/** Name of the service, and version of the interface that it describes. */
export const NAME = "Carrel";
export const VERSION = "1.0.0";
