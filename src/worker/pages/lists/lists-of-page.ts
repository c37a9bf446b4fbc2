import { type ListEntry, listsPage } from "../../../catalog/lists/list-entries.ts";
import { listUrl } from "../../../catalog/lists/list-view.ts";
import { type Json, isObject, textOf } from "../../../catalog/record.ts";
import type { ListsWindow } from "../../../db/lists/read-lists.ts";
import type { ListsAbout } from "../../lists/lists-of.ts";
import type { Reply } from "../../reply.ts";
import { addressOf } from "../address.ts";
import { page } from "../layout.ts";
import { type Markup, markup } from "../markup.ts";
import { link, moment, pageLinks, table } from "../parts.ts";
import { shortText } from "../short-text.ts";
import { nameAddress } from "../search/parts.ts";

/** What the page of lists shows besides them. */
export interface ListsView {
  readonly window: ListsWindow;
  readonly path: string;
  /** May the reader make lists here? */
  readonly mayAdd: boolean;
}

/** Lists of a patron, or lists with a record or subject, for people. */
export function listsOfPage(found: ListsAbout, { window, path, mayAdd }: ListsView): Reply {
  const { self, size, entries } = found;
  const { links } = listsPage({ self, path, size, entries, ...window });
  const neighbours = isObject(links) ? links : {};
  const name = nameOf(found);
  const isOwner = self.startsWith("/people/");
  const back = self.startsWith("/subjects/") ? nameAddress(self) : addressOf(self);
  return page({
    title: isOwner ? `Lists by ${name}` : `Lists with ${name}`,
    body: markup`<p>${link(back, name)}: ${size === 1 ? "1 list" : `${size} lists`}.
${mayAdd && link(`${addressOf(self)}/lists/add`, "Make a list")}</p>
${entries.length > 0 && listTable(entries, { caption: "Lists, last changed first", time: "Newest change of an entry" })}
${pageLinks(textOf(neighbours["prev"]), textOf(neighbours["next"]))}`,
  });
}

/** What a table of lists is called, and what `lastUpdate` says in it. */
export interface ListTableTexts {
  readonly caption: string;
  readonly time: string;
}

/** Lists with their sizes, each leading to its page. */
export function listTable(entries: readonly ListEntry[], { caption, time }: ListTableTexts): Markup {
  return table({
    caption,
    columns: ["Name", "By", "Entries", time],
    rows: entries.map(({ key, name, seedCount, lastUpdate }) => [
      link(addressOf(listUrl(key, name)), name === "" ? "List without a name" : shortText(name)),
      ownerLink(key),
      seedCount,
      lastUpdate === null ? "–" : moment(lastUpdate),
    ]),
  });
}

function ownerLink(key: string): Markup | string {
  const owner = /^\/people\/([^/]+)\//.exec(key)?.[1];
  if (owner !== undefined) return link(addressOf(`/people/${owner}`), owner);
  return key.startsWith("/series/") ? "series" : "the community";
}

/** What the lists are of: title or name of the record, the last part of its key without one. */
function nameOf({ self, about }: ListsAbout): string {
  const last = self.slice(self.lastIndexOf("/") + 1);
  if (about === undefined) return self.slice("/subjects/".length).replaceAll("_", " ");
  // A part of a stored document.
  const name = about.name === null ? undefined : textOf(JSON.parse(about.name) as Json);
  return shortText(name === undefined || name === "" ? last : name);
}
