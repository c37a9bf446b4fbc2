import { HOUR_MS } from "../../catalog/units.ts";
import type { ActivityItem, ActivityKind, ActivityMessage } from "../../catalog/patrons/activity.ts";
import { type PendingSubject, readStoredSubjects } from "../../db/patrons/activity.ts";
import { markUnsaved } from "../../db/patrons/unsaved.ts";
import type { Database } from "../../db/statement.ts";
import { StateTable, all, first, jsonValues, storedValues } from "../storage.ts";
import type { PatronCore, PatronState } from "./core.ts";

/** Tables whose rows projections count, and all tables with a row per work. */
export const COUNTED_TABLES = ["shelf_entry", "rating", "observation", "award"] as const;
export const WORK_TABLES = [...COUNTED_TABLES, "check_in", "note"] as const;
/** Items per queue message: a hundred works with all observations would exceed the message limit of a queue. */
const ITEMS_MAX = 50;
/** Messages that one invocation sends, whose calls are limited; the alarm sends the rest. */
const MESSAGES_MAX = 400;
/** Time between two messages of a patron, in milliseconds, in which changes gather: sending costs more than storing. */
const PAUSE_MS = 200;
/** First retry delay in milliseconds; doubles with every attempt up to `RESEND_MAX_MS`. */
const RESEND_MS = 30_000;
const RESEND_MAX_MS = HOUR_MS;
/** Subjects that the alarm compares with the projection at a time: as many of the longest keys fit into a parameter. */
const COMPARED_MAX = 1000;

/**
 * Transactional outbox of a patron. A row per changed subject stays until an alarm finds its state in the projection, so
 * neither a crash nor a lost message loses a change: the alarm resends the rest. Nothing confirms single messages,
 * because that would cost this object a call and a commit for each.
 */
export class Outbox {
  /** Tells this instance of the object from earlier ones. */
  readonly instance = crypto.randomUUID();
  private isSending = false;
  /** Time of the next alarm, in milliseconds; 0 if there is none. */
  private alarmAt = 0;
  /** Highest sequence already handed to the queue, or left to the alarm, as are all of an earlier instance. */
  private lastSent: number;
  private lastSentAt = 0;
  private readonly sql: SqlStorage;
  private readonly state: PatronState;

