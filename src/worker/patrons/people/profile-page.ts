import { type ShelfId, ALREADY_READ, CURRENTLY_READING } from "../../../catalog/patrons/shelves.ts";
import { type CatalogRecord, stringsOf, textOf } from "../../../catalog/record.ts";
import { followAction } from "../../accounts/follow.ts";
import type { Reply } from "../../http/reply.ts";
import { bookShelf } from "../../ui/book-row.ts";
import { factList } from "../../ui/facts.ts";
import { type Piece, markup } from "../../ui/markup.ts";
import { dots, link } from "../../ui/parts.ts";
import { prose, section, webLink } from "../../ui/values.ts";
import { day, t } from "../../ui/words.ts";
import type { ListedBook } from "./book-list.ts";
import { followButton } from "./follows-page.ts";
import { type PatronView, patronPage, personPath, shelfChips } from "./patron-page.ts";

interface ProfileView {
  readonly record: CatalogRecord;
  /** Part of the reading log; undefined if it is hidden from the reader. `sizes`: works by number of the shelf. */
  readonly log: { sizes: Readonly<Record<number, number>>; books: readonly ListedBook[] } | undefined;
  /** Undefined if the reader cannot follow the patron. */
  readonly isFollowed: boolean | undefined;
}

export function profilePage(patron: PatronView, { record, log, isFollowed }: ProfileView): Reply {
  const { username, displayname, created, isOwn, reader } = patron;
  // Patrons can write anything into their record, including `javascript:` addresses.
  const websites = stringsOf(record["website"]).filter((address) => /^https?:\/\//i.test(address));
  const changes = `/recentchanges?author=${encodeURIComponent(`/people/${username}`)}`;
  const booksOn = (id: ShelfId, heading: Piece): Piece => {
    const books = log?.books.filter(({ shelf }) => shelf === id) ?? [];
    return books.length > 0 && section(heading, bookShelf(books.map(({ book }) => book)));
  };
  const shelves =
    log === undefined
      ? markup`<p>${t("forbidden.private_log")}</p>`
      : markup`${section(t("person.log"), shelfChips(username, log.sizes))}
${booksOn(CURRENTLY_READING, t("shelf.reading"))}${booksOn(ALREADY_READ, t("person.read_last"))}`;
  const body = markup`${prose(textOf(record["description"]))}
${factList([
  [t("person.username"), markup`<bdi>${username}</bdi>`],
  [t("person.since"), day(created)],
  [
    t("person.websites"),
    websites.length === 0 ? undefined : websites.map((address) => markup`<div>${webLink(address)}</div>`),
  ],
])}
${shelves}
<p>${link(changes, t("person.changes"))}</p>
${isOwn && markup`<p>${link("/account", t("person.account"))}</p>`}`;
  const summary = dots([
    ...new Set([displayname, username]),
    ...(log?.books ?? []).map(({ book }) => book.title),
  ]);
  // Without a session the button leads to the login.
  const query = new URLSearchParams({ redirect: personPath(username), action: followAction(username) });
  return patronPage(patron, {
    tab: "profile",
    metadata: { type: "profile", description: textOf(record["description"]) || summary },
    title: displayname === "" ? username : displayname,
    aside:
      reader === undefined
        ? markup`<a class="button" href="/account/login?${String(query)}">${t("person.follow", { name: username })}</a>`
        : isFollowed !== undefined && followButton({ reader, publisher: username, isFollowed }),
    body,
  });
}
