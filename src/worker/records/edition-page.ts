import { type CatalogRecord, authorsOf, keyOf, objectsOf, stringsOf, textOf } from "../../catalog/record.ts";
import type { WorkCounts } from "../../search/documents/types.ts";
import type { LendingStates } from "../../search/present/availability.ts";
import { firstPicture } from "../ui/cover.ts";
import { factList } from "../ui/facts.ts";
import { type Markup, type Piece, addressOf, markup } from "../ui/markup.ts";
import { type Records, nameOf, recordLink, referenceLinks } from "../ui/names.ts";
import { commas, dots, link } from "../ui/parts.ts";
import { table } from "../ui/table.ts";
import { bullets, prose, section } from "../ui/values.ts";
import { say } from "../ui/words.ts";
import {
  bookLayout,
  description,
  firstSentence,
  ownActions,
  readerCounts,
  waysList,
  webLinks,
} from "./book-parts.ts";
import { type OwnLoans, readingLinks } from "./reading-links.ts";
import { identifierList, publisherLinks, subjectLists } from "./record-lists.ts";
import type { RecordView } from "./record-page.ts";

interface EditionContent {
  view: RecordView;
  /** Undefined for an edition without a work, or if the work is deleted. */
  work: { key: string; record: CatalogRecord; counts: WorkCounts } | undefined;
  related: Records;
  states: LendingStates;
  own: OwnLoans;
  archiveUrl: string;
  box: Piece;
}

export function editionBody(content: EditionContent): Markup {
  const { view, work, related } = content;
  const { record, row, here, reader } = view;
  const title = nameOf(record);
  const ways = readingLinks(record, { ...content, here });
  return bookLayout({
    row,
    box: content.box,
    title,
    authors: allAuthors(record, work?.record, related),
    cover: firstPicture(record["covers"]) ?? firstPicture(work?.record["covers"]),
    subtitle: prose(textOf(record["subtitle"])),
    since: textOf(record["publish_date"]),
    actions: markup`${work !== undefined && ownActions(work.key, nameOf(work.record), reader)}
${ways.length > 0 && waysList(ways)}`,
    main: markup`${
      work !== undefined &&
      markup`<p>${dots([
        say("book.edition_of", { work: recordLink(work.record) }),
        link(`${addressOf(work.key)}#editions`, say("book.all_editions")),
      ])}</p>`
    }
${work !== undefined && readerCounts(work.counts)}
${description(record) ?? (work !== undefined && description(work.record))}${firstSentence(record)}
${section(say("book.contents"), contents(record))}
${subjectLists(record) ?? (work !== undefined && subjectLists(work.record))}
${section(say("book.links"), bullets(webLinks(record)))}`,
    aside: markup`${factList(facts(record, related))}${identifierList(record)}`,
  });
}

/** Returns the authors of the work first, then those that only the edition names. */
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
  const texts = (member: string): Piece => commas(stringsOf(record[member]));
  const pages = record["number_of_pages"];
  return [
    [say("book.by_statement"), text("by_statement")],
    [say("book.edition_name"), text("edition_name")],
    [say("book.published"), text("publish_date")],
    [say("nav.publishers"), publisherLinks(record)],
    [say("search.places"), texts("publish_places")],
    [say("nav.languages"), commas(referenceLinks(record["languages"], related))],
    [say("book.translation_of"), text("translation_of")],
    [say("book.translated_from"), commas(referenceLinks(record["translated_from"], related))],
    [say("book.contributors"), commas([...contributors(record), ...stringsOf(record["contributions"])])],
    [say("book.series_fact"), texts("series")],
    [say("book.other_titles"), texts("other_titles")],
    [say("book.format"), text("physical_format")],
    [
      say("book.pages"),
      typeof pages === "number" ? String(pages) : (text("number_of_pages") ?? text("pagination")),
    ],
    [say("book.dimensions"), text("physical_dimensions")],
    [say("book.weight"), text("weight")],
    [say("book.copyright"), text("copyright_date")],
    [say("book.genres"), texts("genres")],
    [say("book.notes"), prose(text("notes"))],
  ];
}

function contributors(record: CatalogRecord): string[] {
  return objectsOf(record["contributors"]).flatMap((contributor) => {
    const name = textOf(contributor["name"]) ?? "";
    const role = textOf(contributor["role"]) ?? "";
    return name === "" ? [] : [role === "" ? name : `${name} (${role})`];
  });
}

function contents(record: CatalogRecord): Markup | undefined {
  const rows = record["table_of_contents"];
  if (!Array.isArray(rows) || rows.length === 0) return undefined;
  return table({
    caption: say("book.contents"),
    columns: [say("book.chapter"), say("search.title_field"), say("book.page")],
    plain: true,
    rows: objectsOf(rows).map((row) => [textOf(row["label"]), textOf(row["title"]), textOf(row["pagenum"])]),
  });
}
