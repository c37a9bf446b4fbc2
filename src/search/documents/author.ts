import { lastSegment } from "../../catalog/keys.ts";
import { type CatalogRecord, keyOf, textOf } from "../../catalog/record.ts";
import type { AuthorDocument } from "./types.ts";
import { deduplicate, gather, listOf, dropUndefined, textMemberOf, textsOf } from "./values.ts";

/** Builds the document of an author. The engine adds the members that depend on works. */
export function buildAuthor(record: CatalogRecord): AuthorDocument {
  return dropUndefined<AuthorDocument>({
    key: keyOf(record) ?? "",
    type: "author",
    name: textOf(record["name"]) ?? "",
    alternate_names: deduplicate(textsOf(record, "alternate_names")),
    birth_date: textMemberOf(record, "birth_date"),
    death_date: textMemberOf(record, "death_date"),
    date: textMemberOf(record, "date"),
  });
}

/** Authors in the form used by documents of works. */
export interface AuthorNames {
  /** OLIDs, parallel to the names. */
  readonly keys: readonly string[] | undefined;
  /** Names, `""` for an author without one. */
  readonly names: readonly string[] | undefined;
  readonly alternatives: readonly string[] | undefined;
}

/** Returns the authors in the form used by the documents of a work and its editions. */
export function authorNamesOf(authors: readonly CatalogRecord[]): AuthorNames {
  return {
    keys: listOf(authors.map((author) => lastSegment(keyOf(author) ?? ""))),
    names: listOf(authors.map((author) => textOf(author["name"]) ?? "")),
    alternatives: gather(authors, (author) => textsOf(author, "alternate_names")),
  };
}
