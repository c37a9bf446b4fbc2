import type { Loan } from "../../catalog/lending/loan.ts";
import { findAccount } from "../../db/accounts/read-accounts.ts";
import { lendingOf } from "../holdings/lending-of.ts";
import type { Borrower } from "../holdings/service.ts";
import { READ_ONLY_GROUP } from "../../catalog/roles.ts";
import { cookieValue } from "../http/cookie.ts";
import { forbidden, notFound } from "../http/errors.ts";
import type { RequestContext } from "../http/operation.ts";
import { cookieText, ownCookieName } from "../http/session.ts";
import { isItemToken, itemToken } from "./reader.ts";

/**
 * Returns the borrower: the patron of the session, as stored with the account; undefined without a session. A print
 * disability is known from the identity provider, not from the browser (Q266).
 */
export async function borrowerOf(context: RequestContext): Promise<Borrower | undefined> {
  const { username, groups } = await context.actor();
  if (username === null) return undefined;
  if (groups.has(READ_ONLY_GROUP)) throw forbidden();
  const account = await findAccount(context.stores.patrons, { username });
  return account === undefined ? undefined : { username, isPrintDisabled: account.specialAccess };
}

/** Pattern of ids of scans that are valid in names of cookies and files. */
export const SCAN_ID = /^[A-Za-z0-9][A-Za-z0-9._-]{0,99}$/;

/** Right to read a scan now. `public`: all clients may. */
export type ReadingRight = "public" | "loan" | "none";

/** Returns the right to read a scan, which is public or comes from a loan. Throws 404 for unknown scans. */
export async function readingRight(context: RequestContext, ocaid: string): Promise<ReadingRight> {
  const lending = lendingOf(context);
  const status = (await lending.statuses([ocaid])).get(ocaid);
  if (status === undefined) throw notFound();
  if (status.isReadable) return "public";
  const [uuid = "", token = ""] = readerCookie(context, ocaid);
  if (uuid !== "" && isItemToken(context, { ocaid, uuid }, token)) {
    // The token outlives a loan that was returned early.
    if ((await activeLoan(context, ocaid, uuid)) !== undefined) return "loan";
  }
  const borrower = await borrowerOf(context);
  const loans = borrower === undefined ? [] : await lending.loans(borrower);
  return loans.some((loan) => loan.ocaid === ocaid) ? "loan" : "none";
}

/** Returns the active loan of a scan with this id; undefined if there is none. */
export async function activeLoan(
  context: RequestContext,
  ocaid: string,
  uuid: string,
): Promise<Loan | undefined> {
  return (await lendingOf(context).loansOf(ocaid)).find((loan) => loan.uuid === uuid);
}

/** Sets the cookie with which the browser can read the scan until the end of the loan. */
export function setReaderCookie(context: RequestContext, { ocaid, uuid, expiry }: Loan): void {
  const until = expiry ?? context.now;
  const seconds = Math.max(0, Math.floor((until - context.now) / 1000));
  const value = `${uuid}.${itemToken(context, { ocaid, uuid }, until)}`;
  context.cookies.push(cookieText(readerCookieName(context, ocaid), value, { context, seconds }));
}

function readerCookie(context: RequestContext, ocaid: string): string[] {
  const name = readerCookieName(context, ocaid);
  const cookie = cookieValue(context.request.headers.get("Cookie"), name) ?? "";
  return /^([0-9a-f]+)\.([0-9a-f-]+)$/.exec(cookie)?.slice(1) ?? [];
}

function readerCookieName(context: RequestContext, ocaid: string): string {
  return ownCookieName(`loan-${ocaid}`, context);
}
