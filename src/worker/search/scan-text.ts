import { MIB } from "../../catalog/units.ts";
import { withoutControls } from "../../catalog/storable-text.ts";
import * as z from "zod";
import { gunzipSync, gzipSync } from "node:zlib";
import { editionTitleOf } from "../../catalog/document.ts";
import type { EditionBundle } from "../../catalog/lookup/bundle.ts";
import { marcCodeOf } from "../../catalog/language.ts";
import { publicationYearOf } from "../../catalog/publication-date.ts";
import { type CatalogRecord, authorsOf, keyOf, stringsOf, textOf } from "../../catalog/record.ts";
import { readItems } from "../../db/lending/holdings.ts";
import { deleteBook, putBook } from "../../db/search/inside.ts";
import type { Database } from "../../db/statement.ts";
import {
  type BlockMap,
  type BlockRange,
  type BookMetadata,
  blockRangesOf,
  blocksOf,
  BOOK_PAGES_MAX,
  facetValuesOf,
  textLanguageKeys,
  pagesOf,
  pagesOfBlock,
} from "../../search/inside/book-text.ts";
import { literalTokensOf } from "../../search/inside/snippets.ts";
import { fold } from "../../search/text/collation.ts";
import { editionsOfScans } from "../lookup/editions/bundles.ts";
import { bodyText } from "../http/bytes.ts";
import { notFound } from "../http/errors.ts";
import { type RequestContext, catalogReader, operation } from "../http/operation.ts";
import { integer } from "../http/parameters.ts";
import { json, NO_STORE } from "../http/reply.ts";
import { readKnownLanguages } from "./known-languages.ts";
import { failure } from "../http/failure.ts";

const METADATA_LENGTH_MAX = 500;
const METADATA_VALUES_MAX = 100;

const path = {
  item: z
    .string()
    .regex(/^[A-Za-z0-9][A-Za-z0-9._-]{0,99}$/)
    .describe("ID of the scan"),
};
const text = z.string().max(METADATA_LENGTH_MAX);
const texts = z.array(text).max(METADATA_VALUES_MAX).optional();
/** Metadata from the operator; the rest comes from the edition of the scan. */
const metadata = {
  title: text.optional(),
  creator: texts,
  year: integer(z.int().gte(0).lte(9999)).optional(),
  language: texts.describe("MARC codes or English names"),
  collection: texts,
  subject: texts,
  publisher: texts,
  date: text.optional(),
  mediatype: text.optional(),
  downloads: integer(z.int().gte(0)).optional(),
};

const SUBJECTS_MAX = 20;
const LANGUAGES = "/languages/";

/** Collects the metadata of a book. Four statements at most. */
async function collectMetadata(
  identifier: string,
  request: z.output<z.ZodObject<typeof metadata>>,
  context: RequestContext,
): Promise<BookMetadata> {
  const database = catalogReader(context);
  const [editions, items] = await Promise.all([
    editionsOfScans(database, [identifier], context),
    readItems(database, [identifier]),
  ]);
  const bundle = editions.get(identifier);
  const { edition, work } = bundle ?? {};
  const codes = Array.isArray(edition?.["languages"]) ? edition["languages"] : [];
  const languages = codes.flatMap((language) => keyOf(language)?.replace(LANGUAGES, "") ?? []);
  const names = bundle && authorsOfBundle(bundle).flatMap((author) => textOf(author["name"]) ?? []);
  const subjects = stringsOf((work ?? edition)?.["subjects"]).slice(0, SUBJECTS_MAX);
  return {
    title: request.title ?? (edition && editionTitleOf(edition)),
    date: request.date ?? textOf(edition?.["publish_date"]),
    year: request.year ?? (edition && publicationYearOf(edition)),
    downloads: request.downloads,
    creators: request.creator ?? names ?? [],
    languages: await readEnglishNames(database, request.language ?? languages),
    collections: request.collection ?? items.get(identifier)?.collections ?? [],
    subjects: request.subject ?? subjects,
    publishers: request.publisher ?? stringsOf(edition?.["publishers"]),
    mediatype: request.mediatype ?? "texts",
  };
}

const TEXT_BODY_BYTES = 10 * MIB;

