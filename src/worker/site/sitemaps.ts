import * as z from "zod";
import { type SerializedElement, element, renderXmlDocument } from "../../catalog/xml.ts";
import { idRangeOf } from "../../catalog/key-numbers.ts";
import { SITEMAP_NUMBERS, readSitemapFile, readSitemapFiles } from "../../db/records/sitemaps.ts";
import { notFound } from "../http/errors.ts";
import { baseUrl, catalogReader, operation } from "../http/operation.ts";
import type { Reply } from "../http/reply.ts";

const XMLNS = "http://www.sitemaps.org/schemas/sitemap/0.9";
/** Records in sitemaps. Crawlers find editions from their works. */
const KINDS = [
  { name: "authors", type: "/type/author", ids: idRangeOf("A") },
  { name: "works", type: "/type/work", ids: idRangeOf("W") },
] as const;

export const sitemapIndex = operation({
  id: "sitemapIndex",
  summary: "Get the index of the sitemaps",
  tag: "service",
  responses: { 200: { description: "Addresses of the sitemaps", contentType: "application/xml" } },
  async handle(_input, context) {
    const base = baseUrl(context);
    const files = await readSitemapFiles(
      catalogReader(context),
      KINDS.map(({ ids }) => ids),
    );
    const entries = KINDS.flatMap(({ name }, index) =>
      (files[index] ?? []).map((number) => entry("sitemap", `${base}/sitemaps/${name}-${number}.xml`)),
    );
    return xml(element("sitemapindex", entries, { xmlns: XMLNS }));
  },
});

/** `GET /sitemaps/works-0.xml`: works with the numbers 0 to 4,999 and the dates of their last changes. */
export const sitemapFile = operation({
  id: "sitemapFile",
  summary: "Get a sitemap of authors or works",
  tag: "service",
  path: { kind: z.string().describe("`authors` or `works`"), number: z.string() },
  responses: {
    200: { description: "Addresses and times of the last change", contentType: "application/xml" },
    404: { description: "Sitemap not found" },
  },
  async handle({ path: { kind, number } }, context) {
    const record = KINDS.find(({ name }) => name === kind);
    if (record === undefined || !/^\d{1,9}$/.test(number)) throw notFound();
    const from = record.ids.from + Number(number) * SITEMAP_NUMBERS;
    if (from >= record.ids.to) throw notFound();
    const rows = await readSitemapFile(catalogReader(context), record.type, from);
    if (rows.length === 0) throw notFound();
    const base = baseUrl(context);
    const entries = rows.map(({ key, lastModified }) => entry("url", base + key, lastModified.slice(0, 10)));
    return xml(element("urlset", entries, { xmlns: XMLNS }));
  },
});

function entry(name: string, address: string, day?: string): SerializedElement {
  const changed = day === undefined ? [] : [element("lastmod", day)];
  return element(name, [element("loc", address), ...changed]);
}

function xml(root: SerializedElement): Reply {
  const contentType = "application/xml; charset=utf-8";
  return { status: 200, body: renderXmlDocument(root), contentType, cacheControl: "public, max-age=86400" };
}
