import { type CatalogRecord, stringsOf } from "../../catalog/record.ts";
import type { StoredForWrite } from "../../catalog/write/prepare.ts";
import type { Found } from "../load/found.ts";
import type { ImportRecord } from "../record.ts";
import { findAuthor } from "./find-author.ts";
import { newAuthor } from "./new-author.ts";
import { searchedAuthors } from "./searched-author.ts";

/** An author of a record: one that the catalog has, or a new one. */
export type ResolvedAuthor = { readonly role: string | undefined } & (
  | { readonly stored: StoredForWrite }
  | { readonly created: CatalogRecord }
);

/** The authors of a record in their order, each once; of two roles of one author the first counts. */
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
