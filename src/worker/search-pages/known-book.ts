import { bothIsbns } from "../../catalog/identifiers/isbn.ts";
import { findEditionKey } from "../../db/identifiers/find-edition-key.ts";
import { isbnOfText } from "../../search/query/isbn-query.ts";
import { type RequestContext, catalogReader } from "../context.ts";

const FOLDERS = new Map([
  ["A", "/authors/"],
  ["M", "/books/"],
  ["W", "/works/"],
]);

/** The record whose number a whole text is, such as `OL1W` (search.md 7.6, Q442). It may not be there. */
export function recordOfText(text: string, prefix: string): string | undefined {
  const isNumber = text.startsWith(prefix) && /^\d{1,15}[AMW]$/.test(text.slice(prefix.length));
  const folder = FOLDERS.get(text.slice(-1));
  return isNumber && folder !== undefined ? folder + text : undefined;
}

/** Key of the edition that has the ISBN that a text is; undefined when it is none, or nobody has it. One round trip. */
export async function editionOfText(
  texts: readonly (string | undefined)[],
  context: RequestContext,
): Promise<string | undefined> {
  const isbns = texts.map((text) => isbnOfText(text ?? "")).filter((isbn) => isbn !== undefined);
  const wanted = isbns.flatMap(bothIsbns).filter((isbn) => isbn !== undefined);
  if (wanted.length === 0) return undefined;
  return findEditionKey(
    catalogReader(context),
    wanted.map((value) => ({ kind: "isbn", value })),
  );
}
