import { parseDocument } from "../document.ts";
import { rewriteLegacyKey } from "../keys.ts";
import { typeKey } from "../record.ts";
import { dumpedDocument } from "./dumped-document.ts";

/** A revision as it is stored. */
export interface StoredRevision {
  readonly key: string;
  /** Null where only the document says it. */
  readonly type: string | null;
  readonly revision: number;
  /** Naive UTC, six fraction digits. */
  readonly lastModified: string;
  readonly document: string;
}

/** A line of a dump, with its end, and the type in its first column. */
export interface RecordLine {
  readonly type: string;
  readonly line: string;
}

/** Type of revisions whose document names none. */
const UNTYPED = "/type/object";

/** The line of a revision: type, key, revision, last_modified, JSON (records.md 11.1). */
export function recordLine({ key, type, revision, lastModified, document }: StoredRevision): RecordLine {
  const stated = type ?? typeKey(parseDocument(document)) ?? UNTYPED;
  const columns = [stated, rewriteLegacyKey(key), revision, lastModified, dumpedDocument(document)];
  return { type: stated, line: `${columns.join("\t")}\n` };
}

/** A cover as it is published. */
export interface DumpedCover {
  readonly id: number;
  readonly width: number;
  readonly height: number;
  /** `YYYY-MM-DD` */
  readonly date: string;
}

/** A line of the metadata of covers: id, width, height, day. */
export function coverLine({ id, width, height, date }: DumpedCover): string {
  return `${[id, width, height, date].join("\t")}\n`;
}
