import { richText } from "../ui/rich-text.ts";
import {
  type CatalogRecord,
  authorsOf,
  objectsOf,
  elementsOf,
  keyOf,
  keysOf,
  stringsOf,
  textOf,
} from "../../catalog/record.ts";
import { lastSegmentOf } from "../../catalog/keys.ts";
import { languageCodesOf, textLanguageOf, workTitleCodesOf } from "../../catalog/title-language.ts";
import type { WorkCounts } from "../../search/documents/types.ts";
import { cover, firstPicture } from "../ui/cover.ts";
import { recordPagePath } from "../ui/form.ts";
import { factList } from "../ui/facts.ts";
import { type Markup, type Piece, addressOf, langAttribute, markup } from "../ui/markup.ts";
import { type Records, nameOf, recordLink, referenceLink, referenceLinks, titleMarkup } from "../ui/names.ts";
import { type Part, partLinks, partText } from "../ui/pager.ts";
import { commas, dots, showFirst, link } from "../ui/parts.ts";
import { table } from "../ui/table.ts";
import { bullets, section } from "../ui/values.ts";
import { t } from "../ui/words.ts";
import {
  ROW_VALUES_MAX,
  bookLayout,
  description,
  firstSentence,
  patronActions,
  readerCounts,
  rowText,
  waysList,
  webLinks,
  identifierList,
  publisherLinks,
} from "./book-parts.ts";
import { type ReadingInput, readingLinks } from "./reading-links.ts";
import { type RecordView, partPlace } from "./record-page.ts";
import { type SubjectCounts, subjectLists } from "./subject-lists.ts";

const EDITION_WIDTH = 48;

interface BookView extends ReadingInput {
  view: RecordView;
  related: Records;
  counts: WorkCounts;
  subjectCounts: SubjectCounts;
  box: Piece;
}

export function workBody(book: BookView, editions: readonly CatalogRecord[], part: Part): Markup {
  const { view, related } = book;
  const { record, row, reader } = view;
  const title = nameOf(record);
  // The language of all editions is that of the texts.
  const textCodes = part.total === editions.length ? editions.flatMap(languageCodesOf) : [];
  const shared = textLanguageOf(title, textCodes);
  const lang = shared ?? textLanguageOf(title, workTitleCodesOf(record, editions));
  return bookLayout({
    row,
    box: book.box,
    title,
    lang,
    authors: allAuthors(record, undefined, related),
    cover: [record, ...editions].map(({ covers }) => firstPicture(covers)).find((id) => id !== undefined),
    subtitle: textOf(record["subtitle"]),
    since: textOf(record["first_publish_date"]),
    actions: markup`${patronActions(row.key, title, reader)}${firstWays(book, editions)}`,
    main: markup`${readerCounts(book.counts)}
${description(record, textCodes)}${firstSentence(record, textCodes)}
${editionList(book, editions, part)}
${subjectLists(record, book.subjectCounts)}
${section(t("book.excerpts"), bullets(excerpts(record)))}
${section(t("book.links"), bullets(webLinks(record)))}`,
    aside: markup`${factList([
      [t("book.first"), textOf(record["first_publish_date"])],
      [t("book.original_languages"), commas(referenceLinks(record["original_languages"], related))],
      [t("book.other_titles"), commas(stringsOf(record["other_titles"]))],
      [t("book.series_fact"), seriesOf(record, related)],
      [t("book.notes"), richText(textOf(record["notes"]))],
    ])}${identifierList(record)}`,
  });
}

function firstWays(book: BookView, editions: readonly CatalogRecord[]): Markup | undefined {
  for (const edition of editions) {
    const ways = readingLinks(edition, book);
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
    const text = richText(textOf(entry["excerpt"]));
    const comment = textOf(entry["comment"]) ?? "";
    return text === undefined
      ? []
      : [markup`<blockquote>${text}</blockquote>${comment !== "" && markup`<p class="hint">${comment}</p>`}`];
  });
}

function editionList(book: BookView, editions: readonly CatalogRecord[], part: Part): Markup {
  const { view } = book;
  const heading = markup`<h2 id="editions">${partText(part, "book.editions")}</h2>`;
  const add = link(`/books/add?${new URLSearchParams({ work: view.row.key })}`, t("book.add_edition"));
  const pages = partLinks(part, { ...partPlace(view), anchor: "editions" });
  if (editions.length === 0) {
    const nothing = t(part.total === 0 ? "book.no_editions" : "book.no_editions_here");
    return markup`${heading}<p>${nothing} ${add}</p>${pages}`;
  }
  return markup`${heading}
<ul class="eds">${editions.map((edition) => editionRow(edition, book))}</ul>
${pages}
<p>${add}</p>`;
}

function editionRow(edition: CatalogRecord, book: BookView): Markup {
  const key = keyOf(edition) ?? "";
  const picture = cover({
    key,
    title: nameOf(edition),
    id: firstPicture(edition["covers"]),
    width: EDITION_WIDTH,
  });
  const languages = showFirst(
    elementsOf(edition["languages"]).filter((language) => keyOf(language) !== undefined),
    ROW_VALUES_MAX,
    (language) => referenceLink(language, book.related),
  );
  const ways = showFirst(readingLinks(edition, book), ROW_VALUES_MAX, (way) => way);
  return markup`<li>${picture}<div><p>${recordLink(edition)}</p>
<p class="soft small">${dots([publicationText(edition), commas(languages), rowText(edition["physical_format"])])}</p></div>
${ways.length > 0 && markup`<div class="act">${ways.map((way) => markup`<div>${way}</div>`)}</div>`}</li>`;
}

