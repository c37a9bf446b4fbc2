import { takeFitting, utf8Length } from "../../catalog/bytes.ts";
import { PAGE_BYTES } from "../../db/records/record-rows.ts";
import { FORMAT_WRITERS } from "../../export/format-writers.ts";
import type { FormatName } from "../../export/formats.ts";
import type { RequestContext } from "./operation.ts";
import { bytesReadBy } from "./rate-limit.ts";
import { type BookSource, readBooks } from "./book-formats.ts";

/** Record of a page, as it is written. */
export interface WrittenRecord {
  readonly key: string;
  readonly text: string;
  /** Bytes that were read for it, if they can be more than are written. */
  readonly read?: number;
}

export async function* writeBooks(
  name: FormatName,
  pages: AsyncIterable<readonly BookSource[]>,
  context: RequestContext,
): AsyncGenerator<WrittenRecord> {
  const { piece } = FORMAT_WRITERS[name].many;
  let counted = bytesReadBy(context);
  for await (const page of pages) {
    let left = page.length;
    for await (const book of readBooks(page, context)) {
      // Records are read many at a time: each has a share.
      const read = (bytesReadBy(context) - counted) / left;
      [counted, left] = [counted + read, left - 1];
      yield { key: book.key, text: piece(book), read };
    }
  }
}

export function joinBooks(name: FormatName, books: readonly WrittenRecord[]): string {
  const { open, between, close } = FORMAT_WRITERS[name].many;
  return open + books.map(({ text }) => text).join(between) + close;
}

/** Takes the records of a page: at most `PAGE_BYTES` are written, and about twice as many read. `last` is the key of the last one if there are more. */
export async function takePage<Written extends WrittenRecord>(
  records: AsyncIterable<Written>,
): Promise<{ readonly page: readonly Written[]; readonly last: string | undefined }> {
  const { taken, isWhole } = await takeFitting(
    records,
    ({ text, read = 0 }) => Math.max(utf8Length(text), read / 2),
    PAGE_BYTES,
  );
  return { page: taken, last: isWhole ? undefined : taken.at(-1)?.key };
}

/** Q726: returns the address of the next page, which is this one with another parameter, and its header. */
export function nextPageLink(name: string, value: string | undefined, { url }: RequestContext) {
  if (value === undefined) return undefined;
  const next = new URL(url);
  next.searchParams.set(name, value);
  const address = next.pathname + next.search;
  return { address, headers: { Link: `<${address}>; rel="next"` } };
}
