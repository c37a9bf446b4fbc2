import type { Shelf } from "../../../catalog/patrons/shelves.ts";
import type { ListPage } from "../../../durable/patron/pages.ts";
import { lastPage } from "../../http/parameters.ts";
import type { Reply } from "../../http/reply.ts";
import { previewImage } from "../../ui/cover.ts";
import { SHELF_WORDS } from "../../ui/dropper.ts";
import { select } from "../../ui/form.ts";
import { markup } from "../../ui/markup.ts";
import { collectionMetadata, feedsOf } from "../../ui/metadata.ts";
import { link } from "../../ui/parts.ts";
import { t } from "../../ui/words.ts";
import { SHELF_QUERY_LENGTH } from "../reading/reading-log.ts";
import { type ListedBook, bookGrid, countLine, numberedLinks } from "./book-list.ts";
import { type PatronView, patronPage, personPath, shelfChips } from "./patron-page.ts";

export const SORTS = [
  ["added", "sort.added"],
  ["oldest", "sort.added_first"],
  ["stars", "sort.own_rating"],
  ["finished", "sort.finished"],
  ["title", "sort.title"],
  ["old", "sort.old"],
] as const;
type ShelfSort = (typeof SORTS)[number][0];

export interface ShelfRequest {
  q: string;
  mode: string;
  sort: ShelfSort;
  page: number;
}

export function shelfPage(
  patron: PatronView,
  shelf: Shelf,
  {
    request,
    part,
    sizes,
  }: { request: ShelfRequest; part: ListPage<ListedBook>; sizes: Readonly<Record<number, number>> },
): Reply {
  const { username, isOwn } = patron;
  const here = personPath(username, `/books/${shelf.key}`);
  const { q, mode, sort } = request;
  const parameters = { q, mode, sort: sort === "added" ? "" : sort };
  const name = t(SHELF_WORDS[shelf.id]);
  // Ratings of a single patron are private.
  const sorts = SORTS.filter(([order]) => isOwn || order !== "stars");
  const options = sorts.map(([order, words]) => [order, t(words)] as const);
  const ebooks = mode === "ebooks" && markup` checked`;
  const form = markup`<form class="line" action="${here}" role="search" aria-label="${t("my.narrow")}">
<label class="unseen" for="q">${t("my.search")}</label><input id="q" name="q" type="search" value="${q}" maxlength="${SHELF_QUERY_LENGTH}" placeholder="${t("my.search")}">
${select({ name: "sort", label: t("search.order"), options, chosen: sort })}
<span class="line"><input type="checkbox" id="mode" name="mode" value="ebooks"${ebooks}><label for="mode">${t("search.readable")}</label></span>
<button>${t("layout.apply")}</button>${(q !== "" || mode !== "") && link(here, t("my.whole"))}</form>`;
  return patronPage(patron, {
    tab: "books",
    metadata: collectionMetadata({
      address: here,
      name: `${username}: ${shelf.name}`,
      size: t("search.books", { count: part.total }),
      image: previewImage(part.entries.map(({ book }) => book.cover)),
      total: part.total,
      items: part.entries.map(({ book }) => book),
      feeds: isOwn ? [] : feedsOf(here),
    }),
    title: isOwn ? name : t("my.shelf_of", { shelf: name, name: username }),
    body: markup`${shelfChips(username, sizes, shelf.id)}
${form}
${countLine(part)}
${bookGrid(part.entries, patron)}
${numberedLinks(here, { page: part.page, last: lastPage(part.total) }, parameters)}
${isOwn && markup`<p>${link(`${here}/stats`, t("my.statistics"))}</p>`}`,
  });
}
