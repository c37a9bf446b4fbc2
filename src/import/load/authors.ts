import type { StoredForWrite } from "../../catalog/editing/rights.ts";
import { type CatalogRecord, type Json, stringsOf } from "../../catalog/record.ts";
import { type ImportRecord, isFalsy, without } from "../record.ts";
import { findAuthor } from "./find-author.ts";
import type { Found } from "./found.ts";
import { presentMembers } from "./members.ts";
import { searchedAuthors } from "./searched-author.ts";

/** Members that a new author takes from the author object of the record. */
const MEMBERS = [
  "name",
  "title",
  "personal_name",
  "birth_date",
  "death_date",
  "date",
  "remote_ids",
  "entity_type",
  "alternate_names",
];

/** Builds the record of a new author. `source` is the source of the import record. */
function newAuthor(author: CatalogRecord, source: string): CatalogRecord {
  const members = MEMBERS.map((name): [string, Json | undefined] => [name, author[name]]);
  const record = presentMembers({
    type: { key: "/type/author" },
    ...Object.fromEntries(members),
    source_records: [source],
  });
  return isFalsy(record["remote_ids"]) ? without(record, "remote_ids") : record;
}

/** Author of a record: an author of the catalog, or a new one. */
export type ResolvedAuthor = { readonly role: string | undefined } & (
  | { readonly stored: StoredForWrite }
  | { readonly created: CatalogRecord }
);

/** Returns the distinct authors of a record in order. If an author has two roles, the first counts. */
export function resolvedAuthors(record: ImportRecord, found: Found): ResolvedAuthor[] {
  const [source = ""] = stringsOf(record["source_records"]);
  const resolved = new Map<string, ResolvedAuthor>();
  for (const searched of searchedAuthors(record)) {
    const { author, role } = searched;
    const stored = findAuthor(searched, found);
    const created = stored === undefined ? newAuthor(author, source) : undefined;
    const name = stored?.key ?? JSON.stringify(created);
    const before = resolved.get(name);
    if (before?.role !== undefined) continue;
    if (stored !== undefined) resolved.set(name, { stored, role });
    else if (created !== undefined) resolved.set(name, { created, role });
  }
  return [...resolved.values()];
}
