import { isLegacyKey, rewriteLegacyKey } from "./keys.ts";
import { isObject, textOf, typeKeyOf, stringsOf, type CatalogRecord, type Json } from "./record.ts";

/** Maximum depth at which legacy keys are rewritten. Catalog records are at most 5 deep. */
export const VIEW_DEPTH_MAX = 64;

type TocRow = {
  readonly level: number;
  readonly label: string;
  readonly title: string;
  readonly pagenum: string;
};

const TOC_TEXTS = ["label", "title", "pagenum"] as const;
const TOC_EXTRAS = ["authors", "subtitle", "description"] as const;
const TOC_MEMBERS = new Set<string>(["level", ...TOC_TEXTS, ...TOC_EXTRAS]);
const WHOLE_NUMBER = /^\s*[+-]?\d{1,9}\s*$/;

/** Returns true if `toReadView` would change anything. Other records can be served as stored. */
export function needsReadView(record: CatalogRecord): boolean {
  if (typeof record["id"] === "number" || hasLegacyKey(record, 0)) return true;
  const type = typeKeyOf(record);
  if (type === "/type/edition") {
    return record["title_prefix"] !== undefined || hasUnreadRow(record["table_of_contents"]);
  }
  return type === "/type/work" && hasRoleWithoutAuthor(record["authors"]);
}

/**
 * Returns a stored document as readers see it: canonical keys, regular tables of contents, a title with its prefix, no
 * authorless roles, no legacy `id`. Returns the record itself if nothing changes (Q23).
 */
export function toReadView(record: CatalogRecord): CatalogRecord {
  if (!needsReadView(record)) return record;
  const canonical = hasLegacyKey(record, 0) ? rewriteKeys(record, 0) : record;
  const { id, ...members } = canonical;
  const view = typeof id === "number" ? members : canonical;
  const type = typeKeyOf(view);
  if (type === "/type/edition") return toEditionView(view);
  const { authors: roles } = view;
  const isTidied = type === "/type/work" && hasRoleWithoutAuthor(roles);
  return isTidied ? { ...view, authors: roles.filter(hasAuthor) } : view;
}

export function editionTitleOf(edition: CatalogRecord): string | undefined {
  const title = textOf(edition["title"]);
  const prefix = textOf(edition["title_prefix"]);
  if (prefix === undefined || prefix.trim() === "") return title;
  return `${prefix} ${title ?? ""}`.trim();
}

/** Returns the four members of a stored row. Returns undefined for an empty row. */
export function toTocRow(row: Json | undefined): TocRow | undefined {
  const isRow = isObject(row) && typeof row["value"] !== "string";
  const rowView = rowMembersOf(isRow ? row : { title: textOf(row) ?? "" });
  const isEmpty = rowView.level === 0 && TOC_TEXTS.every((name) => rowView[name] === "");
  return isEmpty ? undefined : rowView;
}

function rowMembersOf(row: CatalogRecord): TocRow {
  const { level, label, title, pagenum } = row;
  return {
    level: toWholeNumber(level),
    label: toTocText(label),
    title: toTocText(title),
    pagenum: toTocText(pagenum),
  };
}

function toTocText(value: Json | undefined): string {
  return typeof value === "number" ? String(value) : (textOf(value) ?? "");
}

function toWholeNumber(value: Json | undefined): number {
  if (typeof value === "string") return WHOLE_NUMBER.test(value) ? Number(value) : 0;
  const number = typeof value === "number" ? Math.trunc(value) : 0;
  return Number.isSafeInteger(number) ? number : 0;
}

function hasLegacyKey(value: CatalogRecord | Json[], depth: number): boolean {
  if (depth > VIEW_DEPTH_MAX) return false;
  if (Array.isArray(value)) return value.some((element) => hasLegacyKeyBelow(element, depth));
  for (const name in value) {
    const member = value[name];
    if (typeof member === "string") {
      if (name === "key" && isLegacyKey(member)) return true;
    } else if (hasLegacyKeyBelow(member, depth)) return true;
  }
  return false;
}

function hasLegacyKeyBelow(value: Json | undefined, depth: number): boolean {
  return typeof value === "object" && value !== null && hasLegacyKey(value, depth + 1);
}

function rewriteKeys(object: CatalogRecord, depth: number): CatalogRecord {
  return Object.fromEntries(
    Object.entries(object).map(([name, value]) => [
      name,
      name === "key" && typeof value === "string" ? rewriteLegacyKey(value) : rewriteKeysIn(value, depth + 1),
    ]),
  );
}

