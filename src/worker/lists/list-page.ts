import { type ListHead, listDescriptionOf, listNameOf, listUrlOf } from "../../catalog/lists/list-view.ts";
import {
  type ListSeed,
  authorKeysOf,
  seedKindOf,
  seedTitleOf,
  subjectPathOf,
} from "../../catalog/lists/seed-entry.ts";
import { parseDate } from "../../catalog/publication-date.ts";
import { languageCodesOf, textLanguageOf } from "../../catalog/title-language.ts";
import { textOf } from "../../catalog/record.ts";
import type { Reply } from "../http/reply.ts";
import { nameAddressOf } from "../search/result-parts.ts";
import { bookRow, bookRows } from "../ui/book-row.ts";
import { firstPicture, previewImage } from "../ui/cover.ts";
import { dropper } from "../ui/dropper.ts";
import { page, smallPage } from "../ui/layout.ts";
import { type Markup, type Piece, addressOf, markup, shortText } from "../ui/markup.ts";
import { type Metadata, collectionMetadata, feedsOf } from "../ui/metadata.ts";
import { PAGE_TURNS, pageLinks } from "../ui/pager.ts";
import { commas, dots, showFirst, link } from "../ui/parts.ts";
import { type Words, moment, t } from "../ui/words.ts";
import { countYears, yearBars } from "../ui/chart.ts";
import { readNames } from "../../db/records/titles.ts";
import { readListSeeds } from "../../db/lists/list-contents.ts";
import { catalogReader } from "../http/operation.ts";
import { listPageNumber, listPageText } from "../http/parameters.ts";
import { LIST_PATH, listNotFound, listOperations } from "./list-operations.ts";

interface SeedsPage {
  list: ListHead;
  seeds: readonly ListSeed[];
  authors: ReadonlyMap<string, string>;
  /** Number of the page, from 1, and members per page. */
  number: number;
  size: number;
  address: string;
}

export function listSeedsPage(spec: SeedsPage): Reply {
  const { list, seeds } = spec;
  const description = listDescriptionOf(list);
  return page({
    title: titlePiece(list),
    heading: markup`<span dir="auto">${titlePiece(list)}</span>`,
    metadata: metadataOf(spec),
    body: markup`${facts(list)}
${description !== "" && markup`<div class="text"><p class="lines" dir="auto">${description}</p></div>`}
${seeds.length === list.seedCount && yearBars(countYears(seeds.flatMap((seed) => parseDate(dateOf(seed) ?? "")?.year ?? [])))}
${seeds.length === 0 ? markup`<p>${t("list.nothing")}</p>` : seedRows(spec)}
${pages(spec)}
${actions(list)}`,
  });
}

function metadataOf({ list, seeds, number, address }: SeedsPage): Metadata {
  const listAddress = addressOf(list.key);
  const description = shortText(listDescriptionOf(list));
  const covers = seeds.map(({ record }) => firstPicture(record?.members["covers"]));
  return collectionMetadata({
    address: number === 1 ? address : `${address}?page=${number}`,
    name: shortText(listTitle(list)),
    description: description === "" ? undefined : description,
    size: t("list.entries", { count: list.seedCount }),
    image: previewImage(covers),
    total: list.seedCount,
    items: seeds.map((seed) => ({ href: seedAddressOf(seed), title: shortText(seedTitleOf(seed)) })),
    json: `${listAddress}.json`,
    atom: `${listAddress}/feeds/updates.atom`,
    feeds: list.type === "/type/series" ? feedsOf(listAddress) : [],
  });
}

function titlePiece(list: ListHead): Piece {
  if (listNameOf(list) !== "") return shortText(listNameOf(list));
  return t(list.type === "/type/series" ? "list.series_without_name" : "list.list_without_name");
}

export function listTitle(list: ListHead): string {
  const unnamed = list.type === "/type/series" ? "Series without a name" : "List without a name";
  return listNameOf(list) === "" ? unnamed : listNameOf(list);
}

function facts({ key, type, seedCount, lastModified }: ListHead): Markup {
  const owner = /^\/people\/([^/]+)\//.exec(key)?.[1];
  const person = owner === undefined ? undefined : addressOf(`/people/${owner}`);
  const kind =
    type === "/type/series"
      ? t("list.a_series")
      : person === undefined
        ? t("list.of_community")
        : t("list.by", { patron: link(person, markup`<bdi>${owner}</bdi>`) });
  return markup`<p class="soft">${dots([
    kind,
    t("list.entries", { count: seedCount }),
    t("list.changed", { time: moment(lastModified) }),
    person !== undefined && link(`${person}/lists`, t("list.all_by", { patron: owner })),
  ])}</p>`;
}

