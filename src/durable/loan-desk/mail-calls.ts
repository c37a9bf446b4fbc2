import { all, first } from "../patron/core.ts";

/** A message of the queue `carrel-patron-jobs`: a copy is kept for a patron, who should be told by mail. */
export interface MailCall {
  readonly kind: "lending-mail";
  readonly ocaid: string;
  readonly patron: string;
}

/** After how long a mail that was not sent is asked for again, in milliseconds. */
export const MAIL_AGAIN_MS = 3_600_000;
/** Patrons who are to get a mail that are seen to at once. */
const MAILS_MAX = 100;

/**
 * Which patrons of a queue are to be told by mail that a copy is kept for them. `place.mail_due` says when the mail is asked
 * for (again); it is NULL before it is the patron's turn, and when the mail was sent.
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
    return first<{ next: number | null }>(this.sql, "SELECT min(mail_due) AS next FROM place")?.next ?? null;
  }

  /** Asks for the mails that are due. */
  async call(): Promise<void> {
    const now = Date.now();
    const sql = "SELECT patron FROM place WHERE mail_due <= ? ORDER BY number LIMIT ?";
    for (const { patron } of all<{ patron: string }>(this.sql, sql, now, MAILS_MAX)) {
      this.sql.exec("UPDATE place SET mail_due = ? WHERE patron = ?", now + MAIL_AGAIN_MS, patron);
      await this.queue.send({ kind: "lending-mail", ocaid: this.ocaid(), patron });
    }
  }

  /** True when the patron has not got his mail yet, and it is his turn. */
  isDue(patron: string): boolean {
    const sql = "SELECT 1 FROM place WHERE patron = ? AND mail_due IS NOT NULL";
    return first(this.sql, sql, patron) !== undefined;
  }

  setSent(patron: string): void {
    this.sql.exec("UPDATE place SET mail_due = NULL WHERE patron = ?", patron);
  }

  private ocaid(): string {
    return first<{ value: string }>(this.sql, "SELECT value FROM state WHERE name = 'ocaid'")?.value ?? "";
  }
}