function publicationText(edition: CatalogRecord): Piece {
  const date = rowText(edition["publish_date"]);
  const publishers = publisherLinks(edition, ROW_VALUES_MAX);
  if (publishers === undefined) return date;
  return markup`${date}${date !== undefined && t("list.comma")}${publishers}`;
}

/** Renders an edition; `work` is undefined if it has none, or a deleted one. */
export function editionBody(
  book: BookView,
  work: { key: string; record: CatalogRecord } | undefined,
): Markup {
  const { view, related } = book;
  const { record, row, reader } = view;
  const title = nameOf(record);
  const ways = readingLinks(record, book);
  const codes = languageCodesOf(record);
  const lang = textLanguageOf(title, codes);
  return bookLayout({
    row,
    box: book.box,
    title,
    lang,
    authors: allAuthors(record, work?.record, related),
    cover: firstPicture(record["covers"]) ?? firstPicture(work?.record["covers"]),
    subtitle: textOf(record["subtitle"]),
    since: textOf(record["publish_date"]),
    actions: markup`${work !== undefined && patronActions(work.key, nameOf(work.record), reader)}
${ways.length > 0 && waysList(ways)}`,
    main: markup`${
      work !== undefined &&
      markup`<p>${dots([
        t("book.edition_of", {
          work: link(
            recordPagePath(work.key, work.record),
            titleMarkup(work.record, workTitleCodesOf(work.record, [record])),
          ),
        }),
        link(`${addressOf(work.key)}#editions`, t("book.all_editions")),
      ])}</p>`
    }
${work !== undefined && readerCounts(book.counts)}
${description(record, codes) ?? (work !== undefined && description(work.record, []))}${firstSentence(record, codes)}
${section(t("book.contents"), contents(record, codes))}
${subjectLists(record, book.subjectCounts) ?? (work !== undefined && subjectLists(work.record, book.subjectCounts))}
${section(t("book.links"), bullets(webLinks(record)))}`,
    aside: markup`${factList(facts(record, related))}${identifierList(record)}`,
  });
}

function allAuthors(
  edition: CatalogRecord,
  work: CatalogRecord | undefined,
  related: Records,
): CatalogRecord[] {
  const all = [...authorsOf(work?.["authors"], related), ...authorsOf(edition["authors"], related)];
  return [...new Map(all.map((author) => [keyOf(author), author])).values()];
}

function facts(record: CatalogRecord, related: Records): [Piece, Piece][] {
  const text = (member: string): string | undefined => textOf(record[member]);
  const transcribed = (member: string, from = record["languages"]): Piece => {
    const value = text(member) ?? "";
    const lang = langAttribute(textLanguageOf(value, keysOf(from).map(lastSegmentOf)));
    return value !== "" && markup`<span${lang} dir="auto">${value}</span>`;
  };
  const texts = (member: string): Piece => commas(stringsOf(record[member]));
  const pages = record["number_of_pages"];
  return [
    [t("book.by_statement"), transcribed("by_statement")],
    [t("book.edition_name"), transcribed("edition_name")],
    [t("book.published"), text("publish_date")],
    [t("nav.publishers"), publisherLinks(record)],
    [t("search.places"), texts("publish_places")],
    [t("nav.languages"), commas(referenceLinks(record["languages"], related))],
    [t("book.translation_of"), transcribed("translation_of", record["translated_from"])],
    [t("book.translated_from"), commas(referenceLinks(record["translated_from"], related))],
    [t("book.contributors"), commas([...contributors(record), ...stringsOf(record["contributions"])])],
    [t("book.series_fact"), texts("series")],
    [t("book.other_titles"), texts("other_titles")],
    [t("book.format"), text("physical_format")],
    [
      t("book.pages"),
      typeof pages === "number" ? String(pages) : (text("number_of_pages") ?? text("pagination")),
    ],
    [t("book.dimensions"), text("physical_dimensions")],
    [t("book.weight"), text("weight")],
    [t("book.copyright"), text("copyright_date")],
    [t("book.genres"), texts("genres")],
    [t("book.notes"), richText(text("notes"))],
  ];
}

function contributors(record: CatalogRecord): string[] {
  return objectsOf(record["contributors"]).flatMap((contributor) => {
    const name = textOf(contributor["name"]) ?? "";
    const role = textOf(contributor["role"]) ?? "";
    return name === "" ? [] : [role === "" ? name : `${name} (${role})`];
  });
}

function contents(record: CatalogRecord, codes: readonly string[]): Markup | undefined {
  const rows = record["table_of_contents"];
  if (!Array.isArray(rows) || rows.length === 0) return undefined;
  return table({
    caption: t("book.contents"),
    columns: [t("book.chapter"), t("search.title_field"), t("book.page")],
    plain: true,
    rows: objectsOf(rows).map((row) => {
      const title = textOf(row["title"]) ?? "";
      const lang = langAttribute(textLanguageOf(title, codes));
      return [textOf(row["label"]), markup`<span${lang} dir="auto">${title}</span>`, textOf(row["pagenum"])];
    }),
  });
}
