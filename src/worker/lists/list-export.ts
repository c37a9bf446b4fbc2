import { invalid } from "../http/input-failures.ts";
import * as z from "zod";
import { latestRecordOf, latestTextOf, parseDocument } from "../../catalog/document.ts";
import { recordUrlOf } from "../../catalog/slug.ts";
import { renderYaml } from "../../catalog/yaml.ts";
import { type ExportedRecord, type ExportedType, readListExport } from "../../db/lists/list-contents.ts";
import { PAGE_BYTES } from "../../db/records/record-rows.ts";
import { readByIds } from "../../db/records/records.ts";
import { readNamedRecords } from "../../db/records/titles.ts";
import { type FormatName, FORMATS, FORMAT_NAMES, FORMAT_TYPES } from "../../export/formats.ts";
import { type WrittenRecord, joinBooks, nextPageLink, takePage, writeBooks } from "../http/book-pages.ts";
import { notFound, validationFailed } from "../http/errors.ts";
import { type RequestContext, baseUrl, catalogReader, rootPath } from "../http/operation.ts";
import { countQueries } from "../http/rate-limit.ts";
import { PAGE_CSP } from "../ui/layout.ts";
import { markup } from "../ui/markup.ts";
import { nameOf } from "../ui/names.ts";
import { listTitle } from "./list-page.ts";
import { LISTS_CACHE_CONTROL, LIST_PATH, listNotFound, listOperations } from "./list-operations.ts";

export const EXPORT_PAGE_RECORDS = 200;

/** Types of exported records, each with its name in JSON and YAML and its heading in HTML. */
const GROUPS: readonly (readonly [name: string, type: ExportedType, heading: string])[] = [
  ["editions", "/type/edition", "Editions"],
  ["works", "/type/work", "Works"],
  ["authors", "/type/author", "Authors"],
];

interface Exported {
  /** Texts of the records of each group. */
  readonly groups: readonly { name: string; heading: string; texts: readonly string[] }[];
  readonly page: readonly WrittenRecord[];
  readonly title: string;
  /** Address of the next page. */
  readonly next: string | undefined;
}

interface ExportFormat {
  readonly contentType: string;
  write(records: readonly ExportedRecord[], context: RequestContext): AsyncIterable<WrittenRecord>;
  join(exported: Exported): string;
}

/** Export formats by name. */
const EXPORTS = new Map<string, ExportFormat>([
  ["html", { contentType: "text/html; charset=utf-8", write: htmlItems, join: joinHtml }],
  ["bibtex", { ...bookFormat("bib"), contentType: "application/x-bibtex" }],
  ["json", { contentType: "application/json", write: writeRecords((text) => text), join: joinJson }],
  ["yaml", { contentType: "text/x-yaml; charset=utf-8", write: writeRecords(toYamlItem), join: joinYaml }],
  ...FORMAT_NAMES.map((name) => [name, bookFormat(name)] as const),
]);

export const exportList = listOperations({
  ids: { people: "exportPeopleList", lists: "exportList", series: "exportSeries" },
  summary: "Export the records of a list or series",
  path: LIST_PATH,
  query: {
    format: z
      .string()
      .default("html")
      .describe(["html", "bibtex", "json", "yaml", ...FORMAT_NAMES].join(", ")),
    after: z.string().optional().describe("Key of the record to start after, as in the header `Link`"),
  },
  responses: {
    200: {
      description: "Editions, works and authors, last changed first; the header `Link` names the next page",
      contentType: "text/html",
      also: ["application/json", "text/x-yaml", ...FORMAT_TYPES],
    },
    422: { description: "Record `after` is not in the list" },
  },
  async handle({ key }, { query: { format: name, after } }, context) {
    const format = EXPORTS.get(name);
    if (format === undefined) throw notFound();
    const exported = await readListExport(catalogReader(context), key);
    if (exported === undefined) throw listNotFound();
    const all = GROUPS.flatMap(([, type]) => exported.records.filter((record) => record.type === type));
    const start = after === undefined ? 0 : all.findIndex((record) => record.key === after) + 1;
    if (after !== undefined && start === 0) {
      const text = { key: "validation.not_in_list" } as const;
      throw validationFailed([invalid(["query", "after"], text, { input: after })]);
    }
    const { page, last } = await takePage(format.write(all.slice(start), context));
    const link = nextPageLink("after", last, context);
    const next = link && rootPath(context.settings.BASE_URL) + link.address;
    const types = new Map(all.map((record) => [record.key, record.type]));
    const groups = GROUPS.map(([group, type, heading]) => ({
      name: group,
      heading,
      texts: page.filter((record) => types.get(record.key) === type).map(({ text }) => text),
    }));
    return {
      status: 200,
      body: format.join({ groups, page, title: listTitle(exported.list), next }),
      contentType: format.contentType,
      cacheControl: LISTS_CACHE_CONTROL,
      headers: { "Content-Security-Policy": PAGE_CSP, ...link?.headers },
    };
  },
});

