import {
  type DeskWord,
  type Loan,
  LOANS_MAX,
  PLACES_MAX,
  WISH_VALID_MS,
} from "../../catalog/lending/loan.ts";
import { all, allValues, firstValue } from "../storage.ts";
import { PatronPart } from "./part.ts";

/** Age from which a loan request cannot reach a desk any more, in milliseconds. */
const SETTLED_MS = 2 * WISH_VALID_MS;
/** Retention of entries of desks that hold nothing, and of loan requests, in milliseconds. */
const MEMORY_MS = 86_400_000;

/** Loan request of a patron to the desk of an item. */
export interface Wish {
  readonly ocaid: string;
  /** Id that is unique among all requests of the patron. */
  readonly request: string;
  readonly kind: "loan" | "place";
  /** True for patrons with a print disability, who may have any number of loans. */
  readonly isUnlimited: boolean;
  readonly now: number;
}

/** Permission to send a loan request to the desk, and the time until which the desk accepts it. */
type Admission =
  | { readonly ok: true; readonly validUntil: number }
  /** `doubtful`: items whose desks should be queried again, because their messages may have been lost. */
  | { readonly ok: false; readonly reason: "limit" | "barred"; readonly doubtful: readonly string[] };

/** Loan status from a desk. `asked`: time of the query, by the clock of the objects. */
type HeardWord = DeskWord & { readonly asked?: number };

/**
 * Loans and waiting places of a patron as reported by the desks of the items, and the room that is left for more. A
 * loan request takes room before the desk is called, and gives it back when the desk has answered. If the answer was
 * lost, the desk is queried again before the patron is refused for too many loans. `now` is the request's time; the age
 * of a loan request goes by the clock of the objects.
 */
export class PatronLoans extends PatronPart {
  /** Takes room for a loan request; a request for an item that the patron already has takes none. */
  admit({ ocaid, request, kind, isUnlimited, now }: Wish): Admission {
    // A removed account stores nothing; nor can anything come between this and the next step.
    if (this.core.state.get("barred") !== undefined) return { ok: false, reason: "barred", doubtful: [] };
    return this.core.transact(() => {
      const asked = Date.now();
      this.#forgetOld(asked - MEMORY_MS);
      const taken = this.#taken(kind, now).filter((item) => item.ocaid !== ocaid);
      const isFull = taken.length >= (kind === "loan" ? LOANS_MAX : PLACES_MAX);
      if (isFull && !isUnlimited) {
        const old = taken.filter(({ since }) => since + SETTLED_MS < asked);
        return { ok: false, reason: "limit", doubtful: old.map((item) => item.ocaid) };
      }
      const sql = "INSERT OR REPLACE INTO lending_wish (ocaid, request, kind, asked) VALUES (?, ?, ?, ?)";
      this.core.sql.exec(sql, ocaid, request, kind, asked);
      return { ok: true, validUntil: asked + WISH_VALID_MS };
    });
  }

  /** Stores the status from the desk's answer to a loan request, if it has one, and gives back the room. */
  conclude({ ocaid, request, word }: { ocaid: string; request: string; word: DeskWord | null }): void {
    if (this.#isRemoved()) return;
    this.core.transact(() => {
      if (word !== null) this.#hear(word);
      this.core.sql.exec("DELETE FROM lending_wish WHERE ocaid = ? AND request = ?", ocaid, request);
    });
  }

  /** Stores loan statuses from desks. Does nothing for a removed account. */
  hear(words: readonly HeardWord[]): void {
    if (this.#isRemoved()) return;
    this.core.transact(() => {
      for (const word of words) this.#hear(word);
    });
  }

  /** Returns the patron's loans at `now`, the newest first. */
  held(now: number, patron: string): Loan[] {
    const sql = `SELECT uuid, ocaid, ?2 AS patron, book, kind, loaned_at AS loanedAt, expiry FROM lending
                 WHERE uuid IS NOT NULL AND expiry > ?1 ORDER BY loaned_at DESC, ocaid`;
    return all<Loan>(this.core.sql, sql, now, patron);
  }

  /** Counts the patron's loans at `now`. */
  count(now: number): number {
    const sql = "SELECT count(*) FROM lending WHERE uuid IS NOT NULL AND expiry > ?";
    return firstValue<number>(this.core.sql, sql, now) ?? 0;
  }

  /** Returns all items whose desks may hold something of the patron. */
  items(): string[] {
    const sql = `SELECT ocaid FROM lending WHERE uuid IS NOT NULL OR waits = 1
                 UNION SELECT ocaid FROM lending_wish ORDER BY ocaid`;
    return allValues<string>(this.core.sql, sql);
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

  /** Returns the items that fill the patron's room, with the time of their status or request. */
  #taken(kind: Wish["kind"], now: number): { ocaid: string; since: number }[] {
    const held = kind === "loan" ? "uuid IS NOT NULL AND expiry > ?1" : "waits = 1 AND ?1 IS NOT NULL";
    const sql = `SELECT ocaid, max(since) AS since FROM (
                   SELECT ocaid, heard AS since FROM lending WHERE ${held}
                   UNION ALL SELECT ocaid, asked FROM lending_wish WHERE kind = ?2)
                 GROUP BY ocaid`;
    return all(this.core.sql, sql, now, kind);
  }

  #hear({ ocaid, sequence, loan, waits, asked = 0 }: HeardWord): void {
    const { sql } = this.core;
    // Loan requests this old reached the desk before it answered, or never will.
    sql.exec("DELETE FROM lending_wish WHERE ocaid = ? AND asked < ?", ocaid, asked - SETTLED_MS);
    const known = firstValue<number>(sql, "SELECT sequence FROM lending WHERE ocaid = ?", ocaid);
    if (known === undefined ? loan === null && !waits : known > sequence) return;
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

  #forgetOld(before: number): void {
    const { sql } = this.core;
    sql.exec("DELETE FROM lending WHERE uuid IS NULL AND waits = 0 AND heard < ?", before);
    sql.exec("DELETE FROM lending_wish WHERE asked < ?", before);
  }

  #isRemoved(): boolean {
    return this.core.state.get("removed") !== undefined;
  }
}
