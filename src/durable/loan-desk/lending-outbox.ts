import type { DeskLoanStatus } from "../../catalog/lending/loan.ts";
import type { EndedLoan } from "../../db/lending/write-loans.ts";
import type { Database } from "../../db/statement.ts";
import { all } from "../storage.ts";
import type { Ledger } from "./ledger.ts";

/** Changed loans and patrons per delivery, and deliveries of one invocation: each patron is a call, and calls are limited. */
const ENTRIES_MAX = 200;
const DELIVERIES_MAX = 2;
/** Delay before a failed delivery is retried, in milliseconds. */
export const LENDING_RETRY_MS = 30_000;

type StatusListener = Rpc.DurableObjectBranded & {
  readonly loans: Rpc.RpcTargetBranded & { recordStatuses(statuses: readonly DeskLoanStatus[]): void };
};

interface OutboxRow {
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
export class LendingOutbox {
  private running: Promise<boolean> | undefined;

  constructor(
    private readonly sql: SqlStorage,
    private readonly ledger: Ledger,
    private readonly listeners: { patrons: Database; patron: DurableObjectNamespace<StatusListener> },
  ) {}

  get isPending(): boolean {
    return this.rows(1).length > 0;
  }

  /**
   * Delivers the entries present at the time of the call, and returns true; false if there are too many for one
   * invocation, which the alarm continues. Rejects if a delivery failed.
   */
  async flush(): Promise<boolean> {
    // A running delivery may have begun before the change.
    if (this.running !== undefined) await this.running.catch(() => undefined);
    this.running ??= this.deliverEntries().finally(() => (this.running = undefined));
    return this.running;
  }

  private async deliverEntries(): Promise<boolean> {
    for (let deliveries = 0; this.isPending; deliveries += 1) {
      if (deliveries === DELIVERIES_MAX) return false;
      const rows = this.rows(ENTRIES_MAX);
      // Everything is read before the first await, so that it is consistent.
      const patrons = rows.filter(({ kind }) => kind === "patron").map(({ subject }) => subject);
      const statuses = patrons.map((patron) => ({ patron, status: this.ledger.loanStatusOf(patron) }));
      const report = {
        ocaid: this.ledger.ocaid,
        ...this.ledger.counts(),
        // The ledger wrote these bodies itself.
        loans: rows.filter(({ kind }) => kind === "loan").map(({ body }) => JSON.parse(body) as EndedLoan),
        places: patrons.map((patron) => ({ patron, place: this.ledger.placeOf(patron) ?? null })),
      };
      const tables = import("../../db/lending/write-loans.ts").then(({ storeReport }) =>
        storeReport(this.listeners.patrons, report),
      );
      const objects = statuses.map(({ patron, status }) =>
        this.listeners.patron.getByName(patron).loans.recordStatuses([status]),
      );
      const results = await Promise.allSettled([tables, ...objects]);
      const failed = results.find((result) => result.status === "rejected");
      if (failed !== undefined) throw failed.reason;
      for (const { kind, subject, sequence } of rows) {
        const sql = "DELETE FROM news WHERE kind = ? AND subject = ? AND sequence = ?";
        this.sql.exec(sql, kind, subject, sequence);
      }
    }
    return true;
  }

  private rows(limit: number): OutboxRow[] {
    return all<OutboxRow>(this.sql, "SELECT * FROM news ORDER BY sequence LIMIT ?", limit);
  }
}
