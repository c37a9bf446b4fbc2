import { type CatalogRecord, textOf } from "../../catalog/record.ts";
import { type Book, type BookRecords, bookOf, shortBook } from "../../export/book.ts";
import { SCHEMA_CONTEXT } from "../../export/formats.ts";
import { alternates, citationMetas, contextObject, openGraph } from "../../export/heads.ts";
import { schemaAuthor, schemaBook } from "../../export/schema-org.ts";
import { lookupConfig } from "../holdings/bundles.ts";
import { type RequestContext, baseUrl } from "../http/operation.ts";
import { NAME } from "../http/settings.ts";
import { citeBox } from "./cite-box.ts";
import { preview } from "../ui/collection-head.ts";
import { type Markup, dataBlock, markup } from "../ui/markup.ts";

/** Name by which programs find the unAPI server. */
const UNAPI = "unAPI";

/** Metadata in the page of a book. */
interface BookData {
  readonly head: Markup;
  /** Invisible element for reference managers. */
  readonly span: Markup;
  /** Citation and sharing box for people. */
  readonly box: Markup;
}

/** Writes the metadata of a work's or edition's page for search engines, link previews and reference managers. */
export function bookData(records: BookRecords, address: string, context: RequestContext): BookData {
  const book: Book = shortBook(bookOf(records, lookupConfig(context)));
  const metas = [
    ...citationMetas(book).map(([name, content]) => markup`<meta name="${name}" content="${content}">`),
    ...openGraph(book, NAME).map(
      ([property, content]) => markup`<meta property="${property}" content="${content}">`,
    ),
  ];
  const head = markup`${links(book.url, address, context)}
<link rel="unapi-server" type="application/xml" title="${UNAPI}" href="/unapi">
${metas}
${dataBlock("application/ld+json", { ...SCHEMA_CONTEXT, ...schemaBook(book) })}`;
  const span = markup`<span class="Z3988" title="${contextObject(book)}"></span>
<abbr class="unapi-id" title="${book.url}"></abbr>`;
  return { head, span, box: citeBox(book) };
}

export function authorHead(record: CatalogRecord, address: string, context: RequestContext): Markup {
  const described = schemaAuthor(record, lookupConfig(context));
  const { name, description, image } = described;
  return markup`${links(String(described["@id"]), address, context)}
${preview([
  ["type", "profile"],
  ["title", textOf(name)],
  ["url", baseUrl(context) + address],
  ["description", textOf(description)],
  ["image", textOf(image)],
])}
${dataBlock("application/ld+json", { ...SCHEMA_CONTEXT, ...described })}`;
}

/** Renders links to the page's address, and to the record's other forms. */
function links(url: string, address: string, context: RequestContext): Markup {
  return markup`
<link rel="canonical" href="${baseUrl(context) + address}">
${alternates(url).map(
  ({ href, type, title }) => markup`<link rel="alternate" type="${type}" href="${href}" title="${title}">`,
)}`;
}
