import { latestRecord } from "../../catalog/document.ts";
import { bothIsbns, canonicalIsbn, isChecked } from "../../catalog/identifiers/isbn.ts";
import { type CatalogRecord, keyOf } from "../../catalog/record.ts";
import { findEditionKey } from "../../db/records/identifiers.ts";
import { readRecord } from "../../db/records/records.ts";
import type { RequestContext } from "../http/operation.ts";
import { recordPage } from "../ui/form.ts";
import { type Markup, type Piece, markup } from "../ui/markup.ts";
import { nameOf } from "../ui/names.ts";
import { dots, link } from "../ui/parts.ts";
import { say } from "../ui/words.ts";

export type IsbnState =
  | { readonly kind: "bad" | "free" | "none" }
  | { readonly kind: "length"; readonly count: number }
  | { readonly kind: "known"; readonly edition: CatalogRecord };

/** Checks if a text is an ISBN, and finds the edition that has it. Two round trips at most. */
export async function isbnState(text: string, { stores }: RequestContext): Promise<IsbnState> {
  if (text.trim() === "") return { kind: "none" };
  const isbn = canonicalIsbn(text);
  if (isbn === undefined) {
    return { kind: "length", count: text.replace(/[^\dXx]/g, "").length };
  }
  const catalog = stores.catalog.withSession("first-primary");
  const wanted = bothIsbns(text).flatMap((value) => (value === undefined ? [] : [{ kind: "isbn", value }]));
  const key = await findEditionKey(catalog, wanted);
  const row = key === undefined ? undefined : await readRecord(catalog, key);
  if (row !== undefined) return { kind: "known", edition: latestRecord(row) };
  return { kind: isChecked(isbn) ? "free" : "bad" };
}

/** Renders the state of an ISBN in words; undefined if there is nothing to say. */
export function isbnWords(state: IsbnState): Markup | undefined {
  switch (state.kind) {
    case "bad":
      return markup`<span class="error">${say("add.isbn_bad")}</span>`;
    case "length":
      return markup`<span class="error">${say("add.isbn_length", { count: state.count })}</span>`;
    case "known":
      return markup`<span class="error">${say("add.known", { book: bookLink(state.edition) })}</span>`;
    case "free":
      return say("add.isbn_free");
    default:
      return undefined;
  }
}

/** Renders links to an existing book, by its title, and to its form. */
export function bookLink(edition: CatalogRecord): Piece {
  const key = keyOf(edition) ?? "";
  return dots([
    link(recordPage(key, edition), markup`<cite dir="auto">${nameOf(edition)}</cite>`),
    link(recordPage(key, edition, "/edit"), say("add.here_improve")),
  ]);
}
