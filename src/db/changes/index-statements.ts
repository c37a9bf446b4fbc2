import type { IndexRows } from "../../catalog/index-rows.ts";
import { type Statement, overList } from "../statement.ts";
import type { RevisionWrite } from "./revision-write.ts";

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
      languages.map(({ language, workId, open, ocaid }) => [
        language,
        workId,
        id,
        Number(open),
        ocaid ?? null,
      ]),
  },
];

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
  return `INSERT OR REPLACE INTO ${name} (${columns.join(", ")}) SELECT ${elements(columns)} FROM json_each(?1) e`;
}

function elements(columns: readonly string[]): string {
  return columns.map((_column, index) => `e.value->>${index}`).join(", ");
}
