import type { ActivityItem, ActivityKind, ActivityMessage } from "../../catalog/patrons/activity.ts";
import { type PatronCore, StateTable, all, first } from "../storage.ts";
import { type Pending, activityItem } from "./activity-item.ts";
import { requireKept } from "./removal.ts";

/** Items per queue message: a hundred works with all observations would exceed the message limit of a queue. */
const ITEMS_MAX = 50;
/** First retry delay in milliseconds; doubles with every attempt up to `RESEND_MAX_MS`. */
const RESEND_MS = 30_000;
const RESEND_MAX_MS = 3_600_000;

/**
 * Transactional outbox of a patron. A row per changed subject stays until the consumer confirms it, so neither a crash
 * nor a lost message loses a change: an alarm resends the rest.
 */
export class Outbox {
  private isSending = false;
  private hasAlarm = false;
  /** Highest sequence already handed to the queue, or left to the alarm. */
  private sent = 0;

  private readonly sql: SqlStorage;
  private readonly state: PatronCore["state"];

  constructor(
    private readonly context: DurableObjectState,
    private readonly queue: Queue<ActivityMessage>,
  ) {
    this.sql = context.storage.sql;
    this.state = new StateTable(this.sql);
  }

  /** Records that a subject changed. Call inside the transaction that changes it. */
  mark(kind: ActivityKind, subject: string): void {
    const sequence = Number(this.state.get("sequence") ?? 0) + 1;
    this.state.set("sequence", sequence);
    if (this.state.get("name") === undefined) this.keepName();
    const sql = `INSERT INTO outbox (kind, subject, sequence) VALUES (?, ?, ?)
                 ON CONFLICT (kind, subject) DO UPDATE SET sequence = excluded.sequence`;
    this.sql.exec(sql, kind, subject, sequence);
  }

  /** Makes the next sequences higher than this one: consumers have states that this object has forgotten. */
  continueAfter(sequence: number): void {
    if (sequence > Number(this.state.get("sequence") ?? 0)) this.state.set("sequence", sequence);
    this.keepName();
  }

  /** Stores the object's name: not every runtime passes it when an alarm wakes the object. */
  private keepName(): void {
    const { name } = this.context.id;
    if (name !== undefined) this.state.set("name", name);
  }

  /**
   * Sends marked subjects that were not sent before, while the answer is on its way. Sets the alarm, in the same
   * transaction as the marks, to make sure of it.
   */
  flush(): void {
    if (!this.hasAlarm) {
      this.hasAlarm = true;
      this.context.waitUntil(this.context.storage.setAlarm(Date.now() + RESEND_MS));
    }
    if (this.isSending) return;
    this.isSending = true;
    this.context.waitUntil(this.send());
  }

  /** Sends everything that is not confirmed; sets another alarm while something is left. */
  async resend(): Promise<void> {
    this.hasAlarm = false;
    if (this.pending(0, 1).length === 0) return this.rest();
    const tries = Number(this.state.get("resends") ?? 0);
    this.state.set("resends", tries + 1);
    this.hasAlarm = true;
    await this.context.storage.setAlarm(Date.now() + Math.min(RESEND_MAX_MS, RESEND_MS * 2 ** tries));
    if (this.isSending) return;
    this.isSending = true;
    this.sent = 0;
    await this.send();
  }

  /** Deletes subjects whose state the consumer has stored; those that have changed since stay. */
  confirm(stored: readonly Pending[]): void {
    this.context.storage.transactionSync(() => {
      for (const { kind, subject, sequence } of stored) {
        const sql = "DELETE FROM outbox WHERE kind = ? AND subject = ? AND sequence = ?";
        this.sql.exec(sql, kind, subject, sequence);
      }
      if (this.pending(0, 1).length === 0) this.rest();
    });
  }

  /** Runs a function that deletes everything, and cancels the alarm: nothing is sent any more. */
  async erase(work: () => void): Promise<void> {
    this.context.storage.transactionSync(work);
    await this.context.storage.deleteAlarm();
    this.hasAlarm = false;
  }

  /** Returns a subject's state with its sequence; undefined if it is confirmed. */
  unconfirmed(kind: ActivityKind, subject: string): ActivityItem | undefined {
    const sql = "SELECT * FROM outbox WHERE kind = ? AND subject = ?";
    const row = first<Pending>(this.sql, sql, kind, subject);
    return row === undefined ? undefined : activityItem(this.sql, row);
  }

  private async send(): Promise<void> {
    try {
      const patron = this.context.id.name ?? this.state.get("name");
      if (patron === undefined) throw new Error("a patron's object without a name");
      for (;;) {
        const rows = this.pending(this.sent, ITEMS_MAX);
        const last = rows.at(-1);
        if (last === undefined) return;
        await this.queue.send({ patron, items: rows.map((row) => activityItem(this.sql, row)) });
        this.sent = last.sequence;
      }
    } catch (error) {
      // The alarm resends the rest.
      console.error(JSON.stringify({ level: "error", event: "patron outbox", error: String(error) }));
    } finally {
      this.isSending = false;
    }
  }

  /** Cancels the alarm: nothing is left to send. */
  private rest(): void {
    this.hasAlarm = false;
    this.context.waitUntil(this.context.storage.deleteAlarm());
    this.state.delete("resends");
  }

  private pending(after: number, limit: number): Pending[] {
    const sql = "SELECT * FROM outbox WHERE sequence > ? ORDER BY sequence LIMIT ?";
    return all<Pending>(this.sql, sql, after, limit);
  }
}

/** Creates the dependencies of the object's parts. */
export function coreOf(context: DurableObjectState, outbox: Outbox): PatronCore {
  const { sql } = context.storage;
  const state: PatronCore["state"] = new StateTable(sql);
  const transact = <Result>(work: () => Result): Result =>
    context.storage.transactionSync(() => {
      requireKept(state);
      return work();
    });
  return {
    sql,
    state,
    transact,
    change: (work) => {
      const result = transact(work);
      outbox.flush();
      return result;
    },
    mark: (kind, subject) => outbox.mark(kind, String(subject)),
  };
}
