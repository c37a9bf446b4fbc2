import { type Database, type Statement, prepare } from "../statement.ts";
import type { ChangeEntry, RevisionWrite } from "./revision-write.ts";
import { type SequenceMarks, changeStatements } from "./statements.ts";

/** A change ready to be stored. */
export interface Change {
  readonly entry: ChangeEntry;
  readonly writes: readonly RevisionWrite[];
  readonly sequences: SequenceMarks;
  /** Run at the end of the transaction: each makes it fail, as a "conflict", by a row in `expectation`. */
  readonly guards?: readonly Statement[];
}

/**
 * Stores a change as one transaction. Returns its id, or "conflict" when another writer changed one of the
 * records since they were read, or when a guard failed; then nothing was stored.
 */
export async function commitChange(database: Database, change: Change): Promise<number | "conflict"> {
  const { entry, writes, sequences, guards = [] } = change;
  const statements = [...changeStatements(entry, writes, sequences), ...guards];
  try {
    const results = await database.batch<{ id: number }>(
      statements.map((statement) => prepare(database, statement)),
    );
    const id = results[0]?.results[0]?.id;
    if (id === undefined) throw new Error("the change got no id");
    return id;
  } catch (error) {
    if (isConflict(error)) return "conflict";
    throw error;
  }
}

/** A unique key or a CHECK that failed: somebody else was faster. */
function isConflict(error: unknown): boolean {
  return error instanceof Error && /(UNIQUE|CHECK) constraint failed/.test(error.message);
}
