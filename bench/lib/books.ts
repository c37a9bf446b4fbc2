import { type Json, fetchJson } from "./client.ts";

/** Works per request. */
const PAGE = 200;

/** A work of the index with its editions. */
export interface Book {
  id: number;
  /** Factor of the popularity. */
  boost: number;
  /** Document of the work. */
  work: Json;
  /** Documents of the editions. */
  editions: Json[];
  /** Other titles, which the documents omit. */
  titles: string[];
}

/** Yields all works of the index, in pages. `plain`: URL of the worker of the plain statements. */
export async function* readBooks(plain: string): AsyncGenerator<Book[]> {
  for (let after = Number.MIN_SAFE_INTEGER; ;) {
    const books: Book[] = await fetchJson(`${plain}/books?after=${after}&count=${PAGE}`);
    if (books.length === 0) return;
    yield books;
    after = books.at(-1)?.id ?? after;
  }
}

/** Returns all distinct titles of a work. */
export function titlesOf({ work, editions, titles }: Book): string[] {
  return [...new Set([...[work, ...editions].map(fullTitle), ...titles])];
}

function fullTitle({ title, subtitle }: Json) {
  return subtitle ? `${title}: ${subtitle}` : String(title);
}
