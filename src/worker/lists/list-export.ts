import * as z from "zod";
import { latestTextOf, parseDocument } from "../../catalog/document.ts";
import type { CatalogRecord } from "../../catalog/record.ts";
import { recordUrlOf } from "../../catalog/slug.ts";
import { renderYaml } from "../../catalog/yaml.ts";
import { type ExportedType, type ListExport, readListExport } from "../../db/lists/list-contents.ts";
import { readByIds } from "../../db/records/records.ts";
import { type FormatName, FORMATS, FORMAT_NAMES, FORMAT_TYPES } from "../../export/formats.ts";
import { writeBooks, readBooks } from "../formats/books.ts";
import { notFound } from "../http/errors.ts";
import { type RequestContext, baseUrl, catalogReader } from "../http/operation.ts";
import { textStream } from "../http/bytes.ts";
import { PAGE_CSP } from "../ui/layout.ts";
import { markup } from "../ui/markup.ts";
import { nameOf } from "../ui/names.ts";
import { listTitle } from "./list-page.ts";
import { LISTS_CACHE_CONTROL, LIST_PATH, listNotFound, listOperations } from "./list-operations.ts";

export const EXPORT_PAGE_RECORDS = 200;

/** Export formats by name. Each is generated in pieces, so that only a page of records is in memory. */
const EXPORTS = new Map([
  ["html", { contentType: "text/html; charset=utf-8", pieces: htmlText }],
  ["bibtex", { contentType: "application/x-bibtex", pieces: booksText("bib") }],
  ["json", { contentType: "application/json", pieces: jsonText }],
  ["yaml", { contentType: "text/x-yaml; charset=utf-8", pieces: yamlText }],
  ...FORMAT_NAMES.map(
    (name) => [name, { contentType: FORMATS[name].contentType, pieces: booksText(name) }] as const,
  ),
]);

export const exportList = listOperations({
  ids: { people: "exportPeopleList", lists: "exportList", series: "exportSeries" },
  summary: "Records of a list or series to take away",
  path: LIST_PATH,
  query: {
    format: z
      .string()
      .default("html")
      .describe(["html", "bibtex", "json", "yaml", ...FORMAT_NAMES].join(", ")),
  },
  responses: {
    200: {
      description: "Editions, works and authors, last changed first",
      contentType: "text/html",
      also: ["application/json", "text/x-yaml", ...FORMAT_TYPES],
    },
    404: { description: "No such list or series, or no such format" },
  },
  async handle({ key }, { query }, context) {
    const format = EXPORTS.get(query.format);
    if (format === undefined) throw notFound();
    const exported = await readListExport(catalogReader(context), key);
    if (exported === undefined) throw listNotFound();
    return {
      status: 200,
      body: textStream(format.pieces({ exported, context }), format.contentType),
      contentType: format.contentType,
      cacheControl: LISTS_CACHE_CONTROL,
      headers: { "Content-Security-Policy": PAGE_CSP },
    };
  },
});

interface Exporting {
  exported: ListExport;
  context: RequestContext;
}

/** Types of exported records, each with its name in JSON and YAML and its heading in HTML. */
const GROUPS: readonly (readonly [name: string, type: ExportedType, heading: string])[] = [
  ["editions", "/type/edition", "Editions"],
  ["works", "/type/work", "Works"],
  ["authors", "/type/author", "Authors"],
];

async function* jsonText(exporting: Exporting): AsyncGenerator<string> {
  let before = "{";
  for (const [name, type] of GROUPS) {
    yield `${before}"${name}":[`;
    let separator = "";
    for await (const page of pagesOf(type, exporting)) {
      yield separator + page.join(",");
      separator = ",";
    }
    before = "],";
  }
  yield "]}";
}

async function* yamlText(exporting: Exporting): AsyncGenerator<string> {
  for (const [name, type] of GROUPS) {
    let isEmpty = true;
    for await (const page of pagesOf(type, exporting)) {
      // YAML reads a list at the left margin as the value of the member above it.
      yield (isEmpty ? `${name}:\n` : "") + renderYaml(page.map(parseDocument));
      isEmpty = false;
    }
    if (isEmpty) yield `${name}: []\n`;
  }
}

function booksText(name: FormatName) {
  return (exporting: Exporting) => writeBooks(name, bookPages(exporting), exporting.context);
}

async function* bookPages(exporting: Exporting): AsyncGenerator<{ record: CatalogRecord }[]> {
  for (const type of ["/type/edition", "/type/work"] as const) {
    for await (const page of pagesOf(type, exporting)) {
      yield page.map((text) => ({ record: parseDocument(text) }));
    }
  }
}

async function* htmlText(exporting: Exporting): AsyncGenerator<string> {
  const title = listTitle(exporting.exported.list);
  yield String(markup`<!doctype html>
<html lang="en">
<head><meta charset="utf-8"><title>${title}</title></head>
<body>
<h1>${title}</h1>
`);
  for (const [, type, heading] of GROUPS) {
    if (!exporting.exported.records.some((record) => record.type === type)) continue;
    yield String(markup`<h2>${heading}</h2>\n<ul>\n`);
    for await (const page of pagesOf(type, exporting)) {
      yield await htmlItems(page.map(parseDocument), exporting.context);
    }
    yield "</ul>\n";
  }
  yield "</body>\n</html>\n";
}

async function htmlItems(records: readonly CatalogRecord[], context: RequestContext): Promise<string> {
  const site = baseUrl(context);
  const sources = records.map((record) => ({ record }));
  const books = (await Array.fromAsync(readBooks(sources, context))).flat();
  const items = records.map((record, index) => {
    const authors = (books[index]?.agents ?? []).filter(({ url }) => url !== undefined);
    const by = authors.length === 0 ? "" : ` by ${authors.map(({ name }) => name).join(", ")}`;
    const link = markup`<a href="${encodeURI(recordUrlOf(site, record))}">${nameOf(record)}</a>`;
    return String(markup`<li>${link}${by}</li>\n`);
  });
  return items.join("");
}

async function* pagesOf(type: ExportedType, { exported, context }: Exporting): AsyncGenerator<string[]> {
  const database = catalogReader(context);
  const ids = exported.records.filter((record) => record.type === type).map(({ id }) => id);
  for (let at = 0; at < ids.length;) {
    const { found: rows, done } = await readByIds(database, ids.slice(at, at + EXPORT_PAGE_RECORDS));
    at += done;
    // The type of a record may have changed meanwhile.
    const texts = rows.filter((row) => row.type === type).map(latestTextOf);
    if (texts.length > 0) yield texts;
  }
}
