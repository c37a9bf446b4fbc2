import { DurableObject } from "cloudflare:workers";
import { isSameHash } from "../../db/accounts/secret-hash.ts";
import { RESTARTED } from "../names.ts";
import { type PatronCore, all, firstValue, upgrade } from "../storage.ts";
import { PatronDiary } from "./diary.ts";
import { PatronFollows } from "./follows.ts";
import { PatronImports } from "./imports.ts";
import { PatronLoans } from "./loans.ts";
import { PatronNotes } from "./notes.ts";
import { PatronOpinions } from "./opinions.ts";
import { Outbox, coreOf } from "./outbox.ts";
import { PatronPages } from "./pages.ts";
import { STEPS } from "./schema.ts";
import { PatronShelves } from "./shelves.ts";
import { PatronUpkeep } from "./upkeep.ts";

/** Concurrent sessions of a patron; a new one closes the least recently used one. */
export const SESSIONS_MAX = 100;
/** Precision of a session's last use, in milliseconds: not every request is worth a write. */
const SEEN_STEP_MS = 3_600_000;
/** Days after which an unused session ends, regardless of its lifetime (Q139). */
export const SESSION_IDLE_DAYS = 30;
const SESSION_IDLE_MS = SESSION_IDLE_DAYS * 86_400_000;
/** Condition for sessions that are open at `?1`. */
const IS_OPEN = `expires > ?1 AND seen > ?1 - ${SESSION_IDLE_MS}`;
/** Wrong codes that make the emailed code invalid. */
export const WRONG_CODES_MAX = 5;
/** Preferences of one patron, at most. */
const PREFERENCES_MAX = 50;

/** Session as shown to the patron and administrators. Times are milliseconds since the epoch. */
interface OpenSession {
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
 * Private data of one patron, one object per patron, named by the username in lower case. Every method is one
 * transaction; no method waits for anything outside. Sessions and preferences are methods of the object itself,
 * everything else is called by its part: `patron.shelves.put(...)`, which is one call as well.
 */
export class Patron extends DurableObject<Env> {
  private readonly sql: SqlStorage;
  private readonly outbox: Outbox;
  private readonly core: PatronCore;

  constructor(state: DurableObjectState, env: Env) {
    super(state, env);
    upgrade(state.storage, STEPS);
    this.sql = state.storage.sql;
    this.outbox = new Outbox(state, env.ACTIVITY);
    this.core = coreOf(state, this.outbox);
  }

  get shelves(): PatronShelves {
    return new PatronShelves(this.core);
  }

  get diary(): PatronDiary {
    return new PatronDiary(this.core);
  }

  get notes(): PatronNotes {
    return new PatronNotes(this.core);
  }

  get follows(): PatronFollows {
    return new PatronFollows(this.core);
  }

  get opinions(): PatronOpinions {
    return new PatronOpinions(this.core);
  }

  get loans(): PatronLoans {
    // Desks report to the end, also for a removed account.
    return new PatronLoans({ ...this.core, transact: (work) => this.ctx.storage.transactionSync(work) });
  }

  get pages(): PatronPages {
    return new PatronPages(this.core);
  }

  get upkeep(): PatronUpkeep {
    return new PatronUpkeep(this.core, this.outbox);
  }

  get imports(): PatronImports {
    return new PatronImports(this.core);
  }

  /** Returns true if objects of this class answer with storage that is up to date; a health check. */
  ping(): boolean {
    return true;
  }

  /**
   * Restores the object's state of `time` (milliseconds) at its next start, which `restart` triggers. Returns the
   * bookmark that undoes it. Throws if the platform keeps no earlier states.
   */
  async rewind(time: number): Promise<string> {
    const { storage } = this.ctx;
    return storage.onNextSessionRestoreBookmark(await storage.getBookmarkForTime(time));
  }

  /** Aborts this instance, and therefore fails: the next call starts the object anew. */
  restart(): void {
    this.ctx.abort(RESTARTED);
  }

  /** Resends unconfirmed changes. */
  override async alarm(): Promise<void> {
    await this.outbox.resend();
  }

