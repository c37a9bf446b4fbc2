import type { DeskWord } from "../../catalog/lending/loan.ts";
import { type EndedLoan, storeReport } from "../../db/lending/write.ts";
import type { Database } from "../../db/statement.ts";
import { all } from "../storage.ts";
import type { Ledger } from "./ledger.ts";

/** Loans and patrons per delivery. */
const NEWS_MAX = 200;
/** Delay before a failed delivery is retried, in milliseconds. */
export const NEWS_RETRY_MS = 30_000;

/** Part of a patron's object that receives updates of desks. */
type PatronListener = Rpc.DurableObjectBranded & {
  readonly loans: Rpc.RpcTargetBranded & { hear(words: readonly DeskWord[]): void };
};

interface NewsRow {
  readonly kind: "loan" | "patron";
  readonly subject: string;
  readonly sequence: number;
  readonly body: string;
}

/**
 * Lending outbox: delivers changes of the desk to the tables of PATRONS and the patrons' objects. Entries stay until
 * both have them, so neither a crash nor a failure loses a change. One delivery runs at a time; concurrent callers wait
 * for the one that includes their change.
 */
export class News {
  private running: Promise<void> | undefined;

  constructor(
    private readonly sql: SqlStorage,
    private readonly ledger: Ledger,
    private readonly listeners: { patrons: Database; patron: DurableObjectNamespace<PatronListener> },
  ) {}

  /** True if entries are still to be delivered. */
  get isPending(): boolean {
    return this.rows(1).length > 0;
  }

  /** Delivers all entries present at the time of the call; rejects if a delivery failed. */
  async tell(): Promise<void> {
    // A running delivery may have begun before the change.
    if (this.running !== undefined) await this.running.catch(() => undefined);
    this.running ??= this.tellAll().finally(() => (this.running = undefined));
    await this.running;
  }

  private async tellAll(): Promise<void> {
    for (let rows = this.rows(NEWS_MAX); rows.length > 0; rows = this.rows(NEWS_MAX)) {
      await this.tellRows(rows);
      for (const { kind, subject, sequence } of rows) {
        const sql = "DELETE FROM news WHERE kind = ? AND subject = ? AND sequence = ?";
        this.sql.exec(sql, kind, subject, sequence);
      }
    }
  }

  /** Delivers entries. Everything sent is read before the first await, so that it is consistent. */
  private async tellRows(rows: readonly NewsRow[]): Promise<void> {
    const { ocaid } = this.ledger;
    const patrons = rows.filter(({ kind }) => kind === "patron").map(({ subject }) => subject);
    const words = patrons.map((patron) => ({ patron, word: wordOf(this.ledger, patron) }));
    const told = storeReport(this.listeners.patrons, {
      ocaid,
      ...this.ledger.counts(),
      // The ledger has written these itself.
      loans: rows.filter(({ kind }) => kind === "loan").map(({ body }) => JSON.parse(body) as EndedLoan),
      places: patrons.map((patron) => ({ patron, place: this.ledger.placeOf(patron) ?? null })),
    });
    const heard = words.map(({ patron, word }) => this.listeners.patron.getByName(patron).loans.hear([word]));
    const results = await Promise.allSettled([told, ...heard]);
    const failed = results.find((result) => result.status === "rejected");
    if (failed !== undefined) throw failed.reason;
  }

  private rows(limit: number): NewsRow[] {
    return all<NewsRow>(this.sql, "SELECT * FROM news ORDER BY sequence LIMIT ?", limit);
  }
}

/** Returns the loan status of a patron. */
export function wordOf(ledger: Ledger, patron: string): DeskWord {
  return {
    ocaid: ledger.ocaid,
    sequence: ledger.counts().sequence,
    loan: ledger.loanOf(patron) ?? null,
    waits: ledger.placeOf(patron) !== undefined,
  };
}
