import { type CatalogRecord, stringsOf, typeKey } from "./record.ts";
import { needsReadView, readView } from "./view.ts";

/** Bits of `record.flags`: facts about a document that readers need without parsing it. */
export const RecordFlag = {
  /** The stored document differs from its read view. */
  needsView: 1,
  /** A work with the subject `In library` or `Lending library`. */
  lendingSubject: 2,
  /** A work with the subject `Protected DAISY`. */
  daisySubject: 4,
  /** A work with the subject `Accessible book`. */
  accessibleSubject: 8,
} as const;

const HOLDING_SUBJECTS = new Map<string, number>([
  ["In library", RecordFlag.lendingSubject],
  ["Lending library", RecordFlag.lendingSubject],
  ["Protected DAISY", RecordFlag.daisySubject],
  ["Accessible book", RecordFlag.accessibleSubject],
]);

/** The flags of a document, an OR of the bits above. */
export function recordFlags(record: CatalogRecord): number {
  let flags = needsReadView(record) ? RecordFlag.needsView : 0;
  if (typeKey(record) !== "/type/work") return flags;
  for (const subject of stringsOf(record["subjects"])) flags |= HOLDING_SUBJECTS.get(subject) ?? 0;
  return flags;
}

/** A stored document and the flags of its record's latest revision. */
interface StoredDocument {
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
