import { type ListEntry, listUrlOf } from "../../catalog/lists/list-view.ts";
import { type Json, isObject, textOf } from "../../catalog/record.ts";
import type { ListsFound } from "../../db/lists/read-lists.ts";
import { nameText } from "../../db/records/titles.ts";
import type { Reply } from "../http/reply.ts";
import { nameAddressOf } from "../search/result-parts.ts";
import { page } from "../ui/layout.ts";
import { type Markup, type Piece, addressOf, markup, shortText } from "../ui/markup.ts";
import { pageLinks } from "../ui/pager.ts";
import { link } from "../ui/parts.ts";
import { table } from "../ui/table.ts";
import { moment, number, t } from "../ui/words.ts";

/** Page of lists, and the key of the patron, record or subject that they belong to, after redirects. */
export type ListsAbout = ListsFound & { self: string };

/** Renders lists of a patron, or with a record. `mayAdd`: the reader may make a list there; `links`: to other pages. */
export function collectionPage(
  lists: ListsAbout,
  { mayAdd, links }: { mayAdd: boolean; links: Json | undefined },
): Reply {
  const { self, size, entries } = lists;
  const neighbours = isObject(links) ? links : {};
  const name = nameOf(lists);
  const back = self.startsWith("/subjects/") ? nameAddressOf(self) : addressOf(self);
  return page({
    title: t(self.startsWith("/people/") ? "lists.by" : "lists.with", { name }),
    body: markup`<p>${link(back, markup`<bdi>${name}</bdi>`)} · ${t("lists.count", { count: size })}</p>
${mayAdd && markup`<p><a class="button primary" href="${addressOf(self)}/lists/add">${t("listform.make")}</a></p>`}
${entries.length > 0 && listTable(entries, t("lists.newest"), t("lists.newest_entry"))}
${pageLinks(textOf(neighbours["prev"]), textOf(neighbours["next"]))}`,
  });
}

/** Renders a table of lists. `time` is the heading of the column with their `lastUpdate`. */
export function listTable(entries: readonly ListEntry[], caption: Piece, time: Piece): Markup {
  return table({
    caption,
    columns: [t("lists.name"), t("lists.of"), t("lists.entries"), time],
    rows: entries.map(({ key, name, seedCount, lastUpdate }) => [
      link(addressOf(listUrlOf(key, name)), name === "" ? t("list.list_without_name") : shortText(name)),
      ownerLink(key),
      number(seedCount),
      lastUpdate === null ? "–" : moment(lastUpdate),
    ]),
  });
}

function ownerLink(key: string): Markup {
  const owner = /^\/people\/([^/]+)\//.exec(key)?.[1];
  if (owner !== undefined) return link(addressOf(`/people/${owner}`), owner);
  return t(key.startsWith("/series/") ? "lists.of_series" : "lists.community");
}

function nameOf({ self, about }: ListsAbout): string {
  const last = self.slice(self.lastIndexOf("/") + 1);
  if (about === undefined) return self.slice("/subjects/".length).replaceAll("_", " ");
  const name = nameText(about.name) ?? "";
  return shortText(name === "" ? last : name);
}