function rewriteKeysIn(value: Json | undefined, depth: number): Json | undefined {
  if (typeof value !== "object" || value === null || depth > VIEW_DEPTH_MAX) return value;
  if (!Array.isArray(value)) return rewriteKeys(value, depth);
  return value.map((element) => rewriteKeysIn(element, depth + 1) ?? null);
}

function toEditionView(edition: CatalogRecord): CatalogRecord {
  const { title_prefix: _prefix, ...members } = edition;
  const title = editionTitleOf(edition);
  const titled = title === undefined ? members : { ...members, title };
  const rows = edition["table_of_contents"];
  return hasUnreadRow(rows) ? { ...titled, table_of_contents: toReadRows(rows) } : titled;
}

function toReadRows(rows: Json[]): Json[] {
  return rows.flatMap((row) => {
    const rowView = toTocRow(row);
    return rowView === undefined ? [] : [{ ...rowView, ...tocExtrasOf(row) }];
  });
}

/** Returns the members of a row of a table of contents that are kept besides the four of its text. */
export function tocExtrasOf(row: unknown): CatalogRecord {
  if (!isObject(row)) return {};
  const extras = TOC_EXTRAS.map((name) => [name, row[name]] as const);
  return Object.fromEntries(extras.filter(([, value]) => value !== undefined));
}

function hasUnreadRow(rows: Json | undefined): rows is Json[] {
  return Array.isArray(rows) && !rows.every(isReadRow);
}

function isReadRow(row: Json): boolean {
  if (!isObject(row) || !Number.isSafeInteger(row["level"])) return false;
  const { label, title, pagenum } = row;
  if (typeof label !== "string" || typeof title !== "string" || typeof pagenum !== "string") return false;
  for (const name in row) if (!TOC_MEMBERS.has(name)) return false;
  return row["level"] !== 0 || label !== "" || title !== "" || pagenum !== "";
}

function hasRoleWithoutAuthor(roles: Json | undefined): roles is Json[] {
  return Array.isArray(roles) && !roles.every(hasAuthor);
}

function hasAuthor(role: Json): boolean {
  if (!isObject(role)) return false;
  const { author } = role;
  return isObject(author) && typeof author["key"] === "string";
}

/** Bits of `record.flags`: properties of a document that readers need without parsing it. */
export const RecordFlag = {
  /** The stored document differs from its read view. */
  needsView: 1,
  /** A work with the subject `In library` or `Lending library`. */
  lendingSubject: 2,
  daisySubject: 4,
  accessibleSubject: 8,
} as const;

const HOLDING_SUBJECTS = new Map<string, number>([
  ["In library", RecordFlag.lendingSubject],
  ["Lending library", RecordFlag.lendingSubject],
  ["Protected DAISY", RecordFlag.daisySubject],
  ["Accessible book", RecordFlag.accessibleSubject],
]);

/** Returns the flags of a document, a bitwise OR of the constants above. */
export function flagsOf(record: CatalogRecord): number {
  let flags = needsReadView(record) ? RecordFlag.needsView : 0;
  if (typeKeyOf(record) !== "/type/work") return flags;
  for (const subject of stringsOf(record["subjects"])) flags |= HOLDING_SUBJECTS.get(subject) ?? 0;
  return flags;
}

interface StoredDocument {
  readonly flags: number;
  readonly document: string;
}

export function parseDocument(document: string): CatalogRecord {
  // Stored documents were checked when they were written.
  return JSON.parse(document) as CatalogRecord;
}

/** Returns the latest revision as readers see it, as JSON text: the stored text itself if nothing changes. */
export function latestTextOf({ flags, document }: StoredDocument): string {
  return (flags & RecordFlag.needsView) === 0
    ? document
    : JSON.stringify(toReadView(parseDocument(document)));
}

/** Returns the latest revision as readers see it. */
export function latestRecordOf({ flags, document }: StoredDocument): CatalogRecord {
  const record = parseDocument(document);
  return (flags & RecordFlag.needsView) === 0 ? record : toReadView(record);
}

/** Returns an older revision as readers see it, as JSON text. The flags do not apply to older revisions (Q19). */
export function olderTextOf(document: string): string {
  const record = parseDocument(document);
  return needsReadView(record) ? JSON.stringify(toReadView(record)) : document;
}
