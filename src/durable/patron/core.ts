import { RpcTarget } from "cloudflare:workers";
import type { ActivityKind } from "../../catalog/patrons/activity.ts";
import { NO_SESSION, REMOVED } from "../protocol.ts";
import { StateTable, storedValue } from "../storage.ts";
import { type SessionUse, useSession } from "./sessions.ts";

export type PatronState = StateTable<
  | "barred"
  | "check_in_numbers"
  | "closed"
  | "code"
  | "lending_keys"
  | "name"
  | "removed"
  | "resends"
  | "sequence"
  | "shelf_undo"
  | "sync_key"
  | "unsaved"
>;

export interface PatronCore {
  readonly sql: SqlStorage;
  readonly state: PatronState;
  /**
   * Runs `work` as one transaction, for a request that uses a session if it comes with one. Throws if the session is not
   * open, and if the account is removed, or is being removed.
   */
  transact<Result>(work: () => Result, use?: SessionUse): Result;
  /** Runs `work` as one transaction, then sends the subjects that it marked. Throws like `transact`. */
  change<Result>(work: () => Result, use?: SessionUse): Result;
  markChanged(kind: ActivityKind, subject: string | number): void;
}

export function createCore(
  { storage }: DurableObjectState,
  outbox: { markChanged(kind: ActivityKind, subject: string): void; flush(): void; markUnsaved(): void },
): PatronCore {
  const state: PatronState = new StateTable(storage.sql);
  const transact = <Result>(work: () => Result, use?: SessionUse): Result =>
    storage.transactionSync(() => {
      if (state.get("removed") !== undefined) throw new Error(REMOVED);
      if (use !== undefined && !useSession(storage.sql, use)) throw new Error(NO_SESSION);
      return noteChanges(storage.sql, outbox, work);
    });
  return {
    sql: storage.sql,
    state,
    transact,
    change: (work, use) => {
      const result = transact(work, use);
      outbox.flush();
      return result;
    },
    markChanged: (kind, subject) => outbox.markChanged(kind, String(subject)),
  };
}

const CHANGES = "SELECT total_changes()";

/** Runs `work` inside a transaction; if it changes anything, the latest backup lacks it. */
export function noteChanges<Result>(
  sql: SqlStorage,
  outbox: { markUnsaved(): void },
  work: () => Result,
): Result {
  const before = storedValue<number>(sql, CHANGES);
  const result = work();
  if (storedValue<number>(sql, CHANGES) !== before) outbox.markUnsaved();
  return result;
}

/** Part of a patron's object. Remote callers can use its methods, and reach nothing else of it. */
export class PatronPart extends RpcTarget {
  protected readonly core: PatronCore;

  constructor(core: PatronCore) {
    super();
    this.core = core;
  }
}
