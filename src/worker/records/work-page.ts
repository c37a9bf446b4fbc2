import {
  type CatalogRecord,
  type Json,
  authorsOf,
  objectsOf,
  elementsOf,
  keyOf,
  stringsOf,
  textOf,
} from "../../catalog/record.ts";
import type { WorkCounts } from "../../search/documents/types.ts";
import type { LendingStates } from "../../search/present/availability.ts";
import { firstPicture, picture } from "../ui/cover.ts";
import { type Markup, type Piece, markup, shortText } from "../ui/markup.ts";
import { type Records, nameOf, recordLink, referenceLink, referenceLinks } from "../ui/names.ts";
import { type Part, partLinks, partText } from "../ui/paging.ts";
import { commas, definitions, firstOf, link, table } from "../ui/parts.ts";
import { bullets, prose, section, webLink } from "../ui/values.ts";
import { readersOf } from "./own-book.ts";
import { type OwnLoans, readingLinks } from "./reading-links.ts";
import { identifierList, publisherLinks, subjectLists } from "./record-lists.ts";
import { type RecordView, partPlace } from "./record-page.ts";

/** Publishers, languages and ways to read in the row of an edition: it may have any number of them. */
export const ROW_VALUES_MAX = 10;

/** What the page of a work shows besides its record. */
interface WorkContent {
  readonly view: RecordView;
  readonly related: Records;
  readonly editions: readonly CatalogRecord[];
  readonly part: Part;
  readonly counts: WorkCounts;
  readonly states: LendingStates;
  readonly own: OwnLoans;
  readonly archiveUrl: string;
}

/** The body of the page of a work. */
export function workBody(content: WorkContent): Markup {
  const { view, related, counts, editions } = content;
  const { record, row } = view;
  const title = nameOf(record);
  const authors = authorsOf(record["authors"], related);
  const cover =
    firstPicture(record["covers"]) ??
    editions.map(({ covers }) => firstPicture(covers)).find((id) => id !== undefined);
  return markup`${authorLine(authors)}
${picture({ of: "b", id: cover, size: "M", alt: `Cover of ${title}` })}
${prose(textOf(record["subtitle"]))}${prose(textOf(record["description"]))}
${definitions([
  ["First published", textOf(record["first_publish_date"])],
  ["Original languages", commas(referenceLinks(record["original_languages"], related))],
  ["Other titles", commas(stringsOf(record["other_titles"]))],
  ["First sentence", prose(textOf(record["first_sentence"]))],
  ["Series", seriesOf(record, related)],
  ["Notes", prose(textOf(record["notes"]))],
])}
${editionTable(content)}
${readersOf({ key: row.key, counts }, view)}
${subjectLists(record)}
${section("Excerpts", bullets(excerpts(record)))}
${identifierList(record)}
${section("Links", bullets(webLinks(record)))}`;
}

/** Who wrote something, each name leading to its author. */
export function authorLine(authors: readonly CatalogRecord[]): Markup | undefined {
  return authors.length === 0 ? undefined : markup`<p>By ${commas(authors.map(recordLink))}</p>`;
}

/** Links of a record to other sites. */
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

function editionTable(content: WorkContent): Markup {
  const { view, related, editions, part } = content;
  const heading = markup`<h2 id="editions">Editions</h2>`;
  const add = link(`/books/add?${new URLSearchParams({ work: view.row.key })}`, "Add an edition");
  const turns = partLinks(part, { ...partPlace(view), anchor: "editions" });
  if (editions.length === 0) {
    const nothing = part.total === 0 ? "There are no editions." : "There are no editions on this page.";
    return markup`${heading}<p>${nothing} ${add}</p>${turns}`;
  }
  return markup`${heading}
${table({
  caption: partText(part, ["edition", "editions"]),
  columns: ["Title", "Published", "Language", "Format", "Read"],
  rows: editions.map((edition) => [
    markup`${picture({ of: "b", id: firstPicture(edition["covers"]), size: "S", alt: "" })} ${recordLink(edition)}`,
    published(edition),
    commas(firstOf(rowLanguages(edition), ROW_VALUES_MAX, (one) => referenceLink(one, related))),
    rowText(edition["physical_format"]),
    firstOf(readingLinks(edition, { ...content, here: view.here }), ROW_VALUES_MAX, (way) => way).map(
      (way) => markup`<div>${way}</div>`,
    ),
  ]),
})}
${turns}
<p>${add}</p>`;
}

function published(edition: CatalogRecord): Piece {
  const date = rowText(edition["publish_date"]);
  const publishers = publisherLinks(edition, ROW_VALUES_MAX);
  if (publishers === undefined) return date;
  return markup`${date}${date !== undefined && ", "}${publishers}`;
}

/** The short text of a member in a row. */
export function rowText(value: Json | undefined): string | undefined {
  const text = textOf(value);
  return text === undefined ? undefined : shortText(text);
}

/** References to the languages of an edition. */
function rowLanguages({ languages }: CatalogRecord): readonly Json[] {
  return elementsOf(languages).filter((one) => keyOf(one) !== undefined);
}
