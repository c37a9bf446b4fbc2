import { type ListHead, listDescription, listName } from "../../catalog/lists/view.ts";
import {
  type ListSeed,
  authorKeysOf,
  seedKind,
  seedTitle,
  subjectPath,
} from "../../catalog/lists/seed-entry.ts";
import type { Reply } from "../http/reply.ts";
import { nameAddress } from "../search/result-parts.ts";
import { page } from "../ui/layout.ts";
import { type Markup, type Piece, addressOf, markup, shortText } from "../ui/markup.ts";
import { PAGE_TURNS, pageLinks } from "../ui/pager.ts";
import { commas, link } from "../ui/parts.ts";
import { table } from "../ui/table.ts";
import { moment } from "../ui/words.ts";

/** What the page of a list shows: the members of one page of them. */
interface SeedsPage {
  readonly list: ListHead;
  readonly seeds: readonly ListSeed[];
  /** Names of authors by key. */
  readonly authors: ReadonlyMap<string, string>;
  /** Which page, from 1, and how many members one has. */
  readonly number: number;
  readonly size: number;
  readonly address: string;
}

/** A list or series for people: what it is, its members, and what can be done with it. */
export function listSeedsPage(what: SeedsPage): Reply {
  const { list, seeds } = what;
  const description = listDescription(list);
  return page({
    title: shortText(listTitle(list)),
    body: markup`${facts(list)}
${description !== "" && markup`<p class="lines" dir="auto">${description}</p>`}
${seeds.length === 0 ? markup`<p>There is nothing here.</p>` : seedTable(what)}
${pages(what)}
${actions(list)}`,
  });
}

/** What a list is called for people. */
export function listTitle(list: ListHead): string {
  const unnamed = list.type === "/type/series" ? "Series without a name" : "List without a name";
  return listName(list) === "" ? unnamed : listName(list);
}

function facts({ key, type, seedCount, lastModified }: ListHead): Markup {
  const owner = /^\/people\/([^/]+)\//.exec(key)?.[1];
  const kind =
    type === "/type/series"
      ? "A series"
      : owner === undefined
        ? "A list of the community"
        : markup`A list by ${link(addressOf(`/people/${owner}`), owner)}`;
  const count = seedCount === 1 ? "1 entry" : `${seedCount} entries`;
  return markup`<p>${kind}, ${count}, last changed ${moment(lastModified)}.
${owner !== undefined && link(`${addressOf(`/people/${owner}`)}/lists`, `All lists by ${owner}`)}</p>`;
}

/** Titles that lead to the members, and what the list says of them. */
function seedTable({ list, seeds, authors }: SeedsPage): Markup {
  const isSeries = list.type === "/type/series";
  return table({
    caption: isSeries ? "Works of the series" : "Entries",
    columns: ["Title", "By", ...(isSeries ? ["Place"] : ["Kind"]), "Notes"],
    rows: seeds.map((seed) => [
      link(seedAddress(seed), shortText(seedTitle(seed))),
      authorLinks(seed, authors),
      isSeries ? seed.position : seedKind(seed),
      seed.notes,
    ]),
  });
}

/** Where a seed leads. */
export function seedAddress(seed: ListSeed): string {
  return seedKind(seed) === "subject" ? nameAddress(subjectPath(seed.key)) : addressOf(seed.key);
}

function authorLinks(seed: ListSeed, names: ReadonlyMap<string, string>): Piece {
  return commas(
    authorKeysOf(seed).flatMap((key) => {
      const name = names.get(key);
      return name === undefined ? [] : [link(addressOf(key), shortText(name))];
    }),
  );
}

function pages({ list, number, size, address }: SeedsPage): Markup | undefined {
  const to = (one: number): string => `${address}?page=${one}`;
  return pageLinks(
    number > 1 ? to(number - 1) : undefined,
    number * size < list.seedCount ? to(number + 1) : undefined,
    PAGE_TURNS,
  );
}

function actions({ key, type }: ListHead): Markup {
  const address = addressOf(key);
  const exports = ["html", "bibtex", "json", "yaml"].map((format) =>
    link(`${address}/export?format=${format}`, format),
  );
  return markup`<h2>More</h2>
<ul>
<li>${link(`${address}/edit`, "Edit")}</li>
<li>${link(`${address}?m=history`, "History")}</li>
<li>Export: ${commas(exports)}</li>
${
  type === "/type/list" &&
  markup`<li>${link(`${address}/feeds/updates.atom`, "Feed of changes to its editions")}</li>
<li>${link(`${address}/embed`, "Small page to put into others")}</li>`
}
</ul>`;
}