  /**
   * Opens a session for a login that began at `opened`. Returns false if the patron is barred, or if all sessions were
   * closed since then: the login checked an older state.
   */
  openSession({ id, opened, expires, remembered, client }: Omit<OpenSession, "seen">): boolean {
    return this.ctx.storage.transactionSync(() => {
      if (this.core.state.get("barred") !== undefined || opened < this.closedAt()) return false;
      this.sql.exec(`DELETE FROM session WHERE NOT (${IS_OPEN})`, opened);
      const sql = `DELETE FROM session WHERE id IN (SELECT id FROM session ORDER BY seen DESC, id LIMIT -1 OFFSET ?)`;
      this.sql.exec(sql, SESSIONS_MAX - 1);
      const text =
        "INSERT INTO session (id, opened, expires, seen, remembered, client) VALUES (?, ?, ?, ?, ?, ?)";
      this.sql.exec(text, id, opened, expires, opened, Number(remembered), client);
      return true;
    });
  }

  /** Returns true if the session is open at `now`, and records its use. */
  useSession(id: string, now: number): boolean {
    const sql = `SELECT seen FROM session WHERE id = ?2 AND ${IS_OPEN}`;
    const seen = firstValue<number>(this.sql, sql, now, id);
    if (seen !== undefined && now - seen >= SEEN_STEP_MS) {
      this.sql.exec("UPDATE session SET seen = ? WHERE id = ?", now, id);
    }
    return seen !== undefined;
  }

  /** Ends one session; unknown ones are no error. */
  closeSession(id: string): void {
    this.sql.exec("DELETE FROM session WHERE id = ?", id);
  }

  /**
   * Ends all sessions, or all but one, and deletes a code that would open one. With `now`, logins that began before
   * cannot open one any more either.
   */
  closeSessions(except = "", now = 0): void {
    this.ctx.storage.transactionSync(() => {
      this.sql.exec("DELETE FROM session WHERE id <> ?", except);
      this.core.state.delete("code");
      if (now > this.closedAt()) this.core.state.set("closed", now);
    });
  }

  /** Returns the open sessions at `now`, the last used first. */
  sessions(now: number): OpenSession[] {
    const sql = `SELECT * FROM session WHERE ${IS_OPEN} ORDER BY seen DESC, id`;
    return all<SessionRow>(this.sql, sql, now).map(({ id, opened, expires, seen, remembered, client }) => {
      return { id, opened, expires, seen, remembered: remembered === 1, client };
    });
  }

  /** Ends all sessions and refuses new ones, or lets them be opened again. */
  bar(isBarred: boolean): void {
    this.ctx.storage.transactionSync(() => {
      if (!isBarred) return this.core.state.delete("barred");
      this.core.state.set("barred", "yes");
      this.closeSessions();
    });
  }

  /** Returns all preferences that were ever set. */
  preferences(): Record<string, string> {
    const sql = "SELECT name, value FROM preference ORDER BY name";
    const found = all<{ name: string; value: string }>(this.sql, sql);
    return Object.fromEntries(found.map(({ name, value }) => [name, value]));
  }

  /** Sets those of the preferences that were never set. */
  addPreferences(defaults: Readonly<Record<string, string>>): void {
    this.core.transact(() => {
      for (const [name, value] of Object.entries(defaults)) {
        this.sql.exec("INSERT OR IGNORE INTO preference (name, value) VALUES (?, ?)", name, value);
      }
    });
  }

  /** Sets some preferences, leaves the others, and returns all. */
  setPreferences(changes: Readonly<Record<string, string>>): Record<string, string> {
    return this.core.transact(() => {
      for (const [name, value] of Object.entries(changes)) {
        this.sql.exec("INSERT OR REPLACE INTO preference (name, value) VALUES (?, ?)", name, value);
      }
      const stored = this.preferences();
      if (Object.keys(stored).length > PREFERENCES_MAX) throw new RangeError("too many preferences");
      return stored;
    });
  }

  /** Stores the hash of a code that opens a session until `expires`, and replaces the one before. */
  setCode(hash: string, expires: number): void {
    this.core.transact(() => this.core.state.set("code", [hash, expires, 0].join(" ")));
  }

  /** Returns true if this is the hash of the code, which is then used up. Too many wrong hashes delete it. */
  takeCode(hash: string, now: number): boolean {
    return this.ctx.storage.transactionSync(() => {
      const [stored = "", expires = "", wrong = ""] = (this.core.state.get("code") ?? "").split(" ");
      if (stored === "") return false;
      this.core.state.delete("code");
      if (Number(expires) <= now) return false;
      if (isSameHash(hash, stored)) return true;
      const tries = Number(wrong) + 1;
      if (tries < WRONG_CODES_MAX) this.core.state.set("code", [stored, expires, tries].join(" "));
      return false;
    });
  }

  private closedAt(): number {
    return Number(this.core.state.get("closed") ?? 0);
  }
}
