import { type CatalogRecord, stringsOf, textOf } from "../../../catalog/record.ts";
import { followAction } from "../../accounts/follow.ts";
import type { Reply } from "../../http/reply.ts";
import { factList } from "../../ui/facts.ts";
import { type Markup, type Piece, forReader, markup } from "../../ui/markup.ts";
import { link } from "../../ui/parts.ts";
import { shelf } from "../../ui/book-row.ts";
import { prose, section, webLink } from "../../ui/values.ts";
import { day, say } from "../../ui/words.ts";
import { patronPage } from "./patron-page.ts";
import { shelfChips } from "./shelf-chips.ts";
import type { ShownBook } from "./shown-books.ts";
import { type ShownPatron, personPath } from "./shown-patron.ts";

/** Part of a patron's reading log on their page. */
export interface ShownLog {
  /** Entries of each shelf, by its number. */
  readonly sizes: Readonly<Record<number, number>>;
  /** Books that the patron reads at the moment, and the last ones that they read. */
  readonly reading: readonly ShownBook[];
  readonly read: readonly ShownBook[];
}

/** Content of a patron's page besides the patron. */
interface PersonView {
  readonly record: CatalogRecord;
  /** Undefined if the reader may not see it. */
  readonly log: ShownLog | undefined;
  /** True if the reader follows the patron. Undefined if they cannot. */
  readonly isFollowed: boolean | undefined;
}

const WEB_ADDRESS = /^https?:\/\//i;

/** Writes the public page of a patron. */
export function personPage(patron: ShownPatron, { record, log, isFollowed }: PersonView): Reply {
  const { username, displayname, created, isOwn } = patron;
  // Patrons can write anything into their record, a script's address too.
  const websites = stringsOf(record["website"]).filter((address) => WEB_ADDRESS.test(address));
  const changes = `/recentchanges?author=${encodeURIComponent(`/people/${username}`)}`;
  const body = markup`${prose(textOf(record["description"]))}
${factList([
  [say("person.username"), markup`<bdi>${username}</bdi>`],
  [say("person.since"), day(created)],
  [
    say("person.websites"),
    websites.length === 0 ? undefined : websites.map((one) => markup`<div>${webLink(one)}</div>`),
  ],
])}
${logOf(patron, log)}
<p>${link(changes, say("person.changes"))}</p>
${isOwn && markup`<p>${link("/account", say("person.account"))}</p>`}`;
  return patronPage(patron, {
    tab: "profile",
    title: displayname === "" ? username : displayname,
    aside: followForm(patron, isFollowed),
    body,
  });
}

function logOf({ username, isOpen }: ShownPatron, log: ShownLog | undefined): Markup {
  if (!isOpen || log === undefined) return markup`<p>${say("person.private")}</p>`;
  return markup`${section(say("person.log"), shelfChips(username, log.sizes))}
${booksOf(say("shelf.reading"), log.reading)}${booksOf(say("person.read_last"), log.read)}`;
}

function booksOf(heading: Piece, books: readonly ShownBook[]): Piece {
  return books.length > 0 && section(heading, shelf(books));
}

/** Renders a button to follow or unfollow a patron; without a session it leads to the login. */
function followForm(patron: ShownPatron, isFollowed: boolean | undefined): Markup | undefined {
  const { username, reader } = patron;
  if (reader === undefined) {
    const query = new URLSearchParams({ redirect: personPath(username), action: followAction(username) });
    return markup`<a class="button" href="/account/login?${String(query)}">${say("person.follow", { name: username })}</a>`;
  }
  return isFollowed === undefined ? undefined : followButton({ reader, publisher: username, isFollowed });
}

/** Renders the button alone; its form leads back to the current page. */
export function followButton(what: {
  readonly reader: string;
  readonly publisher: string;
  readonly isFollowed: boolean;
}): Markup {
  const { reader, publisher, isFollowed } = what;
  const name = markup`<bdi>${publisher}</bdi>`;
  return forReader(
    ({ here }) => markup`<form method="post" action="${personPath(reader, "/follows.json")}">
<input type="hidden" name="publisher" value="${publisher}"><input type="hidden" name="state" value="${isFollowed ? "1" : "0"}">
<input type="hidden" name="redir_url" value="${here}"><button>${isFollowed ? say("person.unfollow", { name }) : say("person.follow", { name })}</button></form>`,
  );
}
