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
import { cover, firstPicture } from "../ui/cover.ts";
import { factList } from "../ui/facts.ts";
import { type Markup, type Piece, markup } from "../ui/markup.ts";
import { type Records, nameOf, recordLink, referenceLink, referenceLinks } from "../ui/names.ts";
import { type Part, partLinks, partText } from "../ui/pager.ts";
import { commas, dots, firstOf, link } from "../ui/parts.ts";
import { bullets, prose, section } from "../ui/values.ts";
import { say } from "../ui/words.ts";
import {
  ROW_VALUES_MAX,
  bookLayout,
  description,
  firstSentence,
  ownActions,
  readerCounts,
  rowText,
  waysList,
  webLinks,
} from "./book-parts.ts";
import { type OwnLoans, readingLinks } from "./reading-links.ts";
import { identifierList, publisherLinks, subjectLists } from "./record-lists.ts";
import { type RecordView, partPlace } from "./record-page.ts";

/** Width of the covers of editions, in CSS pixels. */
const EDITION_WIDTH = 48;

interface WorkContent {
  view: RecordView;
  related: Records;
  editions: readonly CatalogRecord[];
  part: Part;
  counts: WorkCounts;
  states: LendingStates;
  own: OwnLoans;
  archiveUrl: string;
  box: Piece;
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
    main: markup`${readerCounts(counts)}
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

/** Returns the first cover of a work, or else of its editions. */
function workCover(record: CatalogRecord, editions: readonly CatalogRecord[]): number | undefined {
  return [record, ...editions].map(({ covers }) => firstPicture(covers)).find((id) => id !== undefined);
}

/** Renders the ways to read the first readable edition. */
function firstWays(content: WorkContent): Markup | undefined {
  for (const edition of content.editions) {
    const ways = readingLinks(edition, { ...content, here: content.view.here });
    if (ways.length > 0) return waysList(ways);
  }
  return undefined;
}

function seriesOf({ series }: CatalogRecord, related: Records): Markup | undefined {
  return commas(
    objectsOf(series).flatMap((entry) => {
      const name = referenceLink(entry["series"], related);
      const position = textOf(entry["position"]) ?? "";
      return name === undefined ? [] : [markup`${name}${position !== "" && ` (${position})`}`];
    }),
  );
}

function excerpts(record: CatalogRecord): Piece[] {
  return objectsOf(record["excerpts"]).flatMap((entry) => {
    const text = prose(textOf(entry["excerpt"]));
    const comment = textOf(entry["comment"]) ?? "";
    return text === undefined
      ? []
      : [markup`<blockquote>${text}</blockquote>${comment !== "" && markup`<p class="hint">${comment}</p>`}`];
  });
}

function editionList(content: WorkContent): Markup {
  const { view, editions, part } = content;
  const heading = markup`<h2 id="editions">${partText(part, "book.editions")}</h2>`;
  const add = link(`/books/add?${new URLSearchParams({ work: view.row.key })}`, say("book.add_edition"));
  const pages = partLinks(part, { ...partPlace(view), anchor: "editions" });
  if (editions.length === 0) {
    const nothing = say(part.total === 0 ? "book.no_editions" : "book.no_editions_here");
    return markup`${heading}<p>${nothing} ${add}</p>${pages}`;
  }
  return markup`${heading}
<ul class="eds">${editions.map((edition) => editionRow(edition, content))}</ul>
${pages}
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
  const languages = firstOf(rowLanguages(edition), ROW_VALUES_MAX, (language) =>
    referenceLink(language, related),
  );
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

function rowLanguages({ languages }: CatalogRecord): readonly Json[] {
  return elementsOf(languages).filter((language) => keyOf(language) !== undefined);
}
