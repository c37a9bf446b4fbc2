import { MIB } from "../../catalog/units.ts";
import type { ActivityItem } from "../../catalog/patrons/activity.ts";
import {
  type ObjectTables,
  type RowPlace,
  emptyTables,
  readTables,
  writeObjectTables,
} from "../object-tables.ts";
import { storedValues, storedValue } from "../storage.ts";
import { type PatronCore, PatronPart } from "./core.ts";
import { type Outbox, markAllSubjects } from "./outbox.ts";

/** Approximate bytes of a part of an object as JSON. */
const PART_BYTES = 4 * MIB;
/** States of subjects of a page. */
const ACTIVITY_PAGE = 500;
/**
 * Tables that no backup has: sessions and tokens are secret, and a restore must not open again what has ended; what is in
 * the outbox is sent anew by a restore.
 */
const LEFT_OUT = ["access_grant", "outbox", "session", "token"];
/** States that hold only here: a login code, numbers that D1 has reserved, and how the outbox stands. */
const OWN_STATES: ReadonlySet<unknown> = new Set(["check_in_numbers", "code", "resends", "unsaved"]);

export interface PatronPartOfBackup {
  readonly tables: ObjectTables;
  readonly next: RowPlace | null;
  /** Parts with the same mark are of the same moment. */
  readonly mark: string;
}

export class PatronBackup extends PatronPart {
  readonly #outbox: Outbox;

  constructor(core: PatronCore, outbox: Outbox) {
    super(core);
    this.#outbox = outbox;
  }

  /** Reads a part of the object. The first one takes note that later changes are not in the backup. */
  read(from: RowPlace | null): PatronPartOfBackup {
    const { sql, state } = this.core;
    if (from === null) state.delete("unsaved");
    const { tables, next } = readTables(sql, { without: LEFT_OUT, from, bytes: PART_BYTES });
    const states = tables["state"]?.filter(({ name }) => !OWN_STATES.has(name));
    return {
      tables: states === undefined ? tables : { ...tables, state: states },
      next,
      mark: `${this.#outbox.instance} ${String(storedValue(sql, "SELECT total_changes()"))}`,
    };
  }

  /**
   * Writes a part of a backup, in one transaction; the first one replaces everything. The last one marks all subjects as
   * changed, whose states `activity` returns for the projections, and returns the numbers of check-ins.
   */
  write(tables: ObjectTables, { isFirst, isLast }: { isFirst: boolean; isLast: boolean }): number[] {
    const { sql, state } = this.core;
    const sequence = Number(state.get("sequence") ?? 0);
    this.core.transact(() => {
      if (isFirst) emptyTables(sql, LEFT_OUT);
      writeObjectTables(sql, tables);
      this.#outbox.continueAfter(sequence);
      if (isLast) markAllSubjects(this.core);
    });
    this.#outbox.ensureAlarm();
    return isLast ? storedValues<number>(sql, "SELECT id FROM check_in") : [];
  }

  /** Returns a page of the states that projections may lack, after a sequence. */
  activity(after: number): ActivityItem[] {
    return this.#outbox.unconfirmed(after, ACTIVITY_PAGE);
  }
}
