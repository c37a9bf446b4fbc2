import { createHmac } from "node:crypto";
import type { Loan } from "../../catalog/lending/loan.ts";
import { isSameHash, secretHash } from "../../db/accounts/read-secrets.ts";
import { unavailable } from "../http/errors.ts";
import { type RequestContext, baseUrl } from "../http/operation.ts";

/** Key for signing tokens: SHA-256 for this service's own reader, MD5 for other readers, which expect it. */
interface TokenKey {
  readonly algorithm: "sha256" | "md5";
  readonly secret: string;
}

/** Makes a token that grants something about `id` until a time: `<Unix seconds>-<hex of the MAC>`. */
function makeToken(id: string, until: number, key: TokenKey): string {
  const seconds = Math.floor(until / 1000);
  return `${seconds}-${signature(`${id}-${seconds}`, key)}`;
}

/** True if the token was made for `id` and is still valid at `now` (milliseconds). */
function isTokenGood(
  token: string,
  { id, now }: { readonly id: string; readonly now: number },
  key: TokenKey,
): boolean {
  const [, seconds = "", mac = ""] = /^(\d{1,12})-([0-9a-f]+)$/.exec(token) ?? [];
  if (seconds === "" || Number(seconds) * 1000 < now) return false;
  return isSameHash(mac, signature(`${id}-${seconds}`, key));
}

function signature(text: string, { algorithm, secret }: TokenKey): string {
  return createHmac(algorithm, secret).update(text).digest("hex");
}

/** Lifetime of the links of a loan, in milliseconds. */
export const ITEM_TOKEN_MS = 600_000;
/** Lifetime of the patron's token in the link of a loan, in milliseconds. */
const PATRON_TOKEN_MS = 120_000;

/** Returns the base address of the reader that shows scans: this service itself, unless the setting names another. */
export function readerUrl(context: RequestContext): string {
  const { READER_URL: setting } = context.settings;
  return setting === "" ? baseUrl(context) : setting.replace(/\/$/, "");
}

/** Returns the address at which a scan is read. */
export function streamUrl(context: RequestContext, ocaid: string): string {
  return `${readerUrl(context)}${streamPath(ocaid)}`;
}

/** Returns the path at which a scan is read, without the reader's address. */
export function streamPath(ocaid: string): string {
  return `/stream/${encodeURIComponent(ocaid)}`;
}

/** Returns the link by which the reader admits a patron with a loan, and optionally reads the book aloud. */
export function readerAuthUrl(
  context: RequestContext,
  { ocaid, uuid }: Loan,
  { username, autoReadAloud }: { readonly username: string; readonly autoReadAloud: boolean },
): string {
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

type NamedLoan = Pick<Loan, "ocaid" | "uuid">;

/** Returns a token for the scan of a loan. Tokens of this service's reader are valid for this one loan only (Q271). */
export function itemToken(context: RequestContext, loan: NamedLoan, until: number): string {
  return makeToken(tokenId(context, loan), until, readerKey(context));
}

/** True for a token of this loan that is still valid. */
export function isItemToken(context: RequestContext, loan: NamedLoan, token: string): boolean {
  return isTokenGood(token, { id: tokenId(context, loan), now: context.now }, readerKey(context));
}

function tokenId({ settings }: RequestContext, { ocaid, uuid }: NamedLoan): string {
  return settings.READER_URL === "" ? `${ocaid} ${uuid}` : ocaid;
}

function readerKey({ settings }: RequestContext): TokenKey {
  const { READER_URL, READER_SECRET, SESSION_SECRET } = settings;
  if (READER_URL === "") {
    if (SESSION_SECRET === undefined) throw unavailable("No SESSION_SECRET is configured.");
    // The derived secret is valid for tokens of readers only.
    return { algorithm: "sha256", secret: secretHash(`reader tokens ${SESSION_SECRET}`) };
  }
  if (READER_SECRET === undefined) throw unavailable("No READER_SECRET is configured.");
  return { algorithm: "md5", secret: READER_SECRET };
}
