import { HELD_IN_PEACE_MS } from "../../catalog/lending/loan.ts";
import { StateTable, all, allValues, first, firstValue } from "../storage.ts";

/**
 * A message of the queue `carrel-patron-jobs`: a copy is kept for a patron (`lending-mail`), or others wait for what he has
 * (`queue-mail`), and he should be told by mail.
 */
export interface MailCall {
  readonly kind: "lending-mail" | "queue-mail";
  readonly ocaid: string;
  readonly patron: string;
}

/** After how long a mail that was not sent is asked for again, in milliseconds. */
const MAIL_AGAIN_MS = 3_600_000;
/**
 * The same for one that others wait, which is in no hurry: where no mail can be sent, it is asked for as long as the
 * loan goes on.
 */
export const QUEUE_MAIL_AGAIN_MS = 86_400_000;
/** Patrons who are to get a mail that are seen to at once: what a queue takes in one call. */
const MAILS_MAX = 100;

/** Loans whose holders are to be told that somebody waits: once a loan, and not in its first days. */
const HELD = `FROM loan LEFT JOIN queue_mail ON queue_mail.loan = loan.uuid
  WHERE kind = 'borrow' AND (queue_mail.loan IS NULL OR again IS NOT NULL)
    AND EXISTS (SELECT 1 FROM place WHERE expiry IS NULL)`;
const HELD_DUE = `max(loaned_at + ${HELD_IN_PEACE_MS}, coalesce(again, 0))`;

/**
 * Which patrons are to be told by mail that a copy is kept for them, or that others wait for theirs. `place.mail_due`
 * says when the mail is asked for (again); it is NULL before it is the patron's turn, and when the mail was sent.
 */
export class MailCalls {
  constructor(
    private readonly sql: SqlStorage,
    private readonly queue: Queue<MailCall>,
  ) {}

  /** True when a mail is to be asked for now. */
  get isPending(): boolean {
    const next = this.nextCall();
    return next !== null && next <= Date.now();
  }

  /** When a mail is to be asked for next; null when none is. */
  nextCall(): number | null {
    const sql = `SELECT min(due) FROM (SELECT mail_due AS due FROM place UNION ALL SELECT ${HELD_DUE} ${HELD})`;
    return firstValue<number | null>(this.sql, sql) ?? null;
  }

  /** Asks for the mails that are due. That is written down first, so nobody who asks meanwhile asks for the same ones. */
  async call(): Promise<void> {
    const now = Date.now();
    const sql = `UPDATE place SET mail_due = ?1
      WHERE number IN (SELECT number FROM place WHERE mail_due <= ?2 ORDER BY number LIMIT ?3) RETURNING patron`;
    await this.ask("lending-mail", allValues(this.sql, sql, now + MAIL_AGAIN_MS, now, MAILS_MAX));
    await this.ask("queue-mail", this.heldDue(now));
  }

  /** Who has what others wait for, and is not asked for again for a while. */
  private heldDue(now: number): string[] {
    const due = `SELECT uuid, patron ${HELD} AND ${HELD_DUE} <= ? ORDER BY patron LIMIT ?`;
    const found = all<{ uuid: string; patron: string }>(this.sql, due, now, MAILS_MAX);
    for (const { uuid } of found) this.note(uuid, now + QUEUE_MAIL_AGAIN_MS);
    // Of loans that are over.
    this.sql.exec("DELETE FROM queue_mail WHERE loan NOT IN (SELECT uuid FROM loan)");
    return found.map(({ patron }) => patron);
  }

  private async ask(kind: MailCall["kind"], patrons: readonly string[]): Promise<void> {
    if (patrons.length === 0) return;
    const ocaid = new StateTable<"ocaid">(this.sql).get("ocaid") ?? "";
    await this.queue.sendBatch(patrons.map((patron) => ({ body: { kind, ocaid, patron } })));
  }

  /** True when the patron has not got his mail yet, and it is his turn. */
  isDue(patron: string): boolean {
    const sql = "SELECT 1 FROM place WHERE patron = ? AND mail_due IS NOT NULL";
    return first(this.sql, sql, patron) !== undefined;
  }

  /** True when the patron has a loan that others wait for, and was not told so. */
  isQueueMailDue(patron: string): boolean {
    const sql = `SELECT 1 ${HELD} AND patron = ? AND loaned_at + ${HELD_IN_PEACE_MS} <= ?`;
    return first(this.sql, sql, patron, Date.now()) !== undefined;
  }

  /** The patron was told that a copy is kept for him. */
  setSent(patron: string): void {
    this.sql.exec("UPDATE place SET mail_due = NULL WHERE patron = ?", patron);
  }

  /** The holder was told that others wait. A loan that came since is another one: `uuid` says which was meant. */
  setQueueMailSent(uuid: string): void {
    this.note(uuid, null);
  }

  /** Until when the mail of a loan is not asked for again; null: it was sent. */
  private note(uuid: string, again: number | null): void {
    this.sql.exec("INSERT OR REPLACE INTO queue_mail (loan, again) VALUES (?, ?)", uuid, again);
  }
}
