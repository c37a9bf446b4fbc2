import { fold } from "../text/collation.ts";

/** Maximum number of pages of a book: the position of a page is part of its row's number. */
export const BOOK_PAGES_MAX = 10_000;
/** Maximum length of a page, in UTF-16 units. A text without page breaks is cut into pages of this length. */
export const PAGE_LENGTH_MAX = 10_000;
/** Length of text that is compressed together, in UTF-16 units: the unit read from R2 for the snippets of one page. */
const BLOCK_LENGTH = 32_768;

const PAGE_BREAK = "\f";
const LAST_BLANK = /\s(?=\S*$)/u;

/** Returns the pages of a text, separated by form feeds. Longer pages are cut at blanks. */
export function pagesOf(text: string): string[] {
  const pages = text.split(PAGE_BREAK);
  if (pages.at(-1)?.trim() === "") pages.pop();
  return pages.flatMap(cutPage);
}

function cutPage(page: string): string[] {
  const parts: string[] = [];
  let rest = page;
  while (rest.length > PAGE_LENGTH_MAX) {
    const head = rest.slice(0, PAGE_LENGTH_MAX);
    const blank = head.search(LAST_BLANK);
    const end = blank > 0 ? blank + 1 : PAGE_LENGTH_MAX;
    parts.push(rest.slice(0, end));
    rest = rest.slice(end);
  }
  parts.push(rest);
  return parts;
}

interface Block {
  first: number;
  text: string;
}

/** Returns pages in blocks. An unpacked block has its pages, each one followed by a form feed. */
export function blocksOf(pages: readonly string[]): Block[] {
  const blocks: Block[] = [];
  let texts: string[] = [];
  let length = 0;
  for (const [place, page] of pages.entries()) {
    texts.push(page + PAGE_BREAK);
    length += page.length;
    if (length < BLOCK_LENGTH && place < pages.length - 1) continue;
    blocks.push({ first: place + 1 - texts.length, text: texts.join("") });
    texts = [];
    length = 0;
  }
  return blocks;
}

/** Positions of the blocks of a book: their first pages, and their offsets in bytes with the end as the last. */
export interface BlockMap {
  readonly first: readonly number[];
  readonly offsets: readonly number[];
}

export interface BlockRange {
  readonly first: number;
  readonly offset: number;
  readonly length: number;
}

/** Returns the blocks that hold some pages, each one once. */
export function blockRangesOf({ first, offsets }: BlockMap, places: readonly number[]): BlockRange[] {
  const numbers = places.map((place) => first.findLastIndex((start) => start <= place));
  return [...new Set(numbers)].flatMap((number) => {
    const [start, offset, end] = [first[number], offsets[number], offsets[number + 1]];
    if (start === undefined || offset === undefined || end === undefined) return [];
    return [{ first: start, offset, length: end - offset }];
  });
}

/** Returns the pages of an unpacked block, with their positions. */
export function pagesOfBlock(first: number, text: string): [place: number, page: string][] {
  const pages = text.split(PAGE_BREAK).slice(0, -1);
  return pages.map((page, index) => [first + index, page]);
}

export interface BookMetadata {
  readonly title?: string | undefined;
  readonly creators: readonly string[];
  readonly year?: number | undefined;
  /** English names. */
  readonly languages: readonly string[];
  readonly collections: readonly string[];
  readonly subjects: readonly string[];
  readonly publishers: readonly string[];
  readonly date?: string | undefined;
  readonly mediatype: string;
  readonly downloads?: number | undefined;
}

export const AGGREGATIONS = [
  "top-languages",
  "top-collection",
  "top-mediatype",
  "top-year",
  "top-subject",
  "top-creator",
] as const;

/** Returns a book's values in the aggregations, each one once. */
export function facetValuesOf(
  metadata: BookMetadata,
): Readonly<Record<(typeof AGGREGATIONS)[number], readonly (string | number)[]>> {
  return {
    "top-languages": deduplicate(metadata.languages),
    "top-collection": deduplicate(metadata.collections),
    "top-mediatype": [metadata.mediatype],
    "top-year": metadata.year === undefined ? [] : [metadata.year],
    "top-subject": deduplicate(metadata.subjects),
    "top-creator": deduplicate(metadata.creators),
  };
}

/** Returns the names of a book's languages in the form for comparison. */
export function textLanguageKeys({ languages }: BookMetadata): string[] {
  return deduplicate(languages.map(fold));
}

/** Returns the members `meta_...` of a hit's fields. All values are arrays; unknown members are left out. */
export function metadataFieldsOf(metadata: BookMetadata): Record<string, readonly (string | number)[]> {
  const { title, creators, year, languages, collections, subjects, publishers, date } = metadata;
  const fields: [string, readonly (string | number | undefined)[]][] = [
    ["meta_title", [title]],
    ["meta_creator", creators],
    ["meta_year", [year]],
    ["meta_languageSorter", languages],
    ["meta_collection", collections],
    ["meta_subjectSorter", subjects],
    ["meta_publisher", publishers],
    ["meta_date", [date]],
    ["meta_mediatype", [metadata.mediatype]],
    ["meta_downloads", [metadata.downloads]],
  ];
  const fieldsWithValues = fields.map(
    ([name, values]) => [name, values.filter((value) => value !== undefined)] as const,
  );
  return Object.fromEntries(fieldsWithValues.filter(([, values]) => values.length > 0));
}

function deduplicate(values: readonly string[]): string[] {
  return [...new Set(values)];
}
