import { type CatalogRecord, authorsOf, objectsOf, stringsOf, textOf } from "../../catalog/record.ts";
import type { WorkCounts } from "../../search/documents/types.ts";
import type { LendingStates } from "../../search/present/availability.ts";
import { firstPicture, picture } from "../ui/cover.ts";
import { type Markup, type Piece, markup } from "../ui/markup.ts";
import { type Records, nameOf, recordLink, referenceLinks } from "../ui/names.ts";
import { commas, definitions, table } from "../ui/parts.ts";
import { bullets, prose, section } from "../ui/values.ts";
import { readersOf } from "./own-book.ts";
import { type OwnLoans, readingLinks } from "./reading-links.ts";
import { identifierList, publisherLinks, subjectLists } from "./record-lists.ts";
import type { RecordView } from "./record-page.ts";
import { authorLine, webLinks } from "./work-page.ts";

/** What the page of an edition shows besides its record. */
interface EditionContent {
  readonly view: RecordView;
  /** Undefined for an edition without a work, and where it is gone. */
  readonly work:
    | { readonly key: string; readonly record: CatalogRecord; readonly counts: WorkCounts }
    | undefined;
  readonly related: Records;
  readonly states: LendingStates;
  readonly own: OwnLoans;
  readonly archiveUrl: string;
}

/** The body of the page of an edition. */
export function editionBody(content: EditionContent): Markup {
  const { view, work, related } = content;
  const { record, here } = view;
  const title = nameOf(record);
  const ways = readingLinks(record, { ...content, here });
  return markup`${authorLine(allAuthors(record, work?.record, related))}
${work !== undefined && markup`<p>An edition of ${recordLink(work.record)}</p>`}
${picture({ of: "b", id: firstPicture(record["covers"]), size: "M", alt: `Cover of ${title}` })}
${section("Read it", bullets(ways))}
${prose(textOf(record["description"]))}
${definitions(facts(record, related))}
${work !== undefined && readersOf(work, view)}
${section("Contents", contents(record))}
${subjectLists(record)}
${identifierList(record)}
${section("Links", bullets(webLinks(record)))}`;
}

/** Authors of the work first, then those that only the edition names. */
function allAuthors(
  edition: CatalogRecord,
  work: CatalogRecord | undefined,
  related: Records,
): CatalogRecord[] {
  const all = [...authorsOf(work?.["authors"], related), ...authorsOf(edition["authors"], related)];
  return [...new Map(all.map((author) => [author["key"], author])).values()];
}

function facts(record: CatalogRecord, related: Records): [string, Piece][] {
  const text = (member: string): string | undefined => textOf(record[member]);
  const texts = (member: string): Piece => commas(stringsOf(record[member]));
  const pages = record["number_of_pages"];
  return [
    ["Subtitle", text("subtitle")],
    ["By statement", text("by_statement")],
    ["Edition", text("edition_name")],
    ["Published", text("publish_date")],
    ["Publishers", publisherLinks(record)],
    ["Places", texts("publish_places")],
    ["Languages", commas(referenceLinks(record["languages"], related))],
    ["Translation of", text("translation_of")],
    ["Translated from", commas(referenceLinks(record["translated_from"], related))],
    ["Contributors", commas([...contributors(record), ...stringsOf(record["contributions"])])],
    ["Series", texts("series")],
    ["Other titles", texts("other_titles")],
    ["Format", text("physical_format")],
    ["Pages", typeof pages === "number" ? String(pages) : (text("number_of_pages") ?? text("pagination"))],
    ["Dimensions", text("physical_dimensions")],
    ["Weight", text("weight")],
    ["Copyright", text("copyright_date")],
    ["Genres", texts("genres")],
    ["First sentence", prose(text("first_sentence"))],
    ["Notes", prose(text("notes"))],
  ];
}

function contributors(record: CatalogRecord): string[] {
  return objectsOf(record["contributors"]).flatMap((one) => {
    const name = textOf(one["name"]) ?? "";
    const role = textOf(one["role"]) ?? "";
    return name === "" ? [] : [role === "" ? name : `${name} (${role})`];
  });
}

function contents(record: CatalogRecord): Markup | undefined {
  const rows = record["table_of_contents"];
  if (!Array.isArray(rows) || rows.length === 0) return undefined;
  return table({
    caption: "Table of contents",
    columns: ["Chapter", "Title", "Page"],
    plain: true,
    rows: objectsOf(rows).map((row) => [textOf(row["label"]), textOf(row["title"]), textOf(row["pagenum"])]),
  });
}
