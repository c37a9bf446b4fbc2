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

/** Validity of the tokens of a scan and of a patron, in seconds. */
export const ITEM_TOKEN_SECONDS = 600;
const PATRON_TOKEN_SECONDS = 120;

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
  const now = Math.floor(context.now / 1000);
  const query = new URLSearchParams({
    uuid,
    token: itemToken(context, { ocaid, uuid }, now + ITEM_TOKEN_SECONDS),
    id: ocaid,
    bookPath: streamPath(ocaid) + (autoReadAloud ? "?_autoReadAloud=show" : ""),
    iaUserId: `@${username}`,
    iaAuthToken: makeToken(context, `@${username}`, now + PATRON_TOKEN_SECONDS),
  });
  return `${readerUrl(context)}/bookreader/BookReaderAuth.php?${query}`;
}

type LoanId = Pick<Loan, "ocaid" | "uuid">;

/** Returns a token for the scan of a loan. Tokens of this service's reader are valid for this one loan only (Q271). */
export function itemToken(context: RequestContext, { ocaid, uuid }: LoanId, until: number | string): string {
  const isOwn = context.settings.READER_URL === "";
  return makeToken(context, isOwn ? `${ocaid} ${uuid}` : ocaid, until);
}

export function isItemToken(context: RequestContext, loan: LoanId, token: string): boolean {
  const [until = ""] = token.split("-");
  const isSigned = isSameHash(token, itemToken(context, loan, until));
  return isSigned && Number(until) * 1000 >= context.now;
}

/**
 * Makes a token for `id` that is valid until a time, `1764583200-9f86d081…`: Unix seconds, hex of the MAC. It is signed
 * with SHA-256 for this service's own reader, and with MD5 for other readers, which expect it. Throws 503.
 */
function makeToken({ settings }: RequestContext, id: string, until: number | string): string {
  const isOwn = settings.READER_URL === "";
  const name = isOwn ? "SESSION_SECRET" : "READER_SECRET";
  const secret = settings[name];
  if (secret === undefined) throw failure("unavailable.settings", { settings: name });
  // The derived secret is valid for tokens of readers only.
  const mac = isOwn ? createHmac("sha256", secretHash(`reader tokens ${secret}`)) : createHmac("md5", secret);
  return `${until}-${mac.update(`${id}-${until}`).digest("hex")}`;
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
  const cookie = cookieValue(context.request.headers.get("Cookie"), readerCookieName(context, ocaid)) ?? "";
  const [, uuid = "", token = ""] = /^([0-9a-f]+)\.([0-9a-f-]+)$/.exec(cookie) ?? [];
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
  const value = `${uuid}.${itemToken(context, { ocaid, uuid }, Math.floor(until / 1000))}`;
  context.cookies.push(cookieText(readerCookieName(context, ocaid), value, { context, seconds }));
}

function readerCookieName(context: RequestContext, ocaid: string): string {
  return ownCookieName(`loan-${ocaid}`, context);
}
