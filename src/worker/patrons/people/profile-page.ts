import { type CatalogRecord, stringsOf, textOf } from "../../../catalog/record.ts";
import { followAction } from "../../accounts/follow.ts";
import type { Reply } from "../../http/reply.ts";
import { bookShelf } from "../../ui/book-row.ts";
import { factList } from "../../ui/facts.ts";
import { type Markup, type Piece, markup } from "../../ui/markup.ts";
import { link } from "../../ui/parts.ts";
import { prose, section, webLink } from "../../ui/values.ts";
import { day, t } from "../../ui/words.ts";
import type { BookView } from "./book-list.ts";
import { followButton } from "./follows-page.ts";
import { type PatronView, patronPage, personPath, shelfChips } from "./patron-page.ts";

/** Part of a reading log on the profile of its patron. */
export interface LogView {
  /** Number of works on each shelf, by the shelf's number. */
  sizes: Readonly<Record<number, number>>;
  reading: readonly BookView[];
  read: readonly BookView[];
}

/** Renders the profile. `log` is undefined if hidden from the reader, `isFollowed` if the reader cannot follow. */
export function profilePage(
  patron: PatronView,
  content: { record: CatalogRecord; log: LogView | undefined; isFollowed: boolean | undefined },
): Reply {
  const { record, log, isFollowed } = content;
  const { username, displayname, created, isOwn } = patron;
  // Patrons can write anything into their record, including `javascript:` addresses.
  const websites = stringsOf(record["website"]).filter((address) => /^https?:\/\//i.test(address));
  const changes = `/recentchanges?author=${encodeURIComponent(`/people/${username}`)}`;
  const body = markup`${prose(textOf(record["description"]))}
${factList([
  [t("person.username"), markup`<bdi>${username}</bdi>`],
  [t("person.since"), day(created)],
  [
    t("person.websites"),
    websites.length === 0 ? undefined : websites.map((address) => markup`<div>${webLink(address)}</div>`),
  ],
])}
${renderLog(patron, log)}
<p>${link(changes, t("person.changes"))}</p>
${isOwn && markup`<p>${link("/account", t("person.account"))}</p>`}`;
  return patronPage(patron, {
    tab: "profile",
    title: displayname === "" ? username : displayname,
    aside: followForm(patron, isFollowed),
    body,
  });
}

function renderLog({ username, isOpen }: PatronView, log: LogView | undefined): Markup {
  if (!isOpen || log === undefined) return markup`<p>${t("forbidden.private_log")}</p>`;
  return markup`${section(t("person.log"), shelfChips(username, log.sizes))}
${booksSection(t("shelf.reading"), log.reading)}${booksSection(t("person.read_last"), log.read)}`;
}

function booksSection(heading: Piece, books: readonly BookView[]): Piece {
  return books.length > 0 && section(heading, bookShelf(books));
}

/** Renders a button to follow or unfollow a patron. Without a session it leads to the login. */
function followForm(patron: PatronView, isFollowed: boolean | undefined): Markup | undefined {
  const { username, reader } = patron;
  if (reader === undefined) {
    const query = new URLSearchParams({ redirect: personPath(username), action: followAction(username) });
    return markup`<a class="button" href="/account/login?${String(query)}">${t("person.follow", { name: username })}</a>`;
  }
  return isFollowed === undefined ? undefined : followButton({ reader, publisher: username, isFollowed });
}
