import { takeFitting, utf8Length } from "../../catalog/bytes.ts";
import { PAGE_BYTES } from "../../db/records/record-rows.ts";
import { FORMAT_WRITERS } from "../../export/format-writers.ts";
import type { FormatName } from "../../export/formats.ts";
import type { RequestContext } from "../http/operation.ts";
import { type BookSource, readBooks } from "./books.ts";

/** Record of a page, as it is written. */
export interface WrittenRecord {
  readonly key: string;
  readonly text: string;
}

export async function* writeBooks(
  name: FormatName,
  pages: AsyncIterable<readonly BookSource[]>,
  context: RequestContext,
): AsyncGenerator<WrittenRecord> {
  const { piece } = FORMAT_WRITERS[name].many;
  for await (const page of pages) {
    for await (const book of readBooks(page, context)) yield { key: book.key, text: piece(book) };
  }
}

export function joinBooks(name: FormatName, books: readonly WrittenRecord[]): string {
  const { open, between, close } = FORMAT_WRITERS[name].many;
  return open + books.map(({ text }) => text).join(between) + close;
}

/** Takes the records of a page (`PAGE_BYTES`). `last` is the key of the last one if there are more. */
export async function takePage<Written extends WrittenRecord>(
  records: AsyncIterable<Written>,
): Promise<{ readonly page: readonly Written[]; readonly last: string | undefined }> {
  const { taken, isWhole } = await takeFitting(records, ({ text }) => utf8Length(text), PAGE_BYTES);
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
