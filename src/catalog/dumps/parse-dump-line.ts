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
import type { Text } from "../texts.ts";

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

type DumpLine = DumpRecord | { readonly reason: Text };

/**
 * Parses a line of the five-column dump format: type, key, revision, last_modified, JSON, with tabs between them, such
 * as `/type/work /works/OL1W 2 2026-11-01T10:00:00.000000 {"title": "Emma"}`. The columns must agree with the document.
 * Completes and normalises the envelope; other members stay unchanged. Returns the reason if the line is invalid.
 */
export function parseDumpLine(line: string): DumpLine {
  const columns = line.split("\t");
  if (columns.length !== 5) return refuse("dump_line.columns", { found: columns.length });
  const [type = "", key = "", revisionText = "", modifiedText = "", json = ""] = columns;
  if (!TYPE.test(type)) return refuse("dump_line.type", { value: quote(type) });
  if (!isRecordKey(key)) return refuse("dump_line.key", { value: quote(key) });
  const revision = parseRevision(revisionText);
  if (revision === undefined) return refuse("dump_line.revision", { value: quote(revisionText) });
  const lastModified = normalizeDatetime(modifiedText);
  if (lastModified === undefined) return refuse("dump_line.time", { value: quote(modifiedText) });
  const parsed = tryParseJson(json);
  if (!isObject(parsed)) return refuse("dump_line.json");
  // Q465: SQLite parses at most 1000 levels of JSON, and one deeper record would fail every query over all records.
  if (isTooDeep(parsed)) return refuse("dump_line.depth", { most: DOCUMENT_DEPTH_MAX });
  // Q777: PostgreSQL has no U+0000. Other control characters are frequent in dumps, and harmless.
  const nul = json.includes("\\u0000") ? findText(parsed, (text) => text.includes("\0")) : undefined;
  if (nul !== undefined) return refuse("dump_line.nul", { name: nul.join(".") });
  return completeRecord({ type, key, revision, lastModified }, parsed);
}

function refuse(key: Text["key"], values?: Text["values"]): { readonly reason: Text } {
  return { reason: { key, values } };
}

function parseRevision(text: string): number | undefined {
  if (!/^[1-9]\d{0,9}$/.test(text)) return undefined;
  const revision = Number(text);
  return revision <= HIGHEST_REVISION ? revision : undefined;
}

type Columns = Pick<DumpRecord, "type" | "key" | "revision" | "lastModified">;

function completeRecord(columns: Columns, parsed: CatalogRecord): DumpLine {
  const { type, key, revision, lastModified } = columns;
  const differing = findDisagreement(columns, parsed);
  if (differing !== undefined) return refuse("dump_line.disagreement", differing);
  const created = datetimeIn(parsed["created"]) ?? lastModified;
  const record = hasEnvelope(columns, parsed) ? parsed : withEnvelope(columns, parsed, created);
  const document = JSON.stringify(record);
  const bytes = utf8Length(document);
  if (bytes > DOCUMENT_BYTES) return refuse("dump_line.length", { most: DOCUMENT_BYTES });
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
): { name: string; column: number } | undefined {
  if (parsed["key"] !== undefined && parsed["key"] !== key) return { name: "key", column: 2 };
  if (parsed["type"] !== undefined && typeKeyOf(parsed) !== type) return { name: "type", column: 1 };
  if (parsed["revision"] !== undefined && parsed["revision"] !== revision)
    return { name: "revision", column: 3 };
  const modified = datetimeIn(parsed["last_modified"]);
  const isOther = modified !== undefined && modified !== lastModified;
  return isOther ? { name: "last_modified", column: 4 } : undefined;
}

function datetimeIn(value: unknown): string | undefined {
  const text = isObject(value) ? value["value"] : value;
  return typeof text === "string" ? normalizeDatetime(text) : undefined;
}

function quote(text: string): string {
  return JSON.stringify(text.length > 80 ? `${text.slice(0, 80)}…` : text);
}
