import { findAccount } from "../../../db/accounts/read.ts";
import { notFound } from "../../http/errors.ts";
import type { RequestContext } from "../../http/operation.ts";
import { hidesLog } from "../../accounts/follow.ts";

/** A patron whose pages somebody looks at. */
export interface ShownPatron {
  /** As the account spells it. */
  readonly username: string;
  readonly displayname: string;
  /** When the account was made; naive UTC. */
  readonly created: string;
  /** Username of whoever looks; undefined without a session. */
  readonly reader: string | undefined;
  /** True when it is the patron himself. */
  readonly isOwn: boolean;
  /** True when the reader may see the reading log. */
  readonly isOpen: boolean;
  /** The year that it is. */
  readonly year: number;
}

const PAGE = { description: "The page", contentType: "text/html" };
const NO_PATRON = { description: "There is no such patron" };
/** Answers of the pages of a patron: of those that everybody sees, that readers of his log see, that he alone sees. */
export const PATRON_PAGE = { 200: PAGE, 404: NO_PATRON };
export const LOG_PAGE = { ...PATRON_PAGE, 303: { description: "A private log: to the page of the patron" } };
export const OWN_PAGE = { ...PATRON_PAGE, 303: { description: "Somebody else: to the page of the patron" } };

/** The patron of a path, whatever the case of the name, or 404. */
export async function shownPatron(context: RequestContext, name: string): Promise<ShownPatron> {
  const patron = await findPatron(context, name);
  if (patron === undefined) throw notFound();
  return patron;
}

/** The same; undefined when there is no account of that name. */
export async function findPatron(context: RequestContext, name: string): Promise<ShownPatron | undefined> {
  const { stores } = context;
  const [account, session] = await Promise.all([
    findAccount(stores.patrons, { username: name }),
    context.session(),
  ]);
  // Without an account there is no object to ask: asking would make one.
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

/** Where a patron's page is, or one below it. */
export function personPath(username: string, rest = ""): string {
  return `/people/${encodeURIComponent(username)}${rest}`;
}
