import {
  type DeskLoan,
  type DeskLoanStatus,
  type WaitingPlace,
  CLAIM_MS,
} from "../../catalog/lending/loan.ts";
import { secretHash } from "../../db/accounts/secret-hash.ts";
import type { WaitingPatronRow } from "../../db/lending/holdings.ts";
import type { DeskReport, EndedLoan } from "../../db/lending/write-loans.ts";
import { StateTable, all, storedValues, first, storedValue } from "../storage.ts";

export type DeskCounts = Omit<DeskReport, "ocaid" | "loans" | "places">;
type DeskTotals = Omit<DeskCounts, "sequence" | "lastLoan" | "lastWaiting">;

const OCAID = "(SELECT value FROM state WHERE name = 'ocaid') AS ocaid";
/** Query of loans; rows are `DeskLoan`s. */
const LOAN = `SELECT uuid, ${OCAID}, patron, book, kind, loaned_at AS loanedAt, expiry FROM loan`;

/** Loans, places and outbox of a loan desk. Use within transactions. */
export class Ledger {
  private readonly state: StateTable<
    "ocaid" | "sequence" | "copies" | "browse" | "last_loan" | "last_waiting"
  >;

  constructor(private readonly sql: SqlStorage) {
    this.state = new StateTable(sql);
  }

  get ocaid(): string {
    return this.state.get("ocaid") ?? "";
  }

  /** Number of copies that are neither lent nor reserved; never below 0. */
  get free(): number {
    const { borrows, browses, reserved } = this.counts();
    return Math.max(0, Number(this.state.get("copies") ?? 0) - borrows - browses - reserved);
  }

  get canBrowse(): boolean {
    return this.state.get("browse") === "1";
  }

  setTerms({ ocaid, copies, browse }: { ocaid: string; copies: number; browse: boolean }): void {
    const terms = { ocaid, copies: String(copies), browse: browse ? "1" : "0" } as const;
    for (const name of ["ocaid", "copies", "browse"] as const) {
      if (this.state.get(name) !== terms[name]) this.state.set(name, terms[name]);
    }
  }

  counts(): DeskCounts {
    const sql = `SELECT borrows, browses, nextExpiry, waiting, reserved FROM
      (SELECT count(*) FILTER (WHERE kind = 'borrow') AS borrows, count(*) FILTER (WHERE kind = 'browse') AS browses,
              min(expiry) AS nextExpiry FROM loan),
      (SELECT count(*) AS waiting, count(expiry) AS reserved FROM place)`;
    const counts = this.sql.exec<DeskTotals>(sql).one();
    const [lastLoan = null, lastWaiting = null] = (["last_loan", "last_waiting"] as const).map((name) => {
      const time = this.state.get(name);
      return time === undefined ? null : Number(time);
    });
    return { ...counts, sequence: this.sequence, lastLoan, lastWaiting };
  }

  loanOf(patron: string): DeskLoan | undefined {
    return first<DeskLoan>(this.sql, `${LOAN} WHERE patron = ?`, patron);
  }

  placeOf(patron: string): WaitingPatronRow | undefined {
    const sql = "SELECT number, patron, book, since, updated, expiry FROM place WHERE patron = ?";
    return first<WaitingPatronRow>(this.sql, sql, patron);
  }

  /** Returns a patron's place with its position in the queue; null if there is none. */
  waitingPlaceOf(patron: string): WaitingPlace | null {
    const sql = `SELECT patron, book, since, updated, ${OCAID}, iif(expiry IS NULL, 'waiting', 'available') AS status,
                        (SELECT count(*) FROM place other WHERE other.number <= place.number) AS position,
                        (SELECT count(*) FROM place) AS queueLength, expiry
                 FROM place WHERE patron = ?`;
    return first<WaitingPlace>(this.sql, sql, patron) ?? null;
  }

  /** Reads the loan status of a patron, with the sequence of the desk's last change. */
  loanStatusOf(patron: string): DeskLoanStatus {
    const { ocaid, sequence } = this;
    return { ocaid, sequence, loan: this.loanOf(patron) ?? null, waits: this.placeOf(patron) !== undefined };
  }

  putLoan(loan: DeskLoan): void {
    const { patron, uuid, book, kind, loanedAt, expiry } = loan;
    const sql =
      "INSERT OR REPLACE INTO loan (patron, uuid, book, kind, loaned_at, expiry) VALUES (?, ?, ?, ?, ?, ?)";
    this.sql.exec(sql, patron, uuid, book, kind, loanedAt, expiry);
    this.state.set("last_loan", loanedAt);
    this.markLoan({ ...loan, returnedAt: null });
    this.removePlace(patron);
  }

  endLoan(loan: DeskLoan, returnedAt: number): void {
    this.sql.exec("DELETE FROM loan WHERE patron = ?", loan.patron);
    this.markLoan({ ...loan, returnedAt });
  }

  addPlace({ patron, book, now }: { patron: string; book: string; now: number }): void {
    const sql = "INSERT INTO place (patron, book, since, updated) VALUES (?1, ?2, ?3, ?3)";
    this.sql.exec(sql, patron, book, now);
    this.state.set("last_waiting", now);
    this.markPatron(patron);
  }

