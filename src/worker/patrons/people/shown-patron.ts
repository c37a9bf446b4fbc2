import { findAccount } from "../../../db/accounts/read.ts";
import { notFound } from "../../http/errors.ts";
import type { RequestContext } from "../../http/operation.ts";
import { hidesLog } from "../../accounts/follow.ts";

export interface ShownPatron {
  /** Username in the account's spelling. */
  readonly username: string;
  readonly displayname: string;
  /** Creation time of the account; naive UTC. */
  readonly created: string;
  /** Username of the reader; undefined without a session. */
  readonly reader: string | undefined;
  /** True if the reader is the patron. */
  readonly isOwn: boolean;
  /** True if the reader may see the reading log. */
  readonly isOpen: boolean;
  /** Current year, UTC. */
  readonly year: number;
}

const PAGE = { description: "The page", contentType: "text/html" };
const NO_PATRON = { description: "No such patron" };
/** Responses of the pages of a patron: public pages, pages for readers of the log, and private pages. */
export const PATRON_PAGE = { 200: PAGE, 404: NO_PATRON };
export const LOG_PAGE = { ...PATRON_PAGE, 303: { description: "A private log: to the page of the patron" } };
export const OWN_PAGE = { ...PATRON_PAGE, 303: { description: "Another user: to the page of the patron" } };

/** Returns the patron of a path, with the name in any case. Throws 404 if there is none. */
export async function shownPatron(context: RequestContext, name: string): Promise<ShownPatron> {
  const patron = await findPatron(context, name);
  if (patron === undefined) throw notFound();
  return patron;
}

/** Returns the patron of a path, with the name in any case; undefined if there is no such account. */
export async function findPatron(context: RequestContext, name: string): Promise<ShownPatron | undefined> {
  const { stores } = context;
  const [account, session] = await Promise.all([
    findAccount(stores.patrons, { username: name }),
    context.session(),
  ]);
  // Without an account there is no object to call: a call would create one.
  if (account === undefined) return undefined;
  const { username, displayname, created } = account;
  const isOwn = session?.username.toLowerCase() === account.usernameFolded;
  const isOpen = isOwn || !(await hidesLog(stores, username));
  return {
    username,
    displayname,
    created,
    reader: session?.username,
    isOwn,
    isOpen,
    year: new Date(context.now).getUTCFullYear(),
  };
}

/** Returns the path of a patron's page, or of one below it. */
export function personPath(username: string, rest = ""): string {
  return `/people/${encodeURIComponent(username)}${rest}`;
}
