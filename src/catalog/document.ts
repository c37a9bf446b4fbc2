import type { CatalogRecord } from "./record.ts";
import { RecordFlag } from "./record-flags.ts";
import { needsReadView, readView } from "./view.ts";

/** A stored document and the flags of its record's latest revision. */
export interface StoredDocument {
  readonly flags: number;
  readonly document: string;
}

/** Parses a stored document as it is. */
export function parseDocument(document: string): CatalogRecord {
  // What is stored was checked when it was written.
  return JSON.parse(document) as CatalogRecord;
}

/** The latest revision as readers get it, as JSON text; the stored text itself wherever that is the same. */
export function latestText({ flags, document }: StoredDocument): string {
  return (flags & RecordFlag.needsView) === 0 ? document : JSON.stringify(readView(parseDocument(document)));
}

/** The latest revision as readers get it. */
export function latestRecord({ flags, document }: StoredDocument): CatalogRecord {
  const record = parseDocument(document);
  return (flags & RecordFlag.needsView) === 0 ? record : readView(record);
}

/** An older revision as readers get it, as JSON text. The flags do not speak of older revisions (Q19). */
export function olderText(document: string): string {
  const record = parseDocument(document);
  return needsReadView(record) ? JSON.stringify(readView(record)) : document;
}
