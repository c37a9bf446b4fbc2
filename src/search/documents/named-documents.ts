import { normalizeDatetime } from "../../catalog/datetime.ts";
import { authorNumbersOf } from "../../catalog/identifiers/author-numbers.ts";
import { lastSegmentOf, rewriteLegacyKey } from "../../catalog/keys.ts";
import { seedKeyOf, seedsOfRecord } from "../../catalog/lists/seeds.ts";
import { type CatalogRecord, keyOf, textOf } from "../../catalog/record.ts";
import type { AuthorDocument, ListDocument } from "./types.ts";
import { deduplicate, dropUndefined, gather, listOf, textMemberOf, textsOf } from "./values.ts";

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
    remote_ids: deduplicate(
      authorNumbersOf(record["remote_ids"]).map(({ scheme, value }) => `${scheme}:${value}`),
    ),
  });
}

export interface AuthorNames {
  readonly keys: readonly string[] | undefined;
  /** Names, `""` for an author without one. */
  readonly names: readonly string[] | undefined;
  readonly alternatives: readonly string[] | undefined;
}

/** Returns the authors of some credits, each once, in the form used by the documents of a work and its editions. */
export function authorNamesOf(credited: readonly CatalogRecord[]): AuthorNames {
  const authors = [...new Set(credited)];
  return {
    keys: listOf(authors.map((author) => lastSegmentOf(keyOf(author) ?? ""))),
    names: listOf(authors.map((author) => textOf(author["name"]) ?? "")),
    alternatives: gather(authors, (author) => textsOf(author, "alternate_names")),
  };
}

const EPOCH = "1970-01-01T00:00:00.000000";

/**
 * Builds the document of a list or series. Records of series do not list their members: `members` are the keys of the
 * works that refer to the series.
 */
export function buildList(record: CatalogRecord, members: readonly string[] = []): ListDocument {
  const key = keyOf(record) ?? "";
  const seed = [...new Set([...seedsOf(record), ...members])];
  return {
    key,
    ...listTypesOf(key),
    name: textOf(record["name"]) ?? "",
    seed,
    seed_count: seed.length,
    last_modified: `${normalizeDatetime(textOf(record["last_modified"]) ?? "") ?? EPOCH}Z`,
  };
}

/** Returns the types of a list by its key. */
export function listTypesOf(key: string): Pick<ListDocument, "type" | "list_type"> {
  if (key.startsWith("/series/")) return { type: "series", list_type: "series" };
  return { type: "list", list_type: key.startsWith("/people/") ? "user_list" : "community_list" };
}

function seedsOf(record: CatalogRecord): string[] {
  return seedsOfRecord(record).map((seed) => rewriteLegacyKey(seedKeyOf(seed) ?? ""));
}
