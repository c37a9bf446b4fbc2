import { HELD_IN_PEACE_MS } from "../../catalog/lending/rules.ts";
import { all, first } from "../patron/core.ts";

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
export const MAIL_AGAIN_MS = 3_600_000;
/** Patrons who are to get a mail that are seen to at once. */
const MAILS_MAX = 100;

/** Loans whose holders are to be told that somebody waits: once a loan, and not in its first days. */
const HELD = `FROM loan WHERE kind = 'borrow' AND told_of_queue = 0
  AND EXISTS (SELECT 1 FROM place WHERE expiry IS NULL)`;
const HELD_DUE = `max(loaned_at + ${HELD_IN_PEACE_MS}, mail_again)`;

/**
 * Which patrons are to be told by mail that a copy is kept for them, or that others wait for theirs. `place.mail_due` says when
 * the mail is asked for (again); it is NULL before it is the patron's turn, and when the mail was sent.
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
    const sql = `SELECT min(due) AS next FROM (SELECT mail_due AS due FROM place UNION ALL SELECT ${HELD_DUE} ${HELD})`;
    return first<{ next: number | null }>(this.sql, sql)?.next ?? null;
  }

  /** Asks for the mails that are due. */
  async call(): Promise<void> {
    const now = Date.now();
    const turns = "SELECT patron FROM place WHERE mail_due <= ? ORDER BY number LIMIT ?";
    for (const { patron } of all<{ patron: string }>(this.sql, turns, now, MAILS_MAX)) {
      this.sql.exec("UPDATE place SET mail_due = ? WHERE patron = ?", now + MAIL_AGAIN_MS, patron);
      await this.queue.send({ kind: "lending-mail", ocaid: this.ocaid(), patron });
    }
    const holders = `SELECT patron ${HELD} AND ${HELD_DUE} <= ? ORDER BY patron LIMIT ?`;
    for (const { patron } of all<{ patron: string }>(this.sql, holders, now, MAILS_MAX)) {
      this.sql.exec("UPDATE loan SET mail_again = ? WHERE patron = ?", now + MAIL_AGAIN_MS, patron);
      await this.queue.send({ kind: "queue-mail", ocaid: this.ocaid(), patron });
    }
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
    this.sql.exec("UPDATE loan SET told_of_queue = 1 WHERE uuid = ?", uuid);
  }

  private ocaid(): string {
    return first<{ value: string }>(this.sql, "SELECT value FROM state WHERE name = 'ocaid'")?.value ?? "";
  }
}
