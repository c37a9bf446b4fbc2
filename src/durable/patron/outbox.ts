import type { ActivityItem, ActivityKind, ActivityMessage } from "../../catalog/patrons/activity.ts";
import { type PatronCore, StateTable, all, first } from "../storage.ts";
import { type Pending, activityItem } from "./activity-item.ts";
import { requireKept } from "./removal.ts";

/** Subjects of one message: a hundred works with every observation that there is would be too long for a queue. */
const ITEMS_MAX = 50;
/** After how long what was not confirmed is sent again, in milliseconds; twice as long each time, up to the second. */
const RESEND_MS = 30_000;
const RESEND_MAX_MS = 3_600_000;

/**
 * The outbox of a patron's object: which subjects have changed since others confirmed what they know of them. A row
 * stays until then, so neither a crash nor a lost message loses anything; the alarm sends again.
 */
export class Outbox {
  private isSending = false;
  private hasAlarm = false;
  /** What has a sequence up to this one is with the queue, or left to the alarm. */
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

  /** Notes that a subject has changed; inside the transaction that changes it. */
  mark(kind: ActivityKind, subject: string): void {
    const sequence = Number(this.state.get("sequence") ?? 0) + 1;
    this.state.set("sequence", sequence);
    if (this.state.get("name") === undefined) this.keepName();
    const sql = `INSERT INTO outbox (kind, subject, sequence) VALUES (?, ?, ?)
                 ON CONFLICT (kind, subject) DO UPDATE SET sequence = excluded.sequence`;
    this.sql.exec(sql, kind, subject, sequence);
  }

  /** Sequences given out from now on are above this one: others have states that this object has forgotten. */
  continueAfter(sequence: number): void {
    if (sequence > Number(this.state.get("sequence") ?? 0)) this.state.set("sequence", sequence);
    this.keepName();
  }

  /** Not every runtime tells an object its name when an alarm wakes it. */
  private keepName(): void {
    const { name } = this.context.id;
    if (name !== undefined) this.state.set("name", name);
  }

  /**
   * Sends what is noted and was not sent before, when the answer is on its way. The alarm, set in the same transaction as
   * the notes, makes sure of it.
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

  /** Sends everything that is not confirmed; another alarm comes as long as something is left. */
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

  /** Forgets subjects whose state others have stored; those that have changed since stay. */
  confirm(stored: readonly Pending[]): void {
    this.context.storage.transactionSync(() => {
      for (const { kind, subject, sequence } of stored) {
        const sql = "DELETE FROM outbox WHERE kind = ? AND subject = ? AND sequence = ?";
        this.sql.exec(sql, kind, subject, sequence);
      }
      if (this.pending(0, 1).length === 0) this.rest();
    });
  }

  /** Runs what deletes everything: nothing is sent any more after it. */
  async erase(work: () => void): Promise<void> {
    this.context.storage.transactionSync(work);
    await this.context.storage.deleteAlarm();
    this.hasAlarm = false;
  }

  /** What a subject's state is, with its sequence; undefined when everybody knows it. */
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
      // The alarm sends again what is left.
      console.error(JSON.stringify({ level: "error", event: "patron outbox", error: String(error) }));
    } finally {
      this.isSending = false;
    }
  }

  /** Nothing is left: no alarm has to wake the object. */
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

/** What the parts of the object get of all this. */
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