  constructor(
    private readonly context: DurableObjectState,
    private readonly queue: Queue<ActivityMessage>,
    private readonly projection: Database,
  ) {
    this.sql = context.storage.sql;
    this.state = new StateTable(this.sql);
    this.lastSent = Number(this.state.get("sequence") ?? 0);
    void context.blockConcurrencyWhile(async () => {
      this.alarmAt = (await context.storage.getAlarm()) ?? 0;
    });
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

  /**
   * Records, inside the transaction of a change, that the latest backup lacks it, and tells PATRONS if this is the first
   * change since then. The alarm retries.
   */
  markUnsaved(): void {
    if (this.state.get("unsaved") !== undefined) return;
    this.state.set("unsaved", `untold ${crypto.randomUUID()}`);
    if (this.state.get("name") === undefined) this.storeName();
    this.ensureAlarm();
    this.context.waitUntil(this.tellUnsaved().catch(logFailure));
  }

  private async tellUnsaved(): Promise<void> {
    const change = this.state.get("unsaved");
    if (change?.startsWith("untold") !== true) return;
    await markUnsaved(this.projection, this.patronName(), Date.now());
    // A backup may have read the object meanwhile, and another change have come.
    if (this.state.get("unsaved") === change) this.state.set("unsaved", "told");
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
   * Sends changed subjects that were not sent before, while the response is on its way. Sets an alarm, in the same
   * transaction as the changes, to make sure of it, unless one is due before.
   */
  flush(): void {
    this.ensureAlarm();
    if (this.isSending) return;
    this.isSending = true;
    this.context.waitUntil(this.send());
  }

  /** Returns the states of changed subjects after a sequence, for a caller that stores them itself. */
  unconfirmed(after: number, limit: number): ActivityItem[] {
    return this.pending(after, limit).map((row) => activityItemOf(this.sql, row));
  }

  /** Makes sure that the alarm compares soon what is in the outbox with the projection. */
  ensureAlarm(): void {
    const now = Date.now();
    const due = now + RESEND_MS;
    // An alarm may be late, and setting it again would cancel it.
    if (this.alarmAt < now - RESEND_MS || this.alarmAt > due) this.context.waitUntil(this.setAlarm(due));
  }

  /** Sends everything that the projection does not have; sets another alarm while something is left. */
  async resend(): Promise<void> {
    this.alarmAt = 0;
    try {
      // Subjects whose state the projection has leave; those that have changed since stay.
      for (let rows = this.pending(0, COMPARED_MAX); rows.length > 0;) {
        const stored = await readStoredSubjects(this.projection, this.patronName(), rows);
        this.context.storage.transactionSync(() => {
          for (const { kind, subject, sequence } of stored) {
            const sql = "DELETE FROM outbox WHERE kind = ? AND subject = ? AND sequence = ?";
            this.sql.exec(sql, kind, subject, sequence);
          }
        });
        rows = rows.length < COMPARED_MAX ? [] : this.pending(rows.at(-1)?.sequence ?? 0, COMPARED_MAX);
      }
      await this.tellUnsaved();
    } catch (error) {
      // Sending what is stored already changes nothing.
      logFailure(error);
    }
    const isTold = this.state.get("unsaved")?.startsWith("untold") !== true;
    if (isTold && this.pending(0, 1).length === 0) return this.state.delete("resends");
    const tries = Number(this.state.get("resends") ?? 0);
    this.state.set("resends", tries + 1);
    // A change may have set an earlier one meanwhile.
    if (this.alarmAt === 0) await this.setAlarm(Date.now() + Math.min(RESEND_MAX_MS, RESEND_MS * 2 ** tries));
    if (this.isSending) return;
    this.isSending = true;
    this.lastSent = 0;
    await this.send();
  }

  /** Runs a function that deletes everything, and cancels the alarm: nothing is sent any more. */
  async erase(work: () => void): Promise<void> {
    this.context.storage.transactionSync(work);
    await this.context.storage.deleteAlarm();
    this.alarmAt = 0;
  }

  /** Returns a subject's state with its sequence; undefined if the projection is known to have it. */
  readUnconfirmed(kind: ActivityKind, subject: string): ActivityItem | undefined {
    const sql = "SELECT * FROM outbox WHERE kind = ? AND subject = ?";
    const row = first<PendingSubject>(this.sql, sql, kind, subject);
    return row === undefined ? undefined : activityItemOf(this.sql, row);
  }

  private async send(): Promise<void> {
    try {
      const patron = this.patronName();
      const pause = this.lastSentAt + PAUSE_MS - Date.now();
      if (pause > 0) await scheduler.wait(pause);
      for (let messages = MESSAGES_MAX; messages > 0;) {
        // No index is of the sequences, so that rows are read for many messages. A state newer than its sequence is sent again.
        const rows = this.pending(this.lastSent, messages * ITEMS_MAX);
        if (rows.length === 0) return;
        for (let at = 0; at < rows.length; at += ITEMS_MAX, messages -= 1) {
          const part = rows.slice(at, at + ITEMS_MAX);
          await this.queue.send({ patron, items: part.map((row) => activityItemOf(this.sql, row)) });
          this.lastSent = part.at(-1)?.sequence ?? 0;
          this.lastSentAt = Date.now();
        }
      }
    } catch (error) {
      // The alarm resends the rest.
      logFailure(error);
    } finally {
      this.isSending = false;
    }
  }

  private setAlarm(time: number): Promise<void> {
    this.alarmAt = time;
    return this.context.storage.setAlarm(time);
  }

  private patronName(): string {
    const patron = this.context.id.name ?? this.state.get("name");
    if (patron === undefined) throw new Error("a patron's object without a name");
    return patron;
  }

  private pending(after: number, limit: number): PendingSubject[] {
    const sql = "SELECT * FROM outbox WHERE sequence > ? ORDER BY sequence LIMIT ?";
    return all<PendingSubject>(this.sql, sql, after, limit);
  }
}

/** Marks everything that projections show of a patron. */
export function markAllSubjects({ sql, markChanged }: Pick<PatronCore, "sql" | "markChanged">): void {
  // One by one: a UNION of an object has at most five members.
  const works = WORK_TABLES.flatMap((table) =>
    storedValues<number>(sql, `SELECT DISTINCT work FROM ${table}`),
  );
  for (const work of new Set(works)) markChanged("work", work);
  for (const publisher of storedValues<string>(sql, "SELECT publisher FROM follow"))
    markChanged("follow", publisher);
  for (const key of storedValues<string>(sql, "SELECT key FROM opinion")) markChanged("like", key);
}

function logFailure(error: unknown): void {
  console.error(JSON.stringify({ level: "error", event: "patron outbox", error: String(error) }));
}

/** Statements that return the state of a subject as JSON; no row if nothing is left of it. */
const STATES: Readonly<Record<ActivityKind, string>> = {
  work: `
    SELECT json_object('shelf', s.shelf, 'edition', s.edition, 'logged', s.created, 'moved', s.updated, 'stars', r.stars,
      'ratedEdition', r.edition, 'rated', r.created, 'observations', json(o.codes),
      'award', json(iif(a.id IS NULL, NULL, json_object('id', a.id, 'topic', a.topic))))
    FROM (SELECT CAST(?1 AS INTEGER) AS work) w
    JOIN (SELECT json_group_array(type || '.' || value ORDER BY type, value) AS codes FROM observation
          WHERE work = CAST(?1 AS INTEGER)) o
    LEFT JOIN shelf_entry s ON s.work = w.work
    LEFT JOIN rating r ON r.work = w.work
    LEFT JOIN award a ON a.work = w.work
    WHERE coalesce(s.work, r.work, a.work) IS NOT NULL OR o.codes <> '[]'
      OR EXISTS (SELECT 1 FROM note WHERE work = w.work) OR EXISTS (SELECT 1 FROM check_in WHERE work = w.work)`,
  follow: `
    SELECT json_object('disabled', json(iif(disabled, 'true', 'false')), 'created', created, 'updated', updated)
    FROM follow WHERE publisher = ?1`,
  like: `
    SELECT json_object('value', value, 'created', created, 'modified', modified) FROM opinion WHERE key = ?1`,
};

export function readSubjectState<State = ActivityItem["state"]>(
  sql: SqlStorage,
  kind: ActivityKind,
  subject: string | number,
): State | null {
  return jsonValues<State>(sql, STATES[kind], subject)[0] ?? null;
}

function activityItemOf(sql: SqlStorage, { kind, subject, sequence }: PendingSubject): ActivityItem {
  // The state is of the kind of the statement.
  return { kind, subject, sequence, state: readSubjectState(sql, kind, subject) } as ActivityItem;
}
