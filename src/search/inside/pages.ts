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
  readonly first: number;
  readonly text: string;
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
export function blockRanges({ first, offsets }: BlockMap, places: readonly number[]): BlockRange[] {
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
