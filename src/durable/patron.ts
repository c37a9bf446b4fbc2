import { DurableObject } from "cloudflare:workers";
import { upgrade } from "./patron/schema.ts";

/** Sessions that a patron can have at a time; the one not used for longest is closed for a further one. */
export const SESSIONS_MAX = 100;
/** How exactly the last use of a session is known, in milliseconds: not every request is worth a write. */
export const SEEN_STEP_MS = 3_600_000;
/** Preferences of one patron. */
export const PREFERENCES_MAX = 50;

/** A session as the patron and administrators may see it. Times are milliseconds since the epoch. */
export interface OpenSession {
  readonly id: string;
  readonly opened: number;
  readonly expires: number;
  readonly seen: number;
  readonly remembered: boolean;
  /** Address from which it was opened. */
  readonly client: string;
}

type SessionRow = Omit<OpenSession, "remembered"> & { remembered: number };

/**
 * All that belongs to one patron alone, one object per patron, named by the username in lower case. Every method is
 * one transaction; nothing in here waits for anything outside.
 */
export class Patron extends DurableObject<Env> {
  private readonly sql: SqlStorage;

  constructor(state: DurableObjectState, env: Env) {
    super(state, env);
    upgrade(state.storage);
    this.sql = state.storage.sql;
  }

  /**
   * Opens a session for a login that began at `opened`; false when the patron is barred, or all sessions were closed
   * since then: the login saw what was true before.
   */
  openSession({ id, opened, expires, remembered, client }: Omit<OpenSession, "seen">): boolean {
    return this.ctx.storage.transactionSync(() => {
      if (this.isBarred() || opened < this.closedAt()) return false;
      this.sql.exec("DELETE FROM session WHERE expires <= ?", opened);
      this.sql.exec(
        `DELETE FROM session WHERE id IN (SELECT id FROM session ORDER BY seen DESC, id LIMIT -1 OFFSET ?)`,
        SESSIONS_MAX - 1,
      );
      this.sql.exec(
        "INSERT INTO session (id, opened, expires, seen, remembered, client) VALUES (?, ?, ?, ?, ?, ?)",
        id,
        opened,
        expires,
        opened,
        Number(remembered),
        client,
      );
      return true;
    });
  }

  /** True when the session is open at `now`, which is noted. */
  useSession(id: string, now: number): boolean {
    const [row] = this.sql
      .exec<{ seen: number }>("SELECT seen FROM session WHERE id = ? AND expires > ?", id, now)
      .toArray();
    if (row === undefined) return false;
    if (now - row.seen >= SEEN_STEP_MS) {
      this.sql.exec("UPDATE session SET seen = ? WHERE id = ?", now, id);
    }
    return true;
  }

  /** Ends one session; unknown ones are no error. */
  closeSession(id: string): void {
    this.sql.exec("DELETE FROM session WHERE id = ?", id);
  }

  /** Ends all sessions, or all but one. With `now`, logins that began before open none any more either. */
  closeSessions(except = "", now = 0): void {
    this.ctx.storage.transactionSync(() => {
      this.sql.exec("DELETE FROM session WHERE id <> ?", except);
      if (now <= this.closedAt()) return;
      this.sql.exec("INSERT OR REPLACE INTO state (name, value) VALUES ('closed', ?)", String(now));
    });
  }

  /** Open sessions at `now`, the last used first. */
  sessions(now: number): OpenSession[] {
    return this.sql
      .exec<SessionRow & Record<string, SqlStorageValue>>(
        "SELECT * FROM session WHERE expires > ? ORDER BY seen DESC, id",
        now,
      )
      .toArray()
      .map(({ id, opened, expires, seen, remembered, client }) => ({
        id,
        opened,
        expires,
        seen,
        remembered: remembered === 1,
        client,
      }));
  }

  /** Ends all sessions and refuses new ones, or lets them be opened again. */
  bar(isBarred: boolean): void {
    this.ctx.storage.transactionSync(() => {
      if (!isBarred) {
        this.sql.exec("DELETE FROM state WHERE name = 'barred'");
        return;
      }
      this.sql.exec("INSERT OR REPLACE INTO state (name, value) VALUES ('barred', 'yes')");
      this.closeSessions();
    });
  }

  /** All preferences that were ever set. */
  preferences(): Record<string, string> {
    const found = this.sql.exec<{ name: string; value: string }>(
      "SELECT name, value FROM preference ORDER BY name",
    );
    return Object.fromEntries(found.toArray().map(({ name, value }) => [name, value]));
  }

  /** Sets those of the preferences that were never set. */
  addPreferences(defaults: Readonly<Record<string, string>>): void {
    this.ctx.storage.transactionSync(() => {
      for (const [name, value] of Object.entries(defaults)) {
        this.sql.exec("INSERT OR IGNORE INTO preference (name, value) VALUES (?, ?)", name, value);
      }
    });
  }

  /** Sets some preferences, leaves the others, and returns all (patrons.md 3.8). */
  setPreferences(changes: Readonly<Record<string, string>>): Record<string, string> {
    return this.ctx.storage.transactionSync(() => {
      for (const [name, value] of Object.entries(changes)) {
        this.sql.exec("INSERT OR REPLACE INTO preference (name, value) VALUES (?, ?)", name, value);
      }
      const all = this.preferences();
      if (Object.keys(all).length > PREFERENCES_MAX) throw new RangeError("too many preferences");
      return all;
    });
  }

  private closedAt(): number {
    const [row] = this.sql.exec<{ value: string }>("SELECT value FROM state WHERE name = 'closed'").toArray();
    return Number(row?.value ?? 0);
  }

  private isBarred(): boolean {
    return this.sql.exec("SELECT 1 FROM state WHERE name = 'barred'").toArray().length > 0;
  }
}
