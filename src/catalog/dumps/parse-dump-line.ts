import { findText } from "../storable-text.ts";
import {
  tryParseJson,
  DOCUMENT_BYTES,
  DOCUMENT_DEPTH_MAX,
  isObject,
  isTooDeep,
  typeKeyOf,
  type CatalogRecord,
  type Json,
} from "../record.ts";
import { normalizeDatetime } from "../datetime.ts";
import { isRecordKey } from "../keys.ts";
import { utf8Length } from "../bytes.ts";

const HIGHEST_REVISION = 2 ** 31 - 1;
const TYPE = /^\/type\/\w{1,60}$/;

export interface DumpRecord {
  readonly key: string;
  readonly type: string;
  readonly revision: number;
  readonly created: string;
  readonly lastModified: string;
  readonly record: CatalogRecord;
  readonly document: string;
  /** Length of `document` in UTF-8. */
  readonly bytes: number;
}

type DumpLine = DumpRecord | { readonly reason: string };

/**
 * Parses a line of the five-column dump format: type, key, revision, last_modified, JSON, with tabs between them, such
 * as `/type/work /works/OL1W 2 2026-11-01T10:00:00.000000 {"title": "Emma"}`. The columns must agree with the document.
 * Completes and normalises the envelope; other members stay unchanged. Returns the reason if the line is invalid.
 */
export function parseDumpLine(line: string): DumpLine {
  const columns = line.split("\t");
  if (columns.length !== 5) return { reason: `expected 5 tab-separated columns, found ${columns.length}` };
  const [type = "", key = "", revisionText = "", modifiedText = "", json = ""] = columns;
  if (!TYPE.test(type)) return { reason: `not a type: ${quote(type)}` };
  if (!isRecordKey(key)) return { reason: `not a key: ${quote(key)}` };
  const revision = parseRevision(revisionText);
  if (revision === undefined) return { reason: `not a revision number: ${quote(revisionText)}` };
  const lastModified = normalizeDatetime(modifiedText);
  if (lastModified === undefined) return { reason: `not a date and time: ${quote(modifiedText)}` };
  const parsed = tryParseJson(json);
  if (!isObject(parsed)) return { reason: "the fifth column is not a JSON object" };
  // Q465: SQLite parses at most 1000 levels of JSON, and one deeper record would fail every query over all records.
  if (isTooDeep(parsed)) return { reason: `nested deeper than ${DOCUMENT_DEPTH_MAX} values` };
  // Q777: PostgreSQL has no U+0000. Other control characters are frequent in dumps, and harmless.
  const nul = json.includes("\\u0000") ? findText(parsed, (text) => text.includes("\0")) : undefined;
  if (nul !== undefined) return { reason: `U+0000 in ${nul.join(".")}` };
  return completeRecord({ type, key, revision, lastModified }, parsed);
}

function parseRevision(text: string): number | undefined {
  if (!/^[1-9]\d{0,9}$/.test(text)) return undefined;
  const revision = Number(text);
  return revision <= HIGHEST_REVISION ? revision : undefined;
}

type Columns = Pick<DumpRecord, "type" | "key" | "revision" | "lastModified">;

function completeRecord(columns: Columns, parsed: CatalogRecord): DumpLine {
  const { type, key, revision, lastModified } = columns;
  const disagreement = findDisagreement(columns, parsed);
  if (disagreement !== undefined) return { reason: disagreement };
  const created = datetimeIn(parsed["created"]) ?? lastModified;
  const record = hasEnvelope(columns, parsed) ? parsed : withEnvelope(columns, parsed, created);
  const document = JSON.stringify(record);
  const bytes = utf8Length(document);
  if (bytes > DOCUMENT_BYTES) return { reason: `document longer than ${DOCUMENT_BYTES} bytes` };
  return { key, type, revision, created, lastModified, record, document, bytes };
}

function hasEnvelope({ revision, lastModified }: Columns, parsed: CatalogRecord): boolean {
  return (
    parsed["latest_revision"] === revision &&
    parsed["id"] === undefined &&
    isObject(parsed["type"]) &&
    isTime(parsed["last_modified"], lastModified) &&
    isTime(parsed["created"], undefined) &&
    parsed["revision"] === revision &&
    parsed["key"] !== undefined
  );
}

function isTime(value: Json | undefined, expected: string | undefined): boolean {
  if (!isObject(value) || value["type"] !== "/type/datetime" || typeof value["value"] !== "string")
    return false;
  return expected === undefined
    ? normalizeDatetime(value["value"]) === value["value"]
    : value["value"] === expected;
}

function withEnvelope(
  { type, key, revision, lastModified }: Columns,
  parsed: CatalogRecord,
  created: string,
): CatalogRecord {
  const { id: _legacyId, ...members } = parsed;
  return {
    ...members,
    key,
    type: { key: type },
    revision,
    latest_revision: revision,
    created: { type: "/type/datetime", value: created },
    last_modified: { type: "/type/datetime", value: lastModified },
  };
}

function findDisagreement(
  { type, key, revision, lastModified }: Columns,
  parsed: CatalogRecord,
): string | undefined {
  if (parsed["key"] !== undefined && parsed["key"] !== key)
    return "the document has another key than column 2";
  if (parsed["type"] !== undefined && typeKeyOf(parsed) !== type)
    return "the document has another type than column 1";
  if (parsed["revision"] !== undefined && parsed["revision"] !== revision) {
    return "the document has another revision than column 3";
  }
  const modified = datetimeIn(parsed["last_modified"]);
  if (modified !== undefined && modified !== lastModified) {
    return "the document has another last_modified than column 4";
  }
  return undefined;
}

function datetimeIn(value: unknown): string | undefined {
  const text = isObject(value) ? value["value"] : value;
  return typeof text === "string" ? normalizeDatetime(text) : undefined;
}

function quote(text: string): string {
  return JSON.stringify(text.length > 80 ? `${text.slice(0, 80)}…` : text);
}
