import { type CatalogRecord, isObject, stringsOf } from "../../catalog/record.ts";
import type { ImportRecord } from "../record.ts";
import { withoutHonorific } from "./honorifics.ts";
import { inNaturalOrder } from "./name-order.ts";

/** Names by which one author is looked for: the name and the first alternate ones. */
export const AUTHOR_NAMES_SEARCHED = 10;

/** An author of an import record, as it is looked for and would be stored. */
export interface SearchedAuthor {
  /** The author object, with the names in their order and without honorifics. */
  readonly author: CatalogRecord;
  /** The name, then alternate names; each once. */
  readonly names: readonly string[];
  /** Key of the record that it is said to be. */
  readonly key: string | undefined;
  readonly remoteIds: readonly RemoteId[];
  /** What the author did for the work; stored there. */
  readonly role: string | undefined;
}

/** A number of an author with somebody else, `viaf` and its like. */
export interface RemoteId {
  readonly source: string;
  readonly value: string;
}

/** The authors of a record, in their order; what is no author object with a name is left out. */
export function searchedAuthors(record: ImportRecord): SearchedAuthor[] {
  const authors = Array.isArray(record["authors"]) ? record["authors"].filter(isObject) : [];
  const byStatement = record["by_statement"];
  return authors.flatMap(
    (author) => searchedAuthor(author, typeof byStatement === "string" ? byStatement : undefined) ?? [],
  );
}

function searchedAuthor(author: CatalogRecord, byStatement: string | undefined): SearchedAuthor | undefined {
  const { name, key, role } = author;
  if (typeof name !== "string" || name.trim() === "") return undefined;
  const ordered = inNaturalOrder({ ...author, name: withoutHonorific(name.trim()) }, byStatement);
  const names = [...stringsOf(ordered["name"]), ...stringsOf(ordered["alternate_names"])];
  return {
    author: ordered,
    names: [...new Set(names)].slice(0, AUTHOR_NAMES_SEARCHED),
    key: typeof key === "string" && key.startsWith("/") ? key : undefined,
    remoteIds: remoteIdsOf(author),
    role: typeof role === "string" && role.trim() !== "" ? role : undefined,
  };
}

/** The numbers that a record of an author, stored or to be imported, has with others. */
export function remoteIdsOf(author: CatalogRecord): RemoteId[] {
  const { remote_ids: ids } = author;
  if (!isObject(ids)) return [];
  return Object.entries(ids).flatMap(([source, values]) =>
    stringsOf(values)
      .map((value) => ({ source, value: value.trim() }))
      .filter(({ value }) => value !== ""),
  );
}
