import { DAY_MS } from "../../catalog/units.ts";
import {
  type DeskLoanStatus,
  type Loan,
  LOANS_MAX,
  PLACES_MAX,
  LOAN_REQUEST_VALID_MS,
} from "../../catalog/lending/loan.ts";
import { all, storedValues, storedValue } from "../storage.ts";
import { PatronPart } from "./core.ts";

/** Age in milliseconds from which a loan request can no longer reach a desk. */
const SETTLED_MS = 2 * LOAN_REQUEST_VALID_MS;
/** Retention of loan requests, and of statuses without a loan or place, in milliseconds. */
const RETENTION_MS = DAY_MS;

export interface LoanAdmissionRequest {
  readonly ocaid: string;
  readonly request: string;
  readonly kind: "loan" | "place";
  /** True for patrons with a print disability, who may have any number of loans. */
  readonly isUnlimited: boolean;
  readonly now: number;
}

/** Permission to send a loan request to the desk, and the time until which the desk accepts it. */
type Admission =
  | { readonly ok: true; readonly validUntil: number }
  /** `unconfirmedItems`: items whose desks should be queried again, because their updates may have been lost. */
  | { readonly ok: false; readonly reason: "limit" | "barred"; readonly unconfirmedItems: readonly string[] };

/** Loan status from a desk. `asked`: time of the query, by the clock of the objects. */
type ReportedStatus = DeskLoanStatus & { readonly asked?: number };

/**
 * Loans and waiting places of a patron as reported by the desks of the items, and the room for more. A loan request
 * takes room before the desk is called, and gives it back when the desk has responded. If the response was lost, the
 * desk is queried again before the patron is refused for too many loans. `now` is the request's time; the age of a loan
 * request goes by the clock of the objects.
 */
export class PatronLoans extends PatronPart {
  /** Takes room for a loan request. A request for an item that the patron already has takes none. */
  admit({ ocaid, request, kind, isUnlimited, now }: LoanAdmissionRequest): Admission {
    // A removed account stores nothing. No other call can run between this check and the transaction.
    if (this.core.state.get("barred") !== undefined)
      return { ok: false, reason: "barred", unconfirmedItems: [] };
    return this.core.transact(() => {
      const requested = Date.now();
      const { sql } = this.core;
      const old = requested - RETENTION_MS;
      sql.exec("DELETE FROM lending WHERE uuid IS NULL AND waits = 0 AND heard < ?", old);
      sql.exec("DELETE FROM lending_wish WHERE asked < ?", old);
      const takesRoom = kind === "loan" ? "uuid IS NOT NULL AND expiry > ?1" : "waits = 1 AND ?1 IS NOT NULL";
      // Other items that take room, with the time of their status or request.
      const taken = all<{ ocaid: string; since: number }>(
        sql,
        `SELECT ocaid, max(since) AS since FROM (
           SELECT ocaid, heard AS since FROM lending WHERE ${takesRoom}
           UNION ALL SELECT ocaid, asked FROM lending_wish WHERE kind = ?2)
         WHERE ocaid <> ?3 GROUP BY ocaid`,
        now,
        kind,
        ocaid,
      );
      const isFull = taken.length >= (kind === "loan" ? LOANS_MAX : PLACES_MAX);
      if (isFull && !isUnlimited) {
        const unconfirmed = taken.filter(({ since }) => since + SETTLED_MS < requested);
        return { ok: false, reason: "limit", unconfirmedItems: unconfirmed.map((item) => item.ocaid) };
      }
      const text = "INSERT OR REPLACE INTO lending_wish (ocaid, request, kind, asked) VALUES (?, ?, ?, ?)";
      sql.exec(text, ocaid, request, kind, requested);
      return { ok: true, validUntil: requested + LOAN_REQUEST_VALID_MS };
    });
  }

  /** Stores the status of the desk's response to a loan request, unless it is null, and gives back the room. */
  completeRequest({
    ocaid,
    request,
    loanStatus,
  }: {
    ocaid: string;
    request: string;
    loanStatus: DeskLoanStatus | null;
  }): void {
    if (this.#isRemoved()) return;
    this.core.transact(() => {
      if (loanStatus !== null) this.#store(loanStatus);
      this.core.sql.exec("DELETE FROM lending_wish WHERE ocaid = ? AND request = ?", ocaid, request);
    });
  }

  recordStatuses(statuses: readonly ReportedStatus[]): void {
    if (this.#isRemoved()) return;
    this.core.transact(() => {
      for (const status of statuses) this.#store(status);
    });
  }

  /** Returns the patron's loans at `now`, the newest first. */
  held(now: number, patron: string): Loan[] {
    const sql = `SELECT uuid, ocaid, ?2 AS patron, book, kind, loaned_at AS loanedAt, expiry FROM lending
                 WHERE uuid IS NOT NULL AND expiry > ?1 ORDER BY loaned_at DESC, ocaid`;
    return all<Loan>(this.core.sql, sql, now, patron);
  }

  count(now: number): number {
    const sql = "SELECT count(*) FROM lending WHERE uuid IS NOT NULL AND expiry > ?";
    return storedValue<number>(this.core.sql, sql, now) ?? 0;
  }

  items(): string[] {
    const sql = `SELECT ocaid FROM lending WHERE uuid IS NOT NULL OR waits = 1
                 UNION SELECT ocaid FROM lending_wish ORDER BY ocaid`;
    return storedValues<string>(this.core.sql, sql);
  }

  /** Returns the sealed keys with which the patron borrows at another service; null if there are none. */
  keys(): string | null {
    return this.core.state.get("lending_keys") ?? null;
  }

  setKeys(sealed: string | null): void {
    const { state } = this.core;
    if (sealed === null) state.delete("lending_keys");
    else state.set("lending_keys", sealed);
  }

  #store({ ocaid, sequence, loan, waits, asked = 0 }: ReportedStatus): void {
    const { sql } = this.core;
    // Loan requests this old reached the desk before it responded, or never will.
    sql.exec("DELETE FROM lending_wish WHERE ocaid = ? AND asked < ?", ocaid, asked - SETTLED_MS);
    const stored = storedValue<number>(sql, "SELECT sequence FROM lending WHERE ocaid = ?", ocaid);
    if (stored === undefined ? loan === null && !waits : stored > sequence) return;
    sql.exec(
      "INSERT OR REPLACE INTO lending VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9)",
      ocaid,
      sequence,
      Date.now(),
      loan?.uuid ?? null,
      loan?.book ?? null,
      loan?.kind ?? null,
      loan?.loanedAt ?? null,
      loan?.expiry ?? null,
      Number(waits),
    );
  }

  #isRemoved(): boolean {
    return this.core.state.get("removed") !== undefined;
  }
}
