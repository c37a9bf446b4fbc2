import { type CatalogRecord, authorsOf, keyOf, textOf } from "../record.ts";
import type { EditionBundle, LookupConfig } from "./shared.ts";
import { type ViewapiEntry, viewapiEntry } from "./viewapi.ts";

/** The entry with the whole record (lookup.md 3.7). */
export interface DetailsEntry extends ViewapiEntry {
  readonly details: CatalogRecord;
}

/** Describes an edition by its record, its authors named. */
export function detailsEntry(requested: string, bundle: EditionBundle, config: LookupConfig): DetailsEntry {
  return { ...viewapiEntry(requested, bundle, config), details: namedAuthors(bundle) };
}

function namedAuthors({ edition, authors }: EditionBundle): CatalogRecord {
  if (edition["authors"] === undefined) return edition;
  const named = authorsOf(edition["authors"], authors).map((author) => ({
    key: keyOf(author),
    name: textOf(author["name"]) ?? "",
  }));
  return { ...edition, authors: named };
}
