import { lastSegment } from "../../catalog/keys.ts";
import { type CatalogRecord, keyOf, textOf } from "../../catalog/record.ts";
import type { AuthorDocument } from "./types.ts";
import { distinct, gathered, listOf, present, textMember, texts } from "./values.ts";

/** The document of an author. The engine adds what follows from works. */
export function buildAuthor(record: CatalogRecord): AuthorDocument {
  return present<AuthorDocument>({
    key: keyOf(record) ?? "",
    type: "author",
    name: textOf(record["name"]) ?? "",
    alternate_names: distinct(texts(record, "alternate_names")),
    birth_date: textMember(record, "birth_date"),
    death_date: textMember(record, "death_date"),
    date: textMember(record, "date"),
  });
}

/** Authors as documents of works name them. */
export interface AuthorNames {
  /** OLIDs; parallel to the names. */
  readonly keys: readonly string[] | undefined;
  /** `""` for an author without a name. */
  readonly names: readonly string[] | undefined;
  readonly alternatives: readonly string[] | undefined;
}

/** How the documents of a work and its editions name the authors. */
export function authorNames(authors: readonly CatalogRecord[]): AuthorNames {
  return {
    keys: listOf(authors.map((author) => lastSegment(keyOf(author) ?? ""))),
    names: listOf(authors.map((author) => textOf(author["name"]) ?? "")),
    alternatives: gathered(authors, (author) => texts(author, "alternate_names")),
  };
}
