import { type CatalogRecord, keyOf, textOf } from "../../catalog/record.ts";
import { agentsInRole } from "../../export/agents.ts";
import { type Book, type BookRecords, fullTitleOf, isbnOf, toBook, shortenBook } from "../../export/book.ts";
import { FORMATS, FORMAT_NAMES } from "../../export/formats.ts";
import { alternatesOf, citationMetasOf, formatContextObject, openGraphBookOf } from "../../export/heads.ts";
import { CITATION_LANGUAGES } from "../../export/reference-words.ts";
import { CITATION_LABELS, CITATION_STYLES, formatReferences } from "../../export/references.ts";
import { toSchemaAuthor, toSchemaBook } from "../../export/schema-org.ts";
import { type RequestContext, lookupConfig } from "../http/operation.ts";
import { type Markup, type Piece, addressOf, forReader, markup, rawHtml } from "../ui/markup.ts";
import { type Metadata, feedsOf, firstNames } from "../ui/metadata.ts";
import { nameOf } from "../ui/names.ts";
import { commas, dots, link } from "../ui/parts.ts";
import { richStart } from "../ui/rich-text.ts";
import { t } from "../ui/words.ts";

/** Name by which programs find the unAPI server. */
const UNAPI = "unAPI";

/**
 * Renders the metadata of a work's or edition's page: `head` for search engines and link previews, `span` for reference
 * managers, `box` with citations and sharing for people.
 */
export function bookData(records: BookRecords, address: string, context: RequestContext) {
  const book = shortenBook(toBook(records, lookupConfig(context)));
  const head = markup`
<link rel="unapi-server" type="application/xml" title="${UNAPI}" href="/unapi">
${citationMetasOf(book).map(([name, content]) => markup`<meta name="${name}" content="${content}">`)}`;
  const metadata: Metadata = {
    address,
    title: fullTitleOf(book),
    description: richStart(book.description) ?? bookFacts(book),
    image: book.coverUrl,
    type: "book",
    properties: openGraphBookOf(book),
    alternates: alternatesOf(book.url),
    data: () => toSchemaBook(book),
  };
  const span = markup`<span class="Z3988" title="${formatContextObject(book)}"></span>
<abbr class="unapi-id" title="${book.url}"></abbr>`;
  return { metadata, head, span, box: citeBox(book) };
}

/** Describes a book without a description. */
function bookFacts(book: Book): Piece {
  const { editions, publishers, date } = book;
  const authors = agentsInRole(book, "author").map(({ name }) => name);
  return dots([
    authors.length > 0 && t("book.by", { authors: commas(authors) }),
    date,
    publishers[0],
    editions.length > 0 && t("book.editions", { count: editions.length }),
    isbnOf(book),
  ]);
}

interface AuthorContent {
  readonly record: CatalogRecord;
  readonly address: string;
  readonly works: readonly CatalogRecord[];
  /** Number of all works. */
  readonly total: number;
}

/** Returns the metadata of an author's page; the first works describe authors without a biography. */
export function authorMetadata(
  { record, address, works, total }: AuthorContent,
  context: RequestContext,
): Metadata {
  const schema = toSchemaAuthor(record, lookupConfig(context));
  const life = [record["birth_date"], record["death_date"]].flatMap((date) => textOf(date) || []);
  const counts = dots([nameOf(record), life.join(" – "), t("author.works", { count: total })]);
  return {
    address,
    description: richStart(textOf(record["bio"])) ?? firstNames(counts, works.map(nameOf)),
    image: textOf(schema["image"]),
    type: "profile",
    alternates: [...alternatesOf(String(schema["@id"])), ...feedsOf(addressOf(keyOf(record) ?? ""))],
    data: () => schema,
  };
}

function citeBox(book: Book): Markup {
  const { url, site, title } = book;
  const path = url.slice(site.length);
  const files = FORMAT_NAMES.map((name) => link(`${path}.${name}`, FORMATS[name].label));
  const mail = `mailto:?${new URLSearchParams({ subject: title, body: url })}`.replaceAll("+", "%20");
  return markup`<details class="more"><summary>${t("book.cite")}</summary>
${references(book)}
<p class="small">${t("book.cite_files", { forms: commas(files) })}</p></details>
<details class="more"><summary>${t("book.share")}</summary>
<p><label for="permanent" class="small">${t("book.share_address")}</label><input id="permanent" value="${url}" readonly></p>
<p class="small">${link(mail, t("book.share_mail"))}</p></details>`;
}

/** Renders references in the language of the reader, or in English if that language is not supported. */
function references(book: Book): Markup {
  return forReader(({ language: preferred }) => {
    const language = CITATION_LANGUAGES.find((code) => code === preferred) ?? "en";
    const citations = formatReferences(book, language);
    return markup`<dl class="small"${language !== preferred && markup` lang="${language}" dir="auto"`}>${CITATION_STYLES.map(
      (style) => markup`<dt>${CITATION_LABELS[style]}</dt><dd>${rawHtml(citations[style].html)}</dd>`,
    )}</dl>`;
  });
}