const KINDS: ReadonlyMap<string, Words> = new Map([
  ["author", "search.author"],
  ["edition", "book.edition_name"],
  ["subject", "search.subject"],
]);

function seedRows({ list, seeds, authors, number, size }: SeedsPage): Markup {
  const isSeries = list.type === "/type/series";
  const rows = seeds.map((seed, at) => {
    const kind = seedKindOf(seed);
    const words = isSeries ? undefined : KINDS.get(kind);
    const title = shortText(seedTitleOf(seed));
    const { covers, photos } = seed.record?.members ?? {};
    const book = {
      key: seed.key,
      href: seedAddressOf(seed),
      title,
      lang: textLanguageOf(title, languageCodesOf(seed.record?.members ?? {})),
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
          isSeries && (seed.position ?? "") !== "" && t("list.position", { position: seed.position }),
          words !== undefined && t(words),
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

function dateOf({ record }: ListSeed): string | undefined {
  return textOf(record?.members["first_publish_date"]) ?? textOf(record?.members["publish_date"]);
}

function seedAddressOf(seed: ListSeed): string {
  return seedKindOf(seed) === "subject" ? nameAddressOf(subjectPathOf(seed.key)) : addressOf(seed.key);
}

function pages({ list, number, size, address }: SeedsPage): Markup | undefined {
  const pageAddress = (at: number): string => `${address}?page=${at}`;
  return pageLinks(
    number > 1 ? pageAddress(number - 1) : undefined,
    number * size < list.seedCount ? pageAddress(number + 1) : undefined,
    PAGE_TURNS,
  );
}

function actions({ key, type }: ListHead): Markup {
  const address = addressOf(key);
  const exports = ["html", "bibtex", "json", "yaml"].map((format) =>
    link(`${address}/export?format=${format}`, format),
  );
  return markup`<h2>${t("list.more_heading")}</h2>
<ul class="plain actions">
<li>${link(`${address}/edit`, t("record.edit"))}</li>
<li>${link(`${address}?m=history`, t("record.history_link"))}</li>
<li>${t("list.export", { formats: commas(exports) })}</li>
<li>${link(`${address}/feeds/updates.atom`, t(type === "/type/list" ? "list.feed" : "list.feed_works"))}</li>
<li>${link(`${address}/embed`, t("list.embed"))}</li>
</ul>`;
}

const EMBED_SEEDS = 10;
const EMBED_AUTHORS = 10;

export const embedList = listOperations({
  ids: { people: "embedPeopleList", lists: "embedList", series: "embedSeries" },
  summary: "Get a list as a page to embed",
  path: LIST_PATH,
  query: { page: listPageText() },
  responses: {
    200: { description: "HTML page with ten members", contentType: "text/html" },
  },
  async handle({ key }, { query }, context) {
    const number = listPageNumber(query.page);
    const database = catalogReader(context);
    const window = { start: (number - 1) * EMBED_SEEDS, count: EMBED_SEEDS };
    const members = await readListSeeds(database, key, window);
    if (members === undefined) throw listNotFound();
    const { list, seeds } = members;
    const authors = await readNames(database, seeds.flatMap(authorKeysOf));
    // Links leave the frame.
    const items = seeds.map((seed) => {
      const names = authorKeysOf(seed).flatMap((author) => authors.get(author) ?? []);
      const by =
        names.length > 0 &&
        markup` ${t("book.by", { authors: commas(showFirst(names, EMBED_AUTHORS, shortText)) })}`;
      return markup`<li><a href="${seedAddressOf(seed)}" target="_top"><bdi>${shortText(seedTitleOf(seed))}</bdi></a>${by}</li>`;
    });
    const title = shortText(listTitle(list));
    const address = `${addressOf(key)}/embed?page=`;
    const isMore = number * EMBED_SEEDS < list.seedCount;
    const links =
      (number > 1 || isMore) &&
      markup`<nav aria-label="${t("pager.pages")}">${number > 1 && markup`<a rel="prev" href="${address}${number - 1}">${PAGE_TURNS.newer}</a>`}
${isMore && markup`<a rel="next" href="${address}${number + 1}">${PAGE_TURNS.older}</a>`}</nav>`;
    return smallPage({
      title,
      body: markup`<h1><a href="${addressOf(listUrlOf(key, listNameOf(list)))}" target="_top">${title}</a></h1>
<ol start="${window.start + 1}">
${items}
</ol>
${links}`,
    });
  },
});