  removePlace(patron: string): void {
    this.sql.exec("DELETE FROM place WHERE patron = ?", patron);
    this.markPatron(patron);
  }

  /**
   * Ends loans and reservations that have expired at `now`, and reserves free copies for the next patrons in the queue.
   * Returns true if anything changed.
   */
  settle(now: number): boolean {
    const before = this.sequence;
    const expired = all<DeskLoan>(this.sql, `${LOAN} WHERE expiry <= ?`, now);
    for (const loan of expired) this.endLoan(loan, loan.expiry);
    const sql = "SELECT patron FROM place WHERE expiry <= ?";
    for (const patron of storedValues<string>(this.sql, sql, now)) this.removePlace(patron);
    const next = "SELECT patron FROM place WHERE expiry IS NULL ORDER BY number LIMIT ?";
    const { free } = this;
    for (const patron of free === 0 ? [] : storedValues<string>(this.sql, next, free)) {
      const reserve = "UPDATE place SET expiry = ?1, updated = ?2, mail_due = 0 WHERE patron = ?3";
      this.sql.exec(reserve, now + CLAIM_MS, now, patron);
      this.markPatron(patron);
    }
    return this.sequence > before;
  }

  nextEnd(): number | null {
    const sql = "SELECT min(expiry) FROM (SELECT expiry FROM loan UNION ALL SELECT expiry FROM place)";
    return storedValue<number | null>(this.sql, sql) ?? null;
  }

  /** Refuses loan requests of a patron until a time, for requests already under way. */
  refuse(patron: string, until: number): void {
    this.sql.exec("INSERT OR REPLACE INTO refused VALUES (?, ?)", secretHash(patron), until);
  }

  isRefused(patron: string, now: number): boolean {
    this.sql.exec("DELETE FROM refused WHERE until <= ?", now);
    const sql = "SELECT 1 FROM refused WHERE patron_hash = ?";
    return first(this.sql, sql, secretHash(patron)) !== undefined;
  }

  private markLoan(loan: EndedLoan): void {
    this.mark("loan", loan.uuid, JSON.stringify(loan));
    this.markPatron(loan.patron);
  }

  /** Has all loans and places reported, as if they had changed. */
  reportAll(): void {
    for (const loan of all<DeskLoan>(this.sql, LOAN)) this.markLoan({ ...loan, returnedAt: null });
    for (const patron of storedValues<string>(this.sql, "SELECT patron FROM place")) this.markPatron(patron);
  }

  /** Records that the loan status of a patron changed. It is read when it is delivered. */
  private markPatron(patron: string): void {
    this.mark("patron", patron, "{}");
  }

  private mark(kind: "loan" | "patron", subject: string, body: string): void {
    const sequence = this.sequence + 1;
    this.state.set("sequence", sequence);
    this.sql.exec("INSERT OR REPLACE INTO news VALUES (?, ?, ?, ?)", kind, subject, sequence, body);
  }

  private get sequence(): number {
    return Number(this.state.get("sequence") ?? 0);
  }
}

/**
 * Schema of a loan desk, as steps that are never changed once they have run anywhere: new ones are added at the end.
 * Times are milliseconds since the epoch, patrons are usernames in lower case.
 */
export const DESK_STEPS: readonly string[] = [
  `CREATE TABLE state (
     name TEXT PRIMARY KEY,
     value TEXT NOT NULL
   ) STRICT, WITHOUT ROWID;
   CREATE TABLE loan (
     patron TEXT PRIMARY KEY,
     uuid TEXT NOT NULL,
     book TEXT NOT NULL,
     kind TEXT NOT NULL,
     loaned_at INTEGER NOT NULL,
     expiry INTEGER NOT NULL
   ) STRICT, WITHOUT ROWID;
   CREATE INDEX loan_by_expiry ON loan (expiry);
   CREATE TABLE place (
     number INTEGER PRIMARY KEY AUTOINCREMENT,
     patron TEXT NOT NULL UNIQUE,
     book TEXT NOT NULL,
     since INTEGER NOT NULL,
     updated INTEGER NOT NULL,
     expiry INTEGER,
     mail_due INTEGER
   ) STRICT;
   CREATE INDEX place_by_expiry ON place (expiry) WHERE expiry IS NOT NULL;
   CREATE INDEX place_waiting ON place (number) WHERE expiry IS NULL;
   CREATE INDEX place_by_mail ON place (mail_due) WHERE mail_due IS NOT NULL;
   CREATE TABLE news (
     kind TEXT NOT NULL,
     subject TEXT NOT NULL,
     sequence INTEGER NOT NULL,
     body TEXT NOT NULL,
     PRIMARY KEY (kind, subject)
   ) STRICT, WITHOUT ROWID;
   CREATE INDEX news_by_sequence ON news (sequence);
   CREATE TABLE refused (
     patron_hash TEXT PRIMARY KEY,
     until INTEGER NOT NULL
   ) STRICT, WITHOUT ROWID`,
  // Loans whose holders got the email about waiting patrons, or for whom it was requested. Not in `loan`: the previous
  // version writes its rows without naming columns, and must continue to work.
  `CREATE TABLE queue_mail (
     loan TEXT PRIMARY KEY,
     again INTEGER
   ) STRICT, WITHOUT ROWID`,
];
