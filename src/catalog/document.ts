import { type CatalogRecord, stringsOf, typeKey } from "./record.ts";
import { needsReadView, readView } from "./view.ts";

/** Bits of `record.flags`: properties of a document that readers need without parsing it. */
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

/** Returns the flags of a document, a bitwise OR of the constants above. */
export function recordFlags(record: CatalogRecord): number {
  let flags = needsReadView(record) ? RecordFlag.needsView : 0;
  if (typeKey(record) !== "/type/work") return flags;
  for (const subject of stringsOf(record["subjects"])) flags |= HOLDING_SUBJECTS.get(subject) ?? 0;
  return flags;
}

/** Stored document and the flags of its record's latest revision. */
interface StoredDocument {
  readonly flags: number;
  readonly document: string;
}

/** Parses a stored document without changing it. */
export function parseDocument(document: string): CatalogRecord {
  // Stored documents were checked when they were written.
  return JSON.parse(document) as CatalogRecord;
}

/** Returns the latest revision as readers see it, as JSON text: the stored text itself if nothing changes. */
export function latestText({ flags, document }: StoredDocument): string {
  return (flags & RecordFlag.needsView) === 0 ? document : JSON.stringify(readView(parseDocument(document)));
}

/** Returns the latest revision as readers see it. */
export function latestRecord({ flags, document }: StoredDocument): CatalogRecord {
  const record = parseDocument(document);
  return (flags & RecordFlag.needsView) === 0 ? record : readView(record);
}

/** Returns an older revision as readers see it, as JSON text. The flags do not apply to older revisions (Q19). */
export function olderText(document: string): string {
  const record = parseDocument(document);
  return needsReadView(record) ? JSON.stringify(readView(record)) : document;
}
