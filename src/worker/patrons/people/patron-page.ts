import { type ShelfId, SHELVES } from "../../../catalog/patrons/shelves.ts";
import { findAccount } from "../../../db/accounts/read-accounts.ts";
import { hidesLog } from "../../accounts/follow.ts";
import { notFound } from "../../http/errors.ts";
import type { RequestContext } from "../../http/operation.ts";
import { type Reply, PRIVATE } from "../../http/reply.ts";
import { chips } from "../../ui/chip.ts";
import { SHELF_WORDS } from "../../ui/dropper.ts";
import { type Page, page } from "../../ui/layout.ts";
import { type Piece, markup } from "../../ui/markup.ts";
import { tabs } from "../../ui/tabs.ts";
import { type Words, t } from "../../ui/words.ts";

export interface PatronView {
  /** Username in the account's spelling. */
  readonly username: string;
  readonly displayname: string;
  /** Creation time of the account; naive UTC. */
  readonly created: string;
  readonly reader: string | undefined;
  readonly isOwn: boolean;
  readonly isOpen: boolean;
  readonly year: number;
}

const PAGE = { description: "Page", contentType: "text/html" };
/** Responses of public pages, of pages for readers of the log, and of private pages. */
export const PATRON_PAGE = { 200: PAGE };
export const LOG_PAGE = { ...PATRON_PAGE, 303: { description: "Private log: the patron's page" } };
export const OWN_PAGE = { ...PATRON_PAGE, 303: { description: "Another user: the patron's page" } };

/** Finds the patron of a path, with the name in any case. Throws 404 if there is no such account. */
export async function requirePatron(context: RequestContext, name: string): Promise<PatronView> {
  const patron = await findPatron(context, name);
  if (patron === undefined) throw notFound();
  return patron;
}

export async function findPatron(context: RequestContext, name: string): Promise<PatronView | undefined> {
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
  const year = new Date(context.now).getUTCFullYear();
  return { username, displayname, created, reader: session?.username, isOwn, isOpen, year };
}

export function personPath(username: string, rest = ""): string {
  return `/people/${encodeURIComponent(username)}${rest}`;
}

const TABS = {
  books: ["/books", "person.books"],
  year: ["/books/already-read/year/", "person.year"],
  notes: ["/books/notes", "person.notes"],
  observations: ["/books/observations", "person.observations"],
  lists: ["/lists", "nav.lists"],
  feed: ["/books/feed", "person.feed"],
  following: ["/following", "person.following"],
  followers: ["/followers", "person.followers"],
  profile: ["", "person.profile"],
} as const satisfies Record<string, readonly [rest: string, words: Words]>;

type Tab = keyof typeof TABS;

const PRIVATE_TABS: ReadonlySet<Tab> = new Set(["notes", "observations", "feed"]);
const LOG_TABS: ReadonlySet<Tab> = new Set(["books", "year", "following"]);

/** Sends a page of a patron, with `aside` beside the heading. It is never cached, because it depends on the reader. */
export function patronPage(
  { username, isOwn, isOpen, year }: PatronView,
  { tab: current, aside, ...content }: Page & { tab?: Tab; aside?: Piece },
): Reply {
  const { title, heading = title } = content;
  const links = (Object.keys(TABS) as Tab[])
    .filter((tab) => (isOwn || !PRIVATE_TABS.has(tab)) && (isOpen || !LOG_TABS.has(tab)))
    .map((tab) => {
      const [rest, words] = TABS[tab];
      const href = personPath(username, tab === "year" ? `${rest}${year}` : rest);
      return { href, text: t(words), isCurrent: tab === current };
    });
  const body = markup`<div class="bar"><h1>${heading === false ? title : heading}</h1>${aside}</div>
${tabs(isOwn ? t("person.yours") : t("person.of", { name: username }), links)}${content.body}`;
  return page({ ...content, heading: false, body, cacheControl: PRIVATE });
}

export function shelfChips(username: string, sizes: Readonly<Record<number, number>>, current?: ShelfId) {
  const all = SHELVES.map(({ id, key }) => ({
    href: personPath(username, `/books/${key}`),
    text: t(SHELF_WORDS[id]),
    count: sizes[id] ?? 0,
    isCurrent: id === current,
  }));
  return markup`<nav aria-label="${t("my.shelves")}">${chips(all)}</nav>`;
}
