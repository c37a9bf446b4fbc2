import { formatDatetime } from "../../../catalog/datetime.ts";
import { SHELVES } from "../../../catalog/patrons/shelves.ts";
import { lastPage } from "../../http/parameters.ts";
import type { Reply } from "../../http/reply.ts";
import { bookRow } from "../../ui/book-row.ts";
import { SHELF_WORDS, dropper } from "../../ui/dropper.ts";
import { type Markup, forReader, markup } from "../../ui/markup.ts";
import { link } from "../../ui/parts.ts";
import { table } from "../../ui/table.ts";
import { day, moment, t } from "../../ui/words.ts";
import { type BookView, bookItems, numberedLinks } from "./book-list.ts";
import { type PatronView, patronPage, personPath } from "./patron-page.ts";

interface Followed {
  readonly page: number;
  readonly total: number;
  readonly entries: readonly { username: string; created: number }[];
}

/** `followed`: lower-case names of those in the list whom the reader follows; undefined without a session. */
export function followsPage(
  patron: PatronView,
  kind: "followers" | "following",
  { list, followed }: { list: Followed; followed: ReadonlySet<string> | undefined },
): Reply {
  const { username: name, reader } = patron;
  const { entries } = list;
  const title = t(kind === "followers" ? "person.followers_of" : "person.followed_by", { name });
  const buttons = followButtons(reader, followed, entries);
  const people = table({
    caption: title,
    columns: [
      t("person.patron"),
      t("person.followed_since"),
      ...(reader === undefined ? [] : [t("person.follow_column")]),
    ],
    rows: entries.map(({ username: other, created }, at) => [
      link(personPath(other), other),
      day(formatDatetime(created)),
      ...buttons.slice(at, at + 1),
    ]),
  });
  const body = markup`${entries.length === 0 ? markup`<p>${t("person.nobody")}</p>` : people}
${numberedLinks(personPath(name, `/${kind}`), { page: list.page, last: lastPage(list.total) })}`;
  return patronPage(patron, { tab: kind, title, body });
}

/** Renders a button for each patron that the reader can follow; none without a session. */
export function followButtons(
  reader: string | undefined,
  followed: ReadonlySet<string> | undefined,
  patrons: readonly { username: string }[],
): Markup[] {
  if (reader === undefined || followed === undefined) return [];
  return patrons.map(({ username: publisher }) => {
    const name = publisher.toLowerCase();
    if (name === reader.toLowerCase()) return markup`–`;
    return followButton({ reader, publisher, isFollowed: followed.has(name) });
  });
}

export function followButton(follow: { reader: string; publisher: string; isFollowed: boolean }): Markup {
  const { reader, publisher, isFollowed } = follow;
  const name = markup`<bdi>${publisher}</bdi>`;
  return forReader(
    ({ here }) => markup`<form method="post" action="${personPath(reader, "/follows.json")}">
<input type="hidden" name="publisher" value="${publisher}"><input type="hidden" name="state" value="${isFollowed ? "1" : "0"}">
<input type="hidden" name="redir_url" value="${here}"><button>${isFollowed ? t("person.unfollow", { name }) : t("person.follow", { name })}</button></form>`,
  );
}

export function feedPage(
  patron: PatronView,
  entries: readonly { book: BookView; username: string; shelf: number; logged: number }[],
): Reply {
  const items = entries.map(({ book, username: name, shelf, logged }) => {
    const { id, key } = SHELVES.find(({ id: shelfId }) => shelfId === shelf) ?? SHELVES[0];
    const shelfLink = link(personPath(name, `/books/${key}`), t(SHELF_WORDS[id]));
    return bookRow(book, {
      notes: [
        t("list.pair", { name: link(personPath(name), name), value: shelfLink }),
        moment(formatDatetime(logged)),
      ],
      action: dropper(book),
    });
  });
  const body = bookItems(items, markup`${t("feed.none")} ${link("/people", t("people.title"))}`);
  return patronPage(patron, { tab: "feed", title: t("feed.title"), body });
}
