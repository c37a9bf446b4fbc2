import { createHash, createHmac } from "node:crypto";
import type { Loan } from "../../catalog/lending/loan.ts";
import { isSameHash } from "../../db/accounts/secret-hash.ts";
import { unavailable } from "../http/errors.ts";
import { type RequestContext, baseUrl } from "../http/operation.ts";

/** How tokens are signed: for this service's own reader by SHA-256, for others as they know it, by MD5. */
interface TokenKey {
  readonly algorithm: "sha256" | "md5";
  readonly secret: string;
}

/** A token that says until when somebody may do something with `id`: `<Unix seconds>-<hex of the MAC>`. */
function makeToken(id: string, until: number, key: TokenKey): string {
  const seconds = Math.floor(until / 1000);
  return `${seconds}-${signature(`${id}-${seconds}`, key)}`;
}

/** True when the token was made for `id` and is still good at `now` (milliseconds). */
function isTokenGood(
  token: string,
  { id, now }: { readonly id: string; readonly now: number },
  key: TokenKey,
): boolean {
  const [, seconds = "", mac = ""] = /^(\d{1,12})-([0-9a-f]+)$/.exec(token) ?? [];
  if (seconds === "" || Number(seconds) * 1000 < now) return false;
  return isSameHash(mac, signature(`${id}-${seconds}`, key));
}

/** A key that is good for tokens of readers alone, out of the secret that signs sessions. */
function readerKeyFrom(sessionSecret: string): TokenKey {
  const secret = createHash("sha256").update(`reader tokens ${sessionSecret}`).digest("hex");
  return { algorithm: "sha256", secret };
}

function signature(text: string, { algorithm, secret }: TokenKey): string {
  return createHmac(algorithm, secret).update(text).digest("hex");
}

/** How long the links of a loan can be followed, in milliseconds. */
export const ITEM_TOKEN_MS = 600_000;
/** How long such a link says who follows it, in milliseconds. */
const PATRON_TOKEN_MS = 120_000;

/** Base address of the reader in which scans are shown: this service itself, unless the setting names another. */
export function readerUrl(context: RequestContext): string {
  const { READER_URL: setting } = context.settings;
  return setting === "" ? baseUrl(context) : setting.replace(/\/$/, "");
}

/** Where a scan is read. */
export function streamUrl(context: RequestContext, ocaid: string): string {
  return `${readerUrl(context)}${streamPath(ocaid)}`;
}

/** The same without the reader's address. */
export function streamPath(ocaid: string): string {
  return `/stream/${encodeURIComponent(ocaid)}`;
}

/** The link by which the reader lets a patron in who has a loan. */
export function readerAuthUrl(context: RequestContext, loan: Loan, more: ReaderOptions): string {
  const { ocaid, uuid } = loan;
  const { username, autoReadAloud } = more;
  const reads = autoReadAloud ? "?_autoReadAloud=show" : "";
  const subject = `@${username}`;
  const key = readerKey(context);
  const query = new URLSearchParams({
    uuid,
    token: itemToken(context, { ocaid, uuid }, context.now + ITEM_TOKEN_MS),
    id: ocaid,
    bookPath: streamPath(ocaid) + reads,
    iaUserId: subject,
    iaAuthToken: makeToken(subject, context.now + PATRON_TOKEN_MS, key),
  });
  return `${readerUrl(context)}/bookreader/BookReaderAuth.php?${query}`;
}

/** Who reads, and whether the book is to be read to him. */
interface ReaderOptions {
  readonly username: string;
  readonly autoReadAloud: boolean;
}

/** A token for the scan of a loan. This service's own are good for this one loan only (Q271). */
export function itemToken(
  context: RequestContext,
  loan: Pick<Loan, "ocaid" | "uuid">,
  until: number,
): string {
  return makeToken(tokenId(context, loan), until, readerKey(context));
}

/** True for a token of this loan that is still good. */
export function isItemToken(
  context: RequestContext,
  loan: Pick<Loan, "ocaid" | "uuid">,
  token: string,
): boolean {
  return isTokenGood(token, { id: tokenId(context, loan), now: context.now }, readerKey(context));
}

function tokenId({ settings }: RequestContext, { ocaid, uuid }: Pick<Loan, "ocaid" | "uuid">): string {
  return settings.READER_URL === "" ? `${ocaid} ${uuid}` : ocaid;
}

function readerKey({ settings }: RequestContext): TokenKey {
  const { READER_URL, READER_SECRET, SESSION_SECRET } = settings;
  if (READER_URL === "") {
    if (SESSION_SECRET === undefined) throw unavailable("No SESSION_SECRET is configured.");
    return readerKeyFrom(SESSION_SECRET);
  }
  if (READER_SECRET === undefined) throw unavailable("No READER_SECRET is configured.");
  return { algorithm: "md5", secret: READER_SECRET };
}
