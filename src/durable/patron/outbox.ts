import type {
  ActivityItem,
  ActivityKind,
  ActivityMessage,
  FollowActivity,
  LikeActivity,
  WorkActivity,
} from "../../catalog/patrons/activity.ts";
import { StateTable, all, allValues, first } from "../storage.ts";
import type { PatronState } from "./core.ts";

/** Items per queue message: a hundred works with all observations would exceed the message limit of a queue. */
const ITEMS_MAX = 50;
/** First retry delay in milliseconds; doubles with every attempt up to `RESEND_MAX_MS`. */
const RESEND_MS = 30_000;
const RESEND_MAX_MS = 3_600_000;

export interface Pending {
  readonly kind: ActivityKind;
  readonly subject: string;
  readonly sequence: number;
}

/**
 * Transactional outbox of a patron. A row per changed subject stays until the consumer confirms it, so neither a crash
 * nor a lost message loses a change: an alarm resends the rest.
 */
export class Outbox {
  private isSending = false;
  private hasAlarm = false;
  /** Highest sequence already handed to the queue, or left to the alarm. */
  private lastSent = 0;
  private readonly sql: SqlStorage;
  private readonly state: PatronState;

  constructor(
    private readonly context: DurableObjectState,
    private readonly queue: Queue<ActivityMessage>,
  ) {
    this.sql = context.storage.sql;
    this.state = new StateTable(this.sql);
  }

  /** Records that a subject changed. Call inside the transaction that changes it. */
  markChanged(kind: ActivityKind, subject: string): void {
    const sequence = Number(this.state.get("sequence") ?? 0) + 1;
    this.state.set("sequence", sequence);
    if (this.state.get("name") === undefined) this.storeName();
    const sql = `INSERT INTO outbox (kind, subject, sequence) VALUES (?, ?, ?)
                 ON CONFLICT (kind, subject) DO UPDATE SET sequence = excluded.sequence`;
    this.sql.exec(sql, kind, subject, sequence);
  }

  /** Makes the next sequences higher than this one: consumers have states that this object has forgotten. */
  continueAfter(sequence: number): void {
    if (sequence > Number(this.state.get("sequence") ?? 0)) this.state.set("sequence", sequence);
    this.storeName();
  }

  /** Stores the object's name: not every runtime passes it when an alarm wakes the object. */
  private storeName(): void {
    const { name } = this.context.id;
    if (name !== undefined) this.state.set("name", name);
  }

  /**
   * Sends changed subjects that were not sent before, while the response is on its way. Sets the alarm, in the same
   * transaction as the changes, to make sure of it.
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
    if (this.pending(0, 1).length === 0) return this.cancelAlarm();
    const tries = Number(this.state.get("resends") ?? 0);
    this.state.set("resends", tries + 1);
    this.hasAlarm = true;
    await this.context.storage.setAlarm(Date.now() + Math.min(RESEND_MAX_MS, RESEND_MS * 2 ** tries));
    if (this.isSending) return;
    this.isSending = true;
    this.lastSent = 0;
    await this.send();
  }

  /** Deletes subjects whose state the consumer has stored; those that have changed since stay. */
  confirm(subjects: readonly Pending[]): void {
    this.context.storage.transactionSync(() => {
      for (const { kind, subject, sequence } of subjects) {
        const sql = "DELETE FROM outbox WHERE kind = ? AND subject = ? AND sequence = ?";
        this.sql.exec(sql, kind, subject, sequence);
      }
      if (this.pending(0, 1).length === 0) this.cancelAlarm();
    });
  }

  /** Runs a function that deletes everything, and cancels the alarm: nothing is sent any more. */
  async erase(work: () => void): Promise<void> {
    this.context.storage.transactionSync(work);
    await this.context.storage.deleteAlarm();
    this.hasAlarm = false;
  }

  /** Returns a subject's state with its sequence; undefined if it is confirmed. */
  readUnconfirmed(kind: ActivityKind, subject: string): ActivityItem | undefined {
    const sql = "SELECT * FROM outbox WHERE kind = ? AND subject = ?";
    const row = first<Pending>(this.sql, sql, kind, subject);
    return row === undefined ? undefined : activityItemOf(this.sql, row);
  }

  private async send(): Promise<void> {
    try {
      const patron = this.context.id.name ?? this.state.get("name");
      if (patron === undefined) throw new Error("a patron's object without a name");
      for (;;) {
        const rows = this.pending(this.lastSent, ITEMS_MAX);
        const last = rows.at(-1);
        if (last === undefined) return;
        await this.queue.send({ patron, items: rows.map((row) => activityItemOf(this.sql, row)) });
        this.lastSent = last.sequence;
      }
    } catch (error) {
      // The alarm resends the rest.
      console.error(JSON.stringify({ level: "error", event: "patron outbox", error: String(error) }));
    } finally {
      this.isSending = false;
    }
  }

  private cancelAlarm(): void {
    this.hasAlarm = false;
    this.context.waitUntil(this.context.storage.deleteAlarm());
    this.state.delete("resends");
  }

  private pending(after: number, limit: number): Pending[] {
    const sql = "SELECT * FROM outbox WHERE sequence > ? ORDER BY sequence LIMIT ?";
    return all<Pending>(this.sql, sql, after, limit);
  }
}

function activityItemOf(sql: SqlStorage, { kind, subject, sequence }: Pending): ActivityItem {
  switch (kind) {
    case "work":
      return { kind, subject, sequence, state: workActivityOf(sql, Number(subject)) };
    case "follow":
      return { kind, subject, sequence, state: followActivityOf(sql, subject) };
    case "like":
      return { kind, subject, sequence, state: likeActivityOf(sql, subject) };
  }
}

export function workActivityOf(sql: SqlStorage, work: number): WorkActivity | null {
  const row = first<
    Omit<WorkActivity, "observations" | "award"> & {
      awardId: number | null;
      topic: string | null;
      others: number;
    }
  >(
    sql,
    `SELECT s.shelf, s.edition, s.created AS logged, s.updated AS moved, r.stars, r.edition AS ratedEdition,
            r.created AS rated, a.id AS awardId, a.topic,
            EXISTS (SELECT 1 FROM note WHERE work = w.work) + EXISTS (SELECT 1 FROM check_in WHERE work = w.work)
              AS others
     FROM (SELECT ?1 AS work) w
     LEFT JOIN shelf_entry s ON s.work = w.work
     LEFT JOIN rating r ON r.work = w.work
     LEFT JOIN award a ON a.work = w.work`,
    work,
  );
  const text = "SELECT type || '.' || value FROM observation WHERE work = ? ORDER BY type, value";
  const observations = allValues<string>(sql, text, work);
  if (row === undefined) return null;
  const { awardId, topic, others, ...state } = row;
  const award = awardId === null || topic === null ? null : { id: awardId, topic };
  const isEmpty =
    state.shelf === null && state.stars === null && award === null && observations.length + others === 0;
  return isEmpty ? null : { ...state, observations, award };
}

function followActivityOf(sql: SqlStorage, publisher: string): FollowActivity | null {
  const text = "SELECT disabled, created, updated FROM follow WHERE publisher = ?";
  const row = first<Omit<FollowActivity, "disabled"> & { disabled: number }>(sql, text, publisher);
  return row === undefined ? null : { ...row, disabled: row.disabled === 1 };
}

function likeActivityOf(sql: SqlStorage, key: string): LikeActivity | null {
  const text = "SELECT value, created, modified FROM opinion WHERE key = ?";
  return first<LikeActivity>(sql, text, key) ?? null;
}
