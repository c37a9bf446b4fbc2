import { type CatalogRecord, keyOf, textOf } from "../../catalog/record.ts";
import { type Book, type BookRecords, toBook, shortenBook } from "../../export/book.ts";
import { SCHEMA_CONTEXT, FORMATS, FORMAT_NAMES } from "../../export/formats.ts";
import { alternatesOf, citationMetasOf, formatContextObject, openGraphMetasOf } from "../../export/heads.ts";
import { CITATION_LANGUAGES } from "../../export/reference-words.ts";
import { CITATION_LABELS, CITATION_STYLES, formatReferences } from "../../export/references.ts";
import { toSchemaAuthor, toSchemaBook } from "../../export/schema-org.ts";
import { type RequestContext, lookupConfig, baseUrl } from "../http/operation.ts";
import { feedLinks, preview } from "../ui/collection-head.ts";
import { addressOf, dataBlock, markup, Markup, forReader } from "../ui/markup.ts";
import { commas, link } from "../ui/parts.ts";
import { t } from "../ui/words.ts";

/** Name by which programs find the unAPI server. */
const UNAPI = "unAPI";

/**
 * Renders the metadata of a work's or edition's page: `head` for search engines and link previews, `span` for reference
 * managers, `box` with citations and sharing for people.
 */
export function bookData(records: BookRecords, address: string, context: RequestContext) {
  const book = shortenBook(toBook(records, lookupConfig(context)));
  const metas = [
    ...citationMetasOf(book).map(([name, content]) => markup`<meta name="${name}" content="${content}">`),
    forReader(({ site }) =>
      openGraphMetasOf(book, site.name).map(
        ([property, content]) => markup`<meta property="${property}" content="${content}">`,
      ),
    ),
  ];
  const head = markup`${alternateLinks(book.url, address, context)}
<link rel="unapi-server" type="application/xml" title="${UNAPI}" href="/unapi">
${metas}
${dataBlock("application/ld+json", { ...SCHEMA_CONTEXT, ...toSchemaBook(book) })}`;
  const span = markup`<span class="Z3988" title="${formatContextObject(book)}"></span>
<abbr class="unapi-id" title="${book.url}"></abbr>`;
  return { head, span, box: citeBox(book) };
}

export function authorHead(record: CatalogRecord, address: string, context: RequestContext): Markup {
  const schema = toSchemaAuthor(record, lookupConfig(context));
  const { name, description, image } = schema;
  return markup`${alternateLinks(String(schema["@id"]), address, context)}${feedLinks(addressOf(keyOf(record) ?? ""))}
${preview([
  ["type", "profile"],
  ["title", textOf(name)],
  ["url", baseUrl(context) + address],
  ["description", textOf(description)],
  ["image", textOf(image)],
])}
${dataBlock("application/ld+json", { ...SCHEMA_CONTEXT, ...schema })}`;
}

function alternateLinks(url: string, address: string, context: RequestContext): Markup {
  return markup`
<link rel="canonical" href="${baseUrl(context) + address}">
${alternatesOf(url).map(
  ({ href, type, title }) => markup`<link rel="alternate" type="${type}" href="${href}" title="${title}">`,
)}`;
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

/** Wraps the HTML of a reference, in which texts of records are escaped already. */
function rawHtml(html: string): Markup {
  return new Markup((out) => {
    out[0] += html;
  });
}
