import { type DeskLoan, type LoanKind, CLAIM_MS } from "../../catalog/lending/loan.ts";
import { secretHash } from "../../db/accounts/secret-hash.ts";
import type { DeskReport, EndedLoan } from "../../db/lending/write.ts";
import { all, first } from "../storage.ts";

/** A place in the desk's queue. */
interface Place {
  readonly number: number;
  readonly patron: string;
  readonly book: string;
  readonly since: number;
  readonly updated: number;
  /** A copy is kept for the patron until then; null: he still waits. */
  readonly expiry: number | null;
}

/** How the desk stands, but for the patron who asks. */
export type DeskCounts = Omit<DeskReport, "ocaid" | "loans" | "places">;

interface LoanRow {
  readonly patron: string;
  readonly uuid: string;
  readonly book: string;
  readonly kind: LoanKind;
  readonly loaned_at: number;
  readonly expiry: number;
}

type StateName = "ocaid" | "sequence" | "copies" | "browse" | "last_loan" | "last_waiting";

const PLACE = "number, patron, book, since, updated, expiry";

/** What a loan desk has written down: loans, places, and what it has to tell others of. Used within transactions. */
export class Ledger {
  constructor(private readonly sql: SqlStorage) {}

  get ocaid(): string {
    return this.state("ocaid") ?? "";
  }

  /** Copies that nobody has and that are kept for nobody; never below 0. */
  get free(): number {
    const { borrows, browses, reserved } = this.counts();
    return Math.max(0, Number(this.state("copies") ?? 0) - borrows - browses - reserved);
  }

  get browse(): boolean {
    return this.state("browse") === "1";
  }

  /** Notes which item this is, and how many copies there are. */
  setTerms({ ocaid, copies, browse }: { ocaid: string; copies: number; browse: boolean }): void {
    const terms = { ocaid, copies: String(copies), browse: browse ? "1" : "0" } as const;
    for (const name of ["ocaid", "copies", "browse"] as const) {
      if (this.state(name) !== terms[name]) this.setState(name, terms[name]);
    }
  }

  counts(): DeskCounts {
    const sql = `SELECT count(*) FILTER (WHERE kind = 'borrow') AS borrows, count(*) FILTER (WHERE kind = 'browse') AS browses,
                        min(expiry) AS nextExpiry FROM loan`;
    const loans = first<{ borrows: number; browses: number; nextExpiry: number | null }>(this.sql, sql);
    const text = "SELECT count(*) AS waiting, count(expiry) AS reserved FROM place";
    const queue = first<{ waiting: number; reserved: number }>(this.sql, text);
    return {
      sequence: this.sequence,
      borrows: loans?.borrows ?? 0,
      browses: loans?.browses ?? 0,
      nextExpiry: loans?.nextExpiry ?? null,
      waiting: queue?.waiting ?? 0,
      reserved: queue?.reserved ?? 0,
      lastLoan: this.time("last_loan"),
      lastWaiting: this.time("last_waiting"),
    };
  }

  loanOf(patron: string): DeskLoan | undefined {
    const row = first<LoanRow>(this.sql, "SELECT * FROM loan WHERE patron = ?", patron);
    return row === undefined ? undefined : this.loan(row);
  }

  placeOf(patron: string): Place | undefined {
    return first<Place>(this.sql, `SELECT ${PLACE} FROM place WHERE patron = ?`, patron);
  }

  /** The position of a place, from 1. */
  positionOf({ number }: Place): number {
    const sql = "SELECT count(*) AS position FROM place WHERE number <= ?";
    return first<{ position: number }>(this.sql, sql, number)?.position ?? 1;
  }

  /** Writes down a new loan, or one with another expiry. */
  putLoan(loan: DeskLoan): void {
    const { patron, uuid, book, kind, loanedAt, expiry } = loan;
    const sql =
      "INSERT OR REPLACE INTO loan (patron, uuid, book, kind, loaned_at, expiry) VALUES (?, ?, ?, ?, ?, ?)";
    this.sql.exec(sql, patron, uuid, book, kind, loanedAt, expiry);
    this.setState("last_loan", String(loanedAt));
    this.tellLoan({ ...loan, returnedAt: null });
    this.removePlace(patron);
  }

