import { gunzipSync, gzipSync } from "node:zlib";
import type { EditionBundle } from "../../catalog/lookup/bundle.ts";
import { type CatalogRecord, authorsOf } from "../../catalog/record.ts";
import type { Database } from "../../db/statement.ts";
import {
  type BlockMap,
  type BlockRange,
  blockRangesOf,
  blocksOf,
  pagesOfBlock,
} from "../../search/inside/book-text.ts";
import { fold } from "../../search/text/collation.ts";
import { knownLanguages } from "./known-languages.ts";

/** Returns the English names of languages, from MARC codes or names; unknown ones are kept. One statement. */
export async function readEnglishNames(database: Database, values: readonly string[]): Promise<string[]> {
  if (values.length === 0) return [];
  const known = (await knownLanguages(database, "en")).map(({ names }) => names);
  const byName = new Map([
    ...known.map(({ code, english }) => [fold(code), english] as const),
    ...known.map(({ english }) => [fold(english), english] as const),
  ]);
  return values.map((value) => byName.get(fold(value.trim())) ?? value.trim());
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
export function packText(pages: readonly string[]): { bytes: Blob; map: BlockMap } {
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
  const groups = await Promise.all(
    groupRanges(blockRangesOf(map, places)).map((ranges) => readGroup(archive, object, ranges)),
  );
  return new Map(groups.flat());
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
    const text = gunzipSync(bytes.subarray(start, start + range.length));
    return pagesOfBlock(range.first, new TextDecoder().decode(text));
  });
}

function groupRanges(ranges: readonly BlockRange[]): BlockRange[][] {
  const groups: BlockRange[][] = [];
  let end = Number.NEGATIVE_INFINITY;
  for (const range of ranges.toSorted((a, b) => a.offset - b.offset)) {
    if (range.offset - end > NEAR_BYTES) groups.push([]);
    groups.at(-1)?.push(range);
    end = range.offset + range.length;
  }
  return groups;
}