function joinJson({ groups, next }: Exported): string {
  const members = groups.map(({ name, texts }) => `"${name}":[${texts.join(",")}]`);
  const links = next === undefined ? [] : [`"links":${JSON.stringify({ next })}`];
  return `{${[...members, ...links].join(",")}}`;
}

function joinYaml({ groups, next }: Exported): string {
  // YAML reads a list at the left margin as the value of the member above it.
  const lists = groups.map(({ name, texts }) =>
    texts.length === 0 ? `${name}: []\n` : `${name}:\n${texts.join("")}`,
  );
  return lists.join("") + (next === undefined ? "" : renderYaml({ links: { next } }));
}

/** Writes a record as an item of a list; of one that is too long with its indentation, only key and type. */
function toYamlItem(text: string): string {
  const record = parseDocument(text);
  const item = renderYaml([record]);
  return item.length <= PAGE_BYTES
    ? item
    : renderYaml([{ key: record["key"] ?? null, type: record["type"] ?? null }]);
}

/** The exported document is English, like its headings. */
const NEXT_PAGE = "Next page";

function joinHtml({ groups, title, next }: Exported): string {
  const lists = groups.map(({ heading, texts }) =>
    texts.length === 0 ? "" : `<h2>${heading}</h2>\n<ul>\n${texts.join("")}</ul>\n`,
  );
  const link =
    next === undefined ? "" : String(markup`<p><a rel="next" href="${next}">${NEXT_PAGE}</a></p>\n`);
  return `${String(markup`<!doctype html>
<html lang="en">
<head><meta charset="utf-8"><title>${title}</title></head>
<body>
<h1>${title}</h1>
`)}${lists.join("")}${link}</body>\n</html>\n`;
}

function writeRecords(write: (text: string) => string): ExportFormat["write"] {
  return async function* (records, context) {
    for await (const rows of pagesOf(records, context)) {
      for (const row of rows) yield { key: row.key, text: write(latestTextOf(row)) };
    }
  };
}

function bookFormat(name: FormatName): ExportFormat {
  return {
    contentType: FORMATS[name].contentType,
    write: (records, context) => writeBooks(name, bookPages(records, context), context),
    join: ({ page }) => joinBooks(name, page),
  };
}

async function* bookPages(records: readonly ExportedRecord[], context: RequestContext) {
  const books = records.filter(({ type }) => type !== "/type/author");
  for await (const rows of pagesOf(books, context))
    yield rows.map((row) => ({ record: latestRecordOf(row) }));
}

async function* htmlItems(records: readonly ExportedRecord[], context: RequestContext) {
  const site = baseUrl(context);
  for (let at = 0; at < records.length; at += EXPORT_PAGE_RECORDS) {
    // A token for each further page.
    if (at > 0) countQueries(context, 2);
    const page = records.slice(at, at + EXPORT_PAGE_RECORDS).map(({ id }) => id);
    for (const { record, authors } of await readNamedRecords(catalogReader(context), page)) {
      const by = authors.length === 0 ? "" : ` by ${authors.join(", ")}`;
      const link = markup`<a href="${encodeURI(recordUrlOf(site, record))}">${nameOf(record)}</a>`;
      yield { key: String(record["key"]), text: String(markup`<li>${link}${by}</li>\n`) };
    }
  }
}

/** Reads the records page by page, each as many as are read at once. */
async function* pagesOf(records: readonly ExportedRecord[], context: RequestContext) {
  const types = new Map(records.map(({ id, type }) => [id, type]));
  for (let at = 0; at < records.length;) {
    if (at > 0) countQueries(context, 2);
    const ids = records.slice(at, at + EXPORT_PAGE_RECORDS).map(({ id }) => id);
    const { found, done } = await readByIds(catalogReader(context), ids);
    at += done;
    // The type of a record may have changed meanwhile.
    yield found.filter(({ id, type }) => types.get(id) === type);
  }
}
