import { type IndexRows, TEXT_ROWS } from "../../catalog/index-rows.ts";
import { sequenceOfKey } from "../../catalog/key-numbers.ts";
import type { ChangeRow } from "../history/rows.ts";
import type { RecordColumns } from "../records/rows.ts";
import { type Statement, overList } from "../statement.ts";

/** A table of index rows: its columns, the key ones first, and what of a document stands in it. */
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
      languages.map((one) => [one.language, one.workId, id, Number(one.open), one.ocaid ?? null]),
  },
];

/** Columns of numbers; the others are texts. */
const NUMBERS: ReadonlySet<string> = new Set(["record_id", "edition_id", "work_id", "open"]);

/** Removes the index rows that documents no longer have, then adds those that they have now. */
export function indexStatements(writes: readonly RevisionWrite[]): Statement[] {
  return TABLES.flatMap((table) => {
    const removed = writes.flatMap((write) => table.values(write.removed, write.id));
    const added = writes.flatMap((write) => table.values(write.added, write.id));
    return overList(removed, deletion(table)).concat(overList(added, insertion(table)));
  });
}

function deletion({ name, key }: IndexTable): string {
  return `DELETE FROM ${name} WHERE (${key.join(", ")}) IN (SELECT ${elements(key)} FROM json_each(?1) e)`;
}

function insertion({ name, key, more }: IndexTable): string {
  const columns = [...key, ...more];
  const also = more.map((column) => `${column} = excluded.${column}`).join(", ");
  return `INSERT INTO ${name} (${columns.join(", ")}) SELECT ${elements(columns)} FROM json_each(?1) e WHERE true
          ON CONFLICT (${key.join(", ")}) DO ${also === "" ? "NOTHING" : `UPDATE SET ${also}`}`;
}

function elements(columns: readonly string[]): string {
  return columns.map(element).join(", ");
}

function element(column: string, index: number): string {
  return NUMBERS.has(column) ? `CAST(e.value->>${index} AS BIGINT)` : `e.value->>${index}`;
}

/** Who changed what, when and why: a row of `change` to be. */
export interface ChangeEntry extends Omit<ChangeRow, "id" | "bot"> {
  /** Of a change that another service has numbered (apply-feed.ts); higher than all here. Else the next number. */
  readonly id?: number;
  readonly bot: boolean;
}

/** One revision to be stored. `document` is the JSON text that stays for ever. */
export interface RevisionWrite extends Omit<RecordColumns, "change"> {
  /** Highest revision stored before, 0 when the record is new: the change fails when that is no longer so. */
  readonly expected: number;
  /** Change that stored that revision, 0 when the record is new: a load may have replaced it under its number. */
  readonly expectedChange: number;
  readonly place: "new-record" | "new-latest" | "history" | "replace-latest" | "replace-history";
  readonly added: IndexRows;
  readonly removed: IndexRows;
}

/**
 * Keys of records that answers show differently when a record changes: itself, and what it refers to or did
 * before; lists of an author's works change with the works.
 */
export function shownKeys({
  key,
  added,
  removed,
}: Pick<RevisionWrite, "key" | "added" | "removed">): string[] {
  const rows = [...added.properties, ...removed.properties];
  const named = rows.filter(({ name, value }) => value.startsWith("/") && !TEXT_ROWS.has(name));
  return [key, ...named.map(({ value }) => value)];
}

/** Of a document that there is not. */
export const NO_ROWS: IndexRows = { properties: [], identifiers: [], languages: [] };

/** Notes the number of a key, if it has one, among the highest of each sequence. */
export function raiseMark(marks: Map<string, number>, key: string, prefix: string): void {
  const sequence = sequenceOfKey(key, prefix);
  if (sequence === undefined) return;
  marks.set(sequence.name, Math.max(sequence.number, marks.get(sequence.name) ?? 0));
}
