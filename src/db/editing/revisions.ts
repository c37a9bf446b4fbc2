import { type IndexRows, TEXT_ROWS } from "../../catalog/index-rows.ts";
import { sequenceOfKey } from "../../catalog/key-numbers.ts";
import type { ChangeRow } from "../history/changes.ts";
import type { RecordColumns } from "../records/record-rows.ts";
import { type Statement, overList } from "../statement.ts";

/** Table of index rows: its columns, key columns first, and their values in a document. */
interface IndexTable {
  readonly name: string;
  readonly key: readonly string[];
  readonly more: readonly string[];
  values(rows: IndexRows, recordId: number): readonly (readonly unknown[])[];
}

const TABLES: readonly IndexTable[] = [
  {
    name: "property",
    key: ["name", "value", "record_id"],
    more: [],
    values: ({ properties }, id) => properties.map(({ name, value }) => [name, value, id]),
  },
  {
    name: "identifier",
    key: ["kind", "value", "edition_id"],
    more: [],
    values: ({ identifiers }, id) => identifiers.map(({ kind, value }) => [kind, value, id]),
  },
  {
    name: "edition_language",
    key: ["language", "work_id", "edition_id"],
    more: ["open", "ocaid"],
    values: ({ languages }, id) =>
      languages.map((row) => [row.language, row.workId, id, Number(row.open), row.ocaid ?? null]),
  },
];

/** Numeric columns; all others are text. */
const NUMBERS: ReadonlySet<string> = new Set(["record_id", "edition_id", "work_id", "open"]);

export function indexStatements(writes: readonly RevisionWrite[]): Statement[] {
  return TABLES.flatMap((table) => {
    const removed = writes.flatMap((write) => table.values(write.removed, write.id));
    const added = writes.flatMap((write) => table.values(write.added, write.id));
    return overList(removed, deletionSql(table)).concat(overList(added, insertionSql(table)));
  });
}

function deletionSql({ name, key }: IndexTable): string {
  return `DELETE FROM ${name} WHERE (${key.join(", ")}) IN (SELECT ${elementsSql(key)} FROM json_each(?1) e)`;
}

function insertionSql({ name, key, more }: IndexTable): string {
  const columns = [...key, ...more];
  const also = more.map((column) => `${column} = excluded.${column}`).join(", ");
  return `INSERT INTO ${name} (${columns.join(", ")}) SELECT ${elementsSql(columns)} FROM json_each(?1) e WHERE true
          ON CONFLICT (${key.join(", ")}) DO ${also === "" ? "NOTHING" : `UPDATE SET ${also}`}`;
}

function elementsSql(columns: readonly string[]): string {
  return columns.map(elementSql).join(", ");
}

function elementSql(column: string, index: number): string {
  return NUMBERS.has(column) ? `CAST(e.value->>${index} AS BIGINT)` : `e.value->>${index}`;
}

export interface ChangeEntry extends Omit<ChangeRow, "id" | "bot"> {
  /**
   * Number of a change from a source service (apply-feed.ts), higher than all local ones. Defaults to the next number.
   */
  readonly id?: number;
  readonly bot: boolean;
}

/** Revision to store. `document` is the JSON text that is kept forever. */
export interface RevisionWrite extends Omit<RecordColumns, "change"> {
  /** Highest revision stored before, 0 for a new record. The change fails if this no longer holds. */
  readonly expected: number;
  /** Change that stored that revision, 0 for a new record: a load may have replaced it under its number. */
  readonly expectedChange: number;
  /** True if the latest revision is known to have the same type. */
  readonly isSameType: boolean;
  readonly place: "new-record" | "new-latest" | "history" | "replace-latest" | "replace-history";
  readonly added: IndexRows;
  readonly removed: IndexRows;
}

/**
 * Returns the keys of records whose responses change with a record: itself, and the records that it refers to or
 * referred to, because lists of an author's works change with the works.
 */
export function affectedKeysOf({
  key,
  added,
  removed,
}: Pick<RevisionWrite, "key" | "added" | "removed">): string[] {
  const rows = [...added.properties, ...removed.properties];
  const named = rows.filter(({ name, value }) => value.startsWith("/") && !TEXT_ROWS.has(name));
  return [key, ...named.map(({ value }) => value)];
}

/** Index rows of a document that does not exist. */
export const NO_INDEX_ROWS: IndexRows = { properties: [], identifiers: [], languages: [] };

/** Raises the highest number of a key's sequence, if the key has a number. */
export function raiseSequence(marks: Map<string, number>, key: string, prefix: string): void {
  const sequence = sequenceOfKey(key, prefix);
  if (sequence === undefined) return;
  marks.set(sequence.name, Math.max(sequence.number, marks.get(sequence.name) ?? 0));
}
