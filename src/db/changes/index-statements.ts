import type { LanguageRow } from "../../catalog/index-rows.ts";
import { type Statement, overList } from "../statement.ts";
import type { RevisionWrite } from "./revision-write.ts";

/** Removes the index rows that documents no longer have, then adds those that they have now. */
export function indexStatements(writes: readonly RevisionWrite[]): Statement[] {
  return [...propertyStatements(writes), ...identifierStatements(writes), ...languageStatements(writes)];
}

function propertyStatements(writes: readonly RevisionWrite[]): Statement[] {
  const rows = (side: "added" | "removed"): unknown[] =>
    writes.flatMap((write) => write[side].properties.map(({ name, value }) => [name, value, write.id]));
  return [
    ...overList(
      rows("removed"),
      `DELETE FROM property WHERE (name, value, record_id) IN
       (SELECT e.value->>0, e.value->>1, e.value->>2 FROM json_each(?1) e)`,
    ),
    ...overList(
      rows("added"),
      `INSERT OR IGNORE INTO property (name, value, record_id)
       SELECT e.value->>0, e.value->>1, e.value->>2 FROM json_each(?1) e`,
    ),
  ];
}

function identifierStatements(writes: readonly RevisionWrite[]): Statement[] {
  const rows = (side: "added" | "removed"): unknown[] =>
    writes.flatMap((write) => write[side].identifiers.map(({ kind, value }) => [kind, value, write.id]));
  return [
    ...overList(
      rows("removed"),
      `DELETE FROM identifier WHERE (kind, value, edition_id) IN
       (SELECT e.value->>0, e.value->>1, e.value->>2 FROM json_each(?1) e)`,
    ),
    ...overList(
      rows("added"),
      `INSERT OR IGNORE INTO identifier (kind, value, edition_id)
       SELECT e.value->>0, e.value->>1, e.value->>2 FROM json_each(?1) e`,
    ),
  ];
}

function languageStatements(writes: readonly RevisionWrite[]): Statement[] {
  const rows = (side: "added" | "removed"): unknown[] =>
    writes.flatMap((write) => write[side].languages.map((row) => languageValues(row, write.id)));
  return [
    ...overList(
      rows("removed"),
      `DELETE FROM edition_language WHERE (language, work_id, edition_id) IN
       (SELECT e.value->>0, e.value->>1, e.value->>2 FROM json_each(?1) e)`,
    ),
    ...overList(
      rows("added"),
      `INSERT OR REPLACE INTO edition_language (language, work_id, edition_id, open, ocaid)
       SELECT e.value->>0, e.value->>1, e.value->>2, e.value->>3, e.value->>4 FROM json_each(?1) e`,
    ),
  ];
}

function languageValues(row: LanguageRow, editionId: number): unknown[] {
  return [row.language, row.workId, editionId, Number(row.open), row.ocaid ?? null];
}
