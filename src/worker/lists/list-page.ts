import { type ListHead, listDescription, listName } from "../../catalog/lists/list-view.ts";
import {
  type ListSeed,
  authorKeysOf,
  seedKind,
  seedTitle,
  subjectPath,
} from "../../catalog/lists/seed-entry.ts";
import { textOf } from "../../catalog/record.ts";
import type { Reply } from "../http/reply.ts";
import { nameAddress } from "../search/result-parts.ts";
import { bookRow, bookRows } from "../ui/book-row.ts";
import { firstPicture } from "../ui/cover.ts";
import { collectionHead } from "../ui/collection-head.ts";
import { dropper } from "../ui/dropper.ts";
import { page } from "../ui/layout.ts";
import { type Markup, type Piece, addressOf, markup, shortText } from "../ui/markup.ts";
import { PAGE_TURNS, pageLinks } from "../ui/pager.ts";
import { commas, dots, link } from "../ui/parts.ts";
import { type Words, moment, say } from "../ui/words.ts";
import { countYears, yearBars } from "../ui/years.ts";

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
  /** Base URL of the site. */
  readonly site: string;
}

/** A list or series for people: what it is, its members, and what can be done with it. */
export function listSeedsPage(what: SeedsPage): Reply {
  const { list, seeds } = what;
  const description = listDescription(list);
  return page({
    title: titlePiece(list),
    heading: markup`<span dir="auto">${titlePiece(list)}</span>`,
    head: headOf(what),
    body: markup`${facts(list)}
${description !== "" && markup`<div class="text"><p class="lines" dir="auto">${description}</p></div>`}
${seeds.length === list.seedCount && yearBars(countYears(seeds.map(dateOf)))}
${seeds.length === 0 ? markup`<p>${say("list.nothing")}</p>` : seedRows(what)}
${pages(what)}
${actions(list)}`,
  });
}

function headOf({ list, seeds, number, address, site }: SeedsPage): Markup {
  const own = addressOf(list.key);
  return collectionHead({
    site,
    address: number === 1 ? address : `${address}?page=${number}`,
    title: shortText(listTitle(list)),
    description: shortText(listDescription(list)),
    total: list.seedCount,
    items: seeds.map((seed) => ({ href: seedAddress(seed), title: shortText(seedTitle(seed)) })),
    json: `${own}.json`,
    atom: `${own}/feeds/updates.atom`,
  });
}

function titlePiece(list: ListHead): Piece {
  if (listName(list) !== "") return shortText(listName(list));
  return say(list.type === "/type/series" ? "list.series_without_name" : "list.list_without_name");
}

/** What a list is called for people. */
export function listTitle(list: ListHead): string {
  const unnamed = list.type === "/type/series" ? "Series without a name" : "List without a name";
  return listName(list) === "" ? unnamed : listName(list);
}

function facts({ key, type, seedCount, lastModified }: ListHead): Markup {
  const owner = /^\/people\/([^/]+)\//.exec(key)?.[1];
  const person = owner === undefined ? undefined : addressOf(`/people/${owner}`);
  const kind =
    type === "/type/series"
      ? say("list.a_series")
      : person === undefined
        ? say("list.of_community")
        : say("list.by", { patron: link(person, markup`<bdi>${owner}</bdi>`) });
  return markup`<p class="soft">${dots([
    kind,
    say("list.entries", { count: seedCount }),
    say("list.changed", { time: moment(lastModified) }),
    person !== undefined && link(`${person}/lists`, say("list.all_by", { patron: owner })),
  ])}</p>`;
}

const KINDS: ReadonlyMap<string, Words> = new Map([
  ["author", "search.author"],
  ["edition", "book.edition_name"],
  ["subject", "search.subject"],
]);

/** The members in their order, with what the list says of them. */
function seedRows({ list, seeds, authors, number, size }: SeedsPage): Markup {
  const isSeries = list.type === "/type/series";
  const rows = seeds.map((seed, at) => {
    const kind = seedKind(seed);
    const words = isSeries ? undefined : KINDS.get(kind);
    const { covers, photos } = seed.record?.members ?? {};
    const book = {
      key: seed.key,
      href: seedAddress(seed),
      title: shortText(seedTitle(seed)),
      authors: authorKeysOf(seed).flatMap((key) => {
        const name = authors.get(key);
        return name === undefined ? [] : [{ href: addressOf(key), name }];
      }),
      cover: firstPicture(kind === "author" ? photos : covers),
      ...(kind === "author" && { of: "a" as const }),
    };
    return bookRow(book, {
      notes: [
        dots([
          isSeries && (seed.position ?? "") !== "" && say("list.position", { position: seed.position }),
          words !== undefined && say(words),
          shortText(dateOf(seed) ?? ""),
        ]),
        (seed.notes ?? "") !== "" && markup`<span class="lines" dir="auto">${seed.notes}</span>`,
      ],
      isFirst: at < 4,
      ...(kind === "work" && { action: dropper(book) }),
    });
  });
  return bookRows(rows, (number - 1) * size + 1);
}

/** When a book was first published, or an edition. */
function dateOf({ record }: ListSeed): string | undefined {
  return textOf(record?.members["first_publish_date"]) ?? textOf(record?.members["publish_date"]);
}

/** Where a seed leads. */
export function seedAddress(seed: ListSeed): string {
  return seedKind(seed) === "subject" ? nameAddress(subjectPath(seed.key)) : addressOf(seed.key);
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
  return markup`<h2>${say("list.more_heading")}</h2>
<ul class="plain actions">
<li>${link(`${address}/edit`, say("record.edit"))}</li>
<li>${link(`${address}?m=history`, say("record.history_link"))}</li>
<li>${say("list.export", { formats: commas(exports) })}</li>
<li>${link(`${address}/feeds/updates.atom`, say(type === "/type/list" ? "list.feed" : "list.feed_works"))}</li>
<li>${link(`${address}/embed`, say("list.embed"))}</li>
</ul>`;
}
