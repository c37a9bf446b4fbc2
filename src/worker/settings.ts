import * as z from "zod";

const onOff = z.enum(["on", "off"]).transform((value) => value === "on");
const optionalUrl = z.union([z.literal(""), z.url()]).default("");
const words = z
  .string()
  .default("")
  .transform((text) => text.split(" ").filter((word) => word !== ""));
/**
 * What the settings and secrets may be; README.md explains every value. `npm run deploy` asks it, too: it stands in a file
 * without the rest of the worker for that.
 */
export const settingsSchema = z.object({
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
  /** Whether images that are too large for the worker itself are made smaller by Cloudflare's image service. */
  LARGE_IMAGES: onOff.default(true),
  /** Shared with the services that may write into the cover store. */
  COVERS_SECRET: z.string().min(16).optional(),
  /** How often the whole catalog is dumped for download; the changes of each day are dumped unless it is off. */
  DUMPS: z.enum(["off", "weekly", "monthly"]).default("off"),
  /** With which the service that scans books signs what it tells of them (lookup.md 17.6). */
  LINK_SECRET: z.string().min(16).optional(),
  /** Scripts of other sites that can be asked for here, each as `<host>/<file>` (lookup.md 17.1). */
  CDN_SCRIPTS: words,
  /** Folder of those scripts at their hosts, `/includes/`; empty: they are not fetched, and empty ones take their place. */
  CDN_FOLDER: z.union([z.literal(""), z.string().regex(/^\/(?:[\w.-]+\/)*$/)]).default(""),
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