  /** Ends a loan. */
  endLoan(loan: DeskLoan, returnedAt: number): void {
    this.sql.exec("DELETE FROM loan WHERE patron = ?", loan.patron);
    this.tellLoan({ ...loan, returnedAt });
  }

  addPlace({ patron, book, now }: { patron: string; book: string; now: number }): void {
    const sql = "INSERT INTO place (patron, book, since, updated) VALUES (?1, ?2, ?3, ?3)";
    this.sql.exec(sql, patron, book, now);
    this.setState("last_waiting", String(now));
    this.tellPatron(patron);
  }

  removePlace(patron: string): void {
    this.sql.exec("DELETE FROM place WHERE patron = ?", patron);
    this.tellPatron(patron);
  }

  /** Ends what is over at `now`, and keeps copies that have become free for those whose turn it is. True if anything was. */
  settle(now: number): boolean {
    const before = this.sequence;
    for (const row of all<LoanRow>(this.sql, "SELECT * FROM loan WHERE expiry <= ?", now)) {
      this.endLoan(this.loan(row), row.expiry);
    }
    const missed = "SELECT patron FROM place WHERE expiry <= ?";
    for (const { patron } of all<{ patron: string }>(this.sql, missed, now)) this.removePlace(patron);
    this.advance(now);
    return this.sequence > before;
  }

  /** When the next loan or turn is over; null when none will be. */
  nextEnd(): number | null {
    const sql = "SELECT min(expiry) AS end FROM (SELECT expiry FROM loan UNION ALL SELECT expiry FROM place)";
    return first<{ end: number | null }>(this.sql, sql)?.end ?? null;
  }

  /** Takes no wish of this patron until then: what is on its way comes too late. */
  refuse(patron: string, until: number): void {
    this.sql.exec("INSERT OR REPLACE INTO refused VALUES (?, ?)", secretHash(patron), until);
  }

  isRefused(patron: string, now: number): boolean {
    this.sql.exec("DELETE FROM refused WHERE until <= ?", now);
    const sql = "SELECT 1 FROM refused WHERE patron_hash = ?";
    return first(this.sql, sql, secretHash(patron)) !== undefined;
  }

  private advance(now: number): void {
    const free = this.free;
    if (free === 0) return;
    const sql = "SELECT patron FROM place WHERE expiry IS NULL ORDER BY number LIMIT ?";
    const next = all<{ patron: string }>(this.sql, sql, free);
    for (const { patron } of next) {
      const text = "UPDATE place SET expiry = ?1, updated = ?2, mail_due = 0 WHERE patron = ?3";
      this.sql.exec(text, now + CLAIM_MS, now, patron);
      this.tellPatron(patron);
    }
  }

  private tellLoan(loan: EndedLoan): void {
    this.tell("loan", loan.uuid, JSON.stringify(loan));
    this.tellPatron(loan.patron);
  }

  /** How the patron stands is looked up when it is told. */
  private tellPatron(patron: string): void {
    this.tell("patron", patron, "{}");
  }

  private tell(kind: "loan" | "patron", subject: string, body: string): void {
    const sequence = this.sequence + 1;
    this.setState("sequence", String(sequence));
    this.sql.exec("INSERT OR REPLACE INTO news VALUES (?, ?, ?, ?)", kind, subject, sequence, body);
  }

  private loan({ patron, uuid, book, kind, loaned_at, expiry }: LoanRow): DeskLoan {
    return { uuid, ocaid: this.ocaid, patron, book, kind, loanedAt: loaned_at, expiry };
  }

  private get sequence(): number {
    return Number(this.state("sequence") ?? 0);
  }

  private time(name: "last_loan" | "last_waiting"): number | null {
    const value = this.state(name);
    return value === undefined ? null : Number(value);
  }

  private state(name: StateName): string | undefined {
    return first<{ value: string }>(this.sql, "SELECT value FROM state WHERE name = ?", name)?.value;
  }

  private setState(name: StateName, value: string): void {
    this.sql.exec("INSERT OR REPLACE INTO state VALUES (?, ?)", name, value);
  }
}
