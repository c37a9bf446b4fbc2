import { createHmac } from "node:crypto";
import type { Loan } from "../../catalog/lending/loan.ts";
import { READ_ONLY_GROUP } from "../../catalog/roles.ts";
import { isSameHash, secretHash } from "../../db/accounts/secret-hash.ts";
import { cookieValue } from "../http/cookie.ts";
import { notFound } from "../http/errors.ts";
import { failure } from "../http/failure.ts";
import { type RequestContext, baseUrl } from "../http/operation.ts";
import { cookieText, ownCookieName } from "../http/session.ts";
import type { Borrower } from "./service/lending-service.ts";

/** Key for signing tokens: SHA-256 for this service's own reader, MD5 for other readers, which expect it. */
interface TokenKey {
  algorithm: "sha256" | "md5";
  secret: string;
}

/** Makes a token for `id` that is valid until a time, `1764583200-9f86d081…`: Unix seconds, hex of the MAC. */
function makeToken(id: string, until: number, key: TokenKey): string {
  const seconds = Math.floor(until / 1000);
  return `${seconds}-${signature(`${id}-${seconds}`, key)}`;
}

/** True if the token was made for `id` and is still valid at `now` (milliseconds). */
function isTokenValid(token: string, { id, now }: { id: string; now: number }, key: TokenKey): boolean {
  const [, seconds = "", mac = ""] = /^(\d{1,12})-([0-9a-f]+)$/.exec(token) ?? [];
  if (seconds === "" || Number(seconds) * 1000 < now) return false;
  return isSameHash(mac, signature(`${id}-${seconds}`, key));
}

function signature(text: string, { algorithm, secret }: TokenKey): string {
  return createHmac(algorithm, secret).update(text).digest("hex");
}

export const ITEM_TOKEN_MS = 600_000;
const PATRON_TOKEN_MS = 120_000;

/** Returns the base address of the reader that shows scans: this service itself, unless the setting names another. */
export function readerUrl(context: RequestContext): string {
  const { READER_URL: setting } = context.settings;
  return setting === "" ? baseUrl(context) : setting.replace(/\/$/, "");
}

export function streamUrl(context: RequestContext, ocaid: string): string {
  return `${readerUrl(context)}${streamPath(ocaid)}`;
}

export function streamPath(ocaid: string): string {
  return `/stream/${encodeURIComponent(ocaid)}`;
}

/** Returns the link by which the reader admits a patron with a loan, and optionally reads the book aloud. */
export function readerAuthUrl(
  context: RequestContext,
  { ocaid, uuid }: Loan,
  { username, autoReadAloud }: { username: string; autoReadAloud: boolean },
): string {
  const readAloud = autoReadAloud ? "?_autoReadAloud=show" : "";
  const subject = `@${username}`;
  const query = new URLSearchParams({
    uuid,
    token: itemToken(context, { ocaid, uuid }, context.now + ITEM_TOKEN_MS),
    id: ocaid,
    bookPath: streamPath(ocaid) + readAloud,
    iaUserId: subject,
    iaAuthToken: makeToken(subject, context.now + PATRON_TOKEN_MS, readerKey(context)),
  });
  return `${readerUrl(context)}/bookreader/BookReaderAuth.php?${query}`;
}

type LoanId = Pick<Loan, "ocaid" | "uuid">;

/** Returns a token for the scan of a loan. Tokens of this service's reader are valid for this one loan only (Q271). */
export function itemToken(context: RequestContext, loan: LoanId, until: number): string {
  return makeToken(tokenId(context, loan), until, readerKey(context));
}

export function isItemToken(context: RequestContext, loan: LoanId, token: string): boolean {
  return isTokenValid(token, { id: tokenId(context, loan), now: context.now }, readerKey(context));
}

function tokenId({ settings }: RequestContext, { ocaid, uuid }: LoanId): string {
  return settings.READER_URL === "" ? `${ocaid} ${uuid}` : ocaid;
}

function readerKey({ settings }: RequestContext): TokenKey {
  const { READER_URL, READER_SECRET, SESSION_SECRET } = settings;
  if (READER_URL === "") {
    if (SESSION_SECRET === undefined) throw failure("unavailable.settings", { settings: "SESSION_SECRET" });
    // The derived secret is valid for tokens of readers only.
    return { algorithm: "sha256", secret: secretHash(`reader tokens ${SESSION_SECRET}`) };
  }
  if (READER_SECRET === undefined) throw failure("unavailable.settings", { settings: "READER_SECRET" });
  return { algorithm: "md5", secret: READER_SECRET };
}

/** Returns the patron of the session. Print disability is known from the identity provider, not the browser (Q266). */
export async function borrowerOf(context: RequestContext): Promise<Borrower | undefined> {
  const { username, groups } = await context.actor();
  if (username === null) return undefined;
  if (groups.has(READ_ONLY_GROUP)) throw failure("forbidden.read_only_account");
  const { findAccount } = await import("../../db/accounts/read-accounts.ts");
  const account = await findAccount(context.stores.patrons, { username });
  return account === undefined ? undefined : { username, isPrintDisabled: account.specialAccess };
}

/** Pattern of ids of scans that are valid in names of cookies and files. */
export const SCAN_ID = /^[A-Za-z0-9][A-Za-z0-9._-]{0,99}$/;

export type ReadingRight = "public" | "loan" | "none";

/** Returns the right to read a scan, which is public or comes from a loan. Throws 404 for unknown scans. */
export async function findReadingRight(context: RequestContext, ocaid: string): Promise<ReadingRight> {
  const { lendingOf } = await import("./service/lending-of.ts");
  const lending = lendingOf(context);
  const status = (await lending.statuses([ocaid])).get(ocaid);
  if (status === undefined) throw notFound();
  if (status.isReadable) return "public";
  const [uuid = "", token = ""] = readReaderCookie(context, ocaid);
  if (uuid !== "" && isItemToken(context, { ocaid, uuid }, token)) {
    // The token outlives a loan that was returned early.
    if ((await findActiveLoan(context, ocaid, uuid)) !== undefined) return "loan";
  }
  const borrower = await borrowerOf(context);
  const loans = borrower === undefined ? [] : await lending.loans(borrower);
  return loans.some((loan) => loan.ocaid === ocaid) ? "loan" : "none";
}

export async function findActiveLoan(context: RequestContext, ocaid: string, uuid: string) {
  const { lendingOf } = await import("./service/lending-of.ts");
  return (await lendingOf(context).loansOf(ocaid)).find((loan) => loan.uuid === uuid);
}

/** Sets the cookie with which the browser can read the scan until the end of the loan. */
export function setReaderCookie(context: RequestContext, { ocaid, uuid, expiry }: Loan): void {
  const until = expiry ?? context.now;
  const seconds = Math.max(0, Math.floor((until - context.now) / 1000));
  const value = `${uuid}.${itemToken(context, { ocaid, uuid }, until)}`;
  context.cookies.push(cookieText(readerCookieName(context, ocaid), value, { context, seconds }));
}

function readReaderCookie(context: RequestContext, ocaid: string): string[] {
  const name = readerCookieName(context, ocaid);
  const cookie = cookieValue(context.request.headers.get("Cookie"), name) ?? "";
  return /^([0-9a-f]+)\.([0-9a-f-]+)$/.exec(cookie)?.slice(1) ?? [];
}

function readerCookieName(context: RequestContext, ocaid: string): string {
  return ownCookieName(`loan-${ocaid}`, context);
}