export const putText = operation({
  id: "putText",
  summary: "Store the text of a scanned book",
  tag: "operation",
  path,
  query: metadata,
  body: { contentType: "text/plain", description: "Text in UTF-8; form feeds separate pages" },
  responses: {
    200: {
      description: "Stored metadata",
      schema: z.object({ identifier: z.string(), pages: z.int(), title: z.string().nullable() }),
    },
  },
  async handle({ path: { item }, query }, context) {
    const pages = pagesOf(await bodyText(context.request, TEXT_BODY_BYTES)).map(withoutControls);
    if (pages.every((page) => page.trim() === "")) throw failure("bad_data.no_text");
    if (pages.length > BOOK_PAGES_MAX) throw failure("bad_data.book_pages", { most: BOOK_PAGES_MAX });
    const values = await collectMetadata(item, query, context);
    const { archive, search } = context.stores;
    const { bytes, map } = packText(pages);
    // Each version has an object of its own in R2, so that rows and text always match: first the object is written, then the
    // rows, then the old object is deleted.
    const object = `text/${item}/${context.requestId}.gz`;
    await archive.put(object, bytes, { httpMetadata: { contentType: "application/gzip" } });
    const row = {
      identifier: item,
      object,
      metadata: JSON.stringify(values),
      facets: JSON.stringify(facetValuesOf(values)),
      languages: JSON.stringify(textLanguageKeys(values)),
      blocks: JSON.stringify(map),
    };
    const tokens = pages.map((page) => literalTokensOf(page).join(" "));
    const old = await putBook(search, row, tokens).catch(async (error: unknown) => {
      // A text without rows must not remain.
      await archive.delete(object);
      throw error;
    });
    if (old !== undefined && old !== object) context.waitUntil(archive.delete(old));
    const body = { identifier: item, pages: pages.length, title: values.title ?? null };
    return json(body, { cacheControl: NO_STORE });
  },
});

export const deleteText = operation({
  id: "deleteText",
  summary: "Delete the text of a scanned book",
  tag: "operation",
  path,
  responses: {
    200: { description: "Confirmation", schema: z.object({ identifier: z.string() }) },
    404: { description: "No text of this scan" },
  },
  async handle({ path: { item } }, context) {
    const { search, archive } = context.stores;
    const object = await deleteBook(search, item);
    if (object === undefined) throw notFound();
    context.waitUntil(archive.delete(object));
    return json({ identifier: item }, { cacheControl: NO_STORE });
  },
});

/** Returns the English names of languages, from MARC codes or names; unknown ones are kept. One statement. */
export async function readEnglishNames(database: Database, values: readonly string[]): Promise<string[]> {
  if (values.length === 0) return [];
  const known = (await readKnownLanguages(database, "en")).map(({ names }) => names);
  const byName = new Map([
    ...known.map(({ code, english }) => [fold(code), english] as const),
    ...known.map(({ english }) => [fold(english), english] as const),
  ]);
  return values.map((value) => {
    const name = value.trim();
    return byName.get(fold(name)) ?? byName.get(marcCodeOf(name) ?? "") ?? name;
  });
}

export function authorsOfBundle({ edition, work, authors }: EditionBundle): CatalogRecord[] {
  const editionAuthors = authorsOf(edition["authors"], authors);
  return editionAuthors.length > 0 ? editionAuthors : authorsOf(work?.["authors"], authors);
}

const NEAR_BYTES = 65_536;

/**
 * Packs the pages of a book into concatenated gzip members, so that each block can be read by itself. Unpacked with any
 * gzip tool, the result is the text with a form feed after each page.
 */
function packText(pages: readonly string[]): { bytes: Blob; map: BlockMap } {
  const parts: Uint8Array[] = [];
  const first: number[] = [];
  const offsets = [0];
  for (const block of blocksOf(pages)) {
    const packed = gzipSync(block.text);
    parts.push(packed);
    first.push(block.first);
    offsets.push((offsets.at(-1) ?? 0) + packed.byteLength);
  }
  return { bytes: new Blob(parts), map: { first, offsets } };
}

/** Reads the pages at some places of a packed text, and those around them; none if the object is gone. */
export async function readPages(
  archive: R2Bucket,
  object: string,
  { map, places }: { map: BlockMap; places: readonly number[] },
): Promise<ReadonlyMap<number, string>> {
  const groups: BlockRange[][] = [];
  let end = Number.NEGATIVE_INFINITY;
  for (const range of blockRangesOf(map, places).toSorted((a, b) => a.offset - b.offset)) {
    if (range.offset - end > NEAR_BYTES) groups.push([]);
    groups.at(-1)?.push(range);
    end = range.offset + range.length;
  }
  return new Map((await Promise.all(groups.map((ranges) => readGroup(archive, object, ranges)))).flat());
}

async function readGroup(
  archive: R2Bucket,
  object: string,
  ranges: readonly BlockRange[],
): Promise<[number, string][]> {
  const [first, last] = [ranges[0], ranges.at(-1)];
  if (first === undefined || last === undefined) return [];
  const length = last.offset + last.length - first.offset;
  const stored = await archive.get(object, { range: { offset: first.offset, length } });
  if (stored === null) return [];
  const bytes = new Uint8Array(await stored.arrayBuffer());
  return ranges.flatMap((range) => {
    const start = range.offset - first.offset;
    const bytesOfBlock = gunzipSync(bytes.subarray(start, start + range.length));
    return pagesOfBlock(range.first, new TextDecoder().decode(bytesOfBlock));
  });
}
