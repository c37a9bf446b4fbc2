import type { Loan } from "../../catalog/lending/loan.ts";
import type { RequestContext } from "../context.ts";
import { notFound } from "../errors.ts";
import { cookieValue } from "../sessions/cookie.ts";
import { cookieText } from "../sessions/session.ts";
import { borrowerOf } from "./borrower-of.ts";
import { lendingOf } from "./lending-of.ts";
import { isItemToken, itemToken } from "./reader.ts";

/** Ids of scans as they can stand in names of cookies and files. */
export const SCAN_ID = /^[A-Za-z0-9][A-Za-z0-9._-]{0,99}$/;

/** Whether somebody may read a scan now. `public`: everybody may. */
export type ReadingRight = "public" | "loan" | "none";

/** Finds out whether the scan may be read: by everybody, or by who has a loan of it. Throws a 404 for unknown scans. */
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

/** The loan of a scan with this id that goes on; undefined when there is none. */
export async function activeLoan(
  context: RequestContext,
  ocaid: string,
  uuid: string,
): Promise<Loan | undefined> {
  return (await lendingOf(context).loansOf(ocaid)).find((loan) => loan.uuid === uuid);
}

/** Lets the browser read the scan of a loan until the loan is over. */
export function setReaderCookie(context: RequestContext, { ocaid, uuid, expiry }: Loan): void {
  const until = expiry ?? context.now;
  const seconds = Math.max(0, Math.floor((until - context.now) / 1000));
  const value = `${uuid}.${itemToken(context, { ocaid, uuid }, until)}`;
  context.cookies.push(cookieText(readerCookieName(ocaid), value, { context, seconds }));
}

function readerCookie({ request }: RequestContext, ocaid: string): string[] {
  const cookie = cookieValue(request.headers.get("Cookie"), readerCookieName(ocaid)) ?? "";
  return /^([0-9a-f]+)\.([0-9a-f-]+)$/.exec(cookie)?.slice(1) ?? [];
}

function readerCookieName(ocaid: string): string {
  return `loan-${ocaid}`;
}
