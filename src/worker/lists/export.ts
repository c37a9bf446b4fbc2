import * as z from "zod";
import { latestText, parseDocument } from "../../catalog/document.ts";
import { bibtexEntry } from "../../catalog/lists/bibtex.ts";
import {
  type CatalogRecord,
  type Json,
  authorsOf,
  elementsOf,
  isObject,
  keyOf,
  textOf,
} from "../../catalog/record.ts";
import { recordUrl } from "../../catalog/slug.ts";
import { renderYaml } from "../../catalog/yaml.ts";
import { type ExportedType, type ListExport, readByIds, readListExport } from "../../db/lists/export.ts";
import { readRelated } from "../../db/records/related.ts";
import type { Database } from "../../db/statement.ts";
import { notFound } from "../http/errors.ts";
import { baseUrl, catalogReader } from "../http/operation.ts";
import { textStream } from "../http/bytes.ts";
import { PAGE_CSP } from "../ui/layout.ts";
import { markup } from "../ui/markup.ts";
import { nameOf } from "../ui/names.ts";
import { listTitle } from "./list-page.ts";
import { LISTS_CACHE_CONTROL, LIST_PATH, listNotFound, listOperations } from "./operation.ts";

/** Records that are read at once while a list is exported. */
export const EXPORT_PAGE_RECORDS = 200;

/** Forms in which a list can be taken away: piece by piece, so that no more than a page of records is in memory. */
const FORMATS = new Map([
  ["html", { contentType: "text/html; charset=utf-8", pieces: htmlText }],
  ["bibtex", { contentType: "application/x-bibtex", pieces: bibtexText }],
  ["json", { contentType: "application/json", pieces: jsonText }],
  ["yaml", { contentType: "text/x-yaml; charset=utf-8", pieces: yamlText }],
]);

/** `GET <list>/export?format=`: the records of a list or series to take away. */
export const exportList = listOperations({
  ids: { people: "exportPeopleList", lists: "exportList", series: "exportSeries" },
  summary: "Records of a list or series to take away",
  path: LIST_PATH,
  query: { format: z.string().default("html").describe("html, bibtex, json or yaml") },
  responses: {
    200: { description: "Editions, works and authors, last changed first", contentType: "text/html" },
    404: { description: "No such list or series, or no such format" },
  },
  async handle({ key }, { query }, context) {
    const format = FORMATS.get(query.format);
    if (format === undefined) throw notFound();
    const database = catalogReader(context);
    const exported = await readListExport(database, key);
    if (exported === undefined) throw listNotFound();
    return {
      status: 200,
      body: textStream(format.pieces({ database, exported, site: baseUrl(context) })),
      contentType: format.contentType,
      cacheControl: LISTS_CACHE_CONTROL,
      headers: { "Content-Security-Policy": PAGE_CSP },
    };
  },
});

/** What is exported, and what it is written with. */
type Exporting = { readonly database: Database; readonly exported: ListExport; readonly site: string };

/** The records of a type, and what they are called for programs and for people. */
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
      // A list at the left margin belongs to the member above it.
      yield (isEmpty ? `${name}:\n` : "") + renderYaml(page.map(parseDocument));
      isEmpty = false;
    }
    if (isEmpty) yield `${name}: []\n`;
  }
}

async function* bibtexText(exporting: Exporting): AsyncGenerator<string> {
  const { site } = exporting;
  for (const type of ["/type/edition", "/type/work"] as const) {
    for await (const page of pagesOf(type, exporting)) {
      const records = page.map(parseDocument);
      const authors = await authorNames(records, exporting.database);
      yield records
        .map((record) => bibtexEntry(record, { authors: authors.get(record) ?? [], baseUrl: site }))
        .join("\n");
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
      yield await htmlItems(page.map(parseDocument), exporting);
    }
    yield "</ul>\n";
  }
  yield "</body>\n</html>\n";
}

async function htmlItems(records: readonly CatalogRecord[], { database, site }: Exporting): Promise<string> {
  const authors = await authorNames(records, database);
  const items = records.map((record) => {
    const name = nameOf(record);
    const names = (authors.get(record) ?? []).join(", ");
    const by = names === "" ? "" : ` by ${names}`;
    return String(markup`<li><a href="${encodeURI(recordUrl(site, record))}">${name}</a>${by}</li>\n`);
  });
  return items.join("");
}

/** Texts of the records of a type, as readers get them, page by page. */
async function* pagesOf(type: ExportedType, { database, exported }: Exporting): AsyncGenerator<string[]> {
  const ids = exported.records.filter((record) => record.type === type).map(({ id }) => id);
  for (let at = 0; at < ids.length;) {
    const { found, done } = await readByIds(database, ids.slice(at, at + EXPORT_PAGE_RECORDS));
    at += done;
    // One may have become another type meanwhile.
    const texts = found.filter((row) => row.type === type).map(latestText);
    if (texts.length > 0) yield texts;
  }
}

/** Names of those who wrote works and editions, of the work where an edition names none. */
async function authorNames(
  records: readonly CatalogRecord[],
  database: Database,
): Promise<ReadonlyMap<CatalogRecord, readonly string[]>> {
  const authors = records.flatMap((record) => elementsOf(record["authors"]).flatMap(authorKey));
  const lacking = records.filter((record) => elementsOf(record["authors"]).length === 0);
  const works = lacking.flatMap((record) => workKey(record) ?? []);
  const related = await readRelated(database, { works, authors });
  const namesOf = (record: CatalogRecord): string[] => {
    const work = workKey(record);
    const own = elementsOf(record["authors"]);
    const roles = own.length > 0 || work === undefined ? own : related.records.get(work)?.["authors"];
    return authorsOf(roles, related.records).flatMap((author) => textOf(author["name"]) ?? []);
  };
  return new Map(records.map((record) => [record, namesOf(record)]));
}

function authorKey(reference: Json): string[] {
  const key = keyOf(isObject(reference) ? (reference["author"] ?? reference) : reference);
  return key === undefined ? [] : [key];
}

function workKey({ works }: CatalogRecord): string | undefined {
  return keyOf(elementsOf(works)[0]);
}
