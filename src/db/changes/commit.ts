import { type Database, type Statement, prepare } from "../statement.ts";
import type { ChangeEntry, RevisionWrite } from "./revision-write.ts";
import { type ChangeParts, changeStatements } from "./statements.ts";

/** A change ready to be stored. */
export interface Change extends ChangeParts {
  readonly entry: ChangeEntry;
  readonly writes: readonly RevisionWrite[];
  /** What else is stored in the same transaction. */
  readonly also?: readonly Statement[];
  /** Run at the end of the transaction: each makes it fail, as a "conflict", by a row in `expectation`. */
  readonly guards?: readonly Statement[];
}

/**
 * Stores a change as one transaction. Returns its id, or "conflict" when another writer changed one of the
 * records since they were read, or when its condition or a guard failed; then nothing was stored.
 */
export async function commitChange(database: Database, change: Change): Promise<number | "conflict"> {
  const { entry, writes, also = [], guards = [] } = change;
  const statements = [...changeStatements(entry, writes, change), ...also, ...guards];
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

const CONFLICT = /(?:UNIQUE|CHECK) constraint failed|NOT NULL constraint failed: change\.kind/;

/** A unique key, a CHECK or a condition that failed: somebody else was faster. */
function isConflict(error: unknown): boolean {
  return error instanceof Error && CONFLICT.test(error.message);
}
