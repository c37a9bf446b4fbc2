import {
  type CatalogRecord,
  type Json,
  authorsOf,
  elementsOf,
  keyOf,
  objectsOf,
  stringsOf,
  textOf,
} from "../../catalog/record.ts";
import type { WorkCounts } from "../../search/documents/types.ts";
import type { LendingStates } from "../../search/present/availability.ts";
import { cover, firstPicture } from "../ui/cover.ts";
import { factList } from "../ui/facts.ts";
import { type Markup, type Piece, markup, shortText } from "../ui/markup.ts";
import { type Records, nameOf, recordLink, referenceLink, referenceLinks } from "../ui/names.ts";
import { type Part, partLinks, partText } from "../ui/pager.ts";
import { commas, dots, firstOf, link } from "../ui/parts.ts";
import { bullets, prose, section, webLink } from "../ui/values.ts";
import { say } from "../ui/words.ts";
import { bookLayout } from "./book-layout.ts";
import { ownActions, readersOf } from "./own-book.ts";
import { type OwnLoans, readingLinks } from "./reading-links.ts";
import { identifierList, publisherLinks, subjectLists } from "./record-lists.ts";
import { type RecordView, partPlace } from "./record-page.ts";

/** Publishers, languages and ways to read in the row of an edition, which may have any number of them. */
export const ROW_VALUES_MAX = 10;
/** Width of the covers of editions, in CSS pixels. */
const EDITION_WIDTH = 48;

interface WorkContent {
  readonly view: RecordView;
  readonly related: Records;
  readonly editions: readonly CatalogRecord[];
  readonly part: Part;
  readonly counts: WorkCounts;
  readonly states: LendingStates;
  readonly own: OwnLoans;
  readonly archiveUrl: string;
  readonly box: Piece;
}

export function workBody(content: WorkContent): Markup {
  const { view, related, counts, editions } = content;
  const { record, row, reader } = view;
  const title = nameOf(record);
  return bookLayout({
    row,
    box: content.box,
    title,
    authors: authorsOf(record["authors"], related),
    cover: workCover(record, editions),
    subtitle: prose(textOf(record["subtitle"])),
    since: textOf(record["first_publish_date"]),
    actions: markup`${ownActions(row.key, title, reader)}${firstWays(content)}`,
    main: markup`${readersOf(counts)}
${description(record)}${firstSentence(record)}
${editionList(content)}
${subjectLists(record)}
${section(say("book.excerpts"), bullets(excerpts(record)))}
${section(say("book.links"), bullets(webLinks(record)))}`,
    aside: markup`${factList([
      [say("book.first"), textOf(record["first_publish_date"])],
      [say("book.original_languages"), commas(referenceLinks(record["original_languages"], related))],
      [say("book.other_titles"), commas(stringsOf(record["other_titles"]))],
      [say("book.series_fact"), seriesOf(record, related)],
      [say("book.notes"), prose(textOf(record["notes"]))],
    ])}${identifierList(record)}`,
  });
}

/** Returns the cover of a work: its own, or the first of its editions. */
function workCover(record: CatalogRecord, editions: readonly CatalogRecord[]): number | undefined {
  const own = firstPicture(record["covers"]);
  return own ?? editions.map(({ covers }) => firstPicture(covers)).find((id) => id !== undefined);
}

export function description(record: CatalogRecord): Markup | undefined {
  const text = prose(textOf(record["description"]));
  return text === undefined ? undefined : markup`<div class="text">${text}</div>`;
}

export function firstSentence(record: CatalogRecord): Markup | undefined {
  const text = prose(textOf(record["first_sentence"]));
  return text === undefined ? undefined : markup`<blockquote>${text}</blockquote>`;
}

/** Renders the ways to read the first readable edition. */
function firstWays(content: WorkContent): Markup | undefined {
  for (const edition of content.editions) {
    const ways = readingLinks(edition, { ...content, here: content.view.here });
    if (ways.length > 0) return waysList(ways);
  }
  return undefined;
}

/** Renders ways to read, below each other. */
export function waysList(ways: readonly Piece[]): Markup {
  return markup`<div class="ways">${ways.slice(0, ROW_VALUES_MAX).map((way) => markup`<div>${way}</div>`)}</div>`;
}

/** Renders the links of a record to other sites. */
export function webLinks({ links }: CatalogRecord): Piece[] {
  return objectsOf(links).flatMap((one) => {
    const url = textOf(one["url"]) ?? "";
    const title = textOf(one["title"]) ?? "";
    return url === "" ? [] : [webLink(url, title === "" ? url : title)];
  });
}

function seriesOf({ series }: CatalogRecord, related: Records): Markup | undefined {
  return commas(
    objectsOf(series).flatMap((one) => {
      const name = referenceLink(one["series"], related);
      const position = textOf(one["position"]) ?? "";
      return name === undefined ? [] : [markup`${name}${position !== "" && ` (${position})`}`];
    }),
  );
}

function excerpts(record: CatalogRecord): Piece[] {
  return objectsOf(record["excerpts"]).flatMap((one) => {
    const text = prose(textOf(one["excerpt"]));
    const comment = textOf(one["comment"]) ?? "";
    return text === undefined
      ? []
      : [markup`<blockquote>${text}</blockquote>${comment !== "" && markup`<p class="hint">${comment}</p>`}`];
  });
}

function editionList(content: WorkContent): Markup {
  const { view, editions, part } = content;
  const heading = markup`<h2 id="editions">${partText(part, "book.editions")}</h2>`;
  const add = link(`/books/add?${new URLSearchParams({ work: view.row.key })}`, say("book.add_edition"));
  const turns = partLinks(part, { ...partPlace(view), anchor: "editions" });
  if (editions.length === 0) {
    const nothing = say(part.total === 0 ? "book.no_editions" : "book.no_editions_here");
    return markup`${heading}<p>${nothing} ${add}</p>${turns}`;
  }
  return markup`${heading}
<ul class="eds">${editions.map((edition) => editionRow(edition, content))}</ul>
${turns}
<p>${add}</p>`;
}

function editionRow(edition: CatalogRecord, content: WorkContent): Markup {
  const { related, view } = content;
  const key = keyOf(edition) ?? "";
  const picture = cover({
    key,
    title: nameOf(edition),
    id: firstPicture(edition["covers"]),
    width: EDITION_WIDTH,
  });
  const languages = firstOf(rowLanguages(edition), ROW_VALUES_MAX, (one) => referenceLink(one, related));
  const ways = firstOf(readingLinks(edition, { ...content, here: view.here }), ROW_VALUES_MAX, (way) => way);
  return markup`<li>${picture}<div><p>${recordLink(edition)}</p>
<p class="soft small">${dots([published(edition), commas(languages), rowText(edition["physical_format"])])}</p></div>
${ways.length > 0 && markup`<div class="act">${ways.map((way) => markup`<div>${way}</div>`)}</div>`}</li>`;
}

function published(edition: CatalogRecord): Piece {
  const date = rowText(edition["publish_date"]);
  const publishers = publisherLinks(edition, ROW_VALUES_MAX);
  if (publishers === undefined) return date;
  return markup`${date}${date !== undefined && say("list.comma")}${publishers}`;
}

/** Returns the shortened text of a member in a row. */
export function rowText(value: Json | undefined): string | undefined {
  const text = textOf(value);
  return text === undefined ? undefined : shortText(text);
}

/** Returns references to the languages of an edition. */
function rowLanguages({ languages }: CatalogRecord): readonly Json[] {
  return elementsOf(languages).filter((one) => keyOf(one) !== undefined);
}
