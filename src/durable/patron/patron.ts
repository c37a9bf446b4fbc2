import { isSameHash, secretHash } from "../../db/accounts/secret-hash.ts";
import { RESTARTED } from "../protocol.ts";
import { all, upgrade } from "../storage.ts";
import { type PatronCore, createCore, noteChanges } from "./core.ts";
import { PatronBackup } from "./backup.ts";
import { PatronDiary } from "./diary.ts";
import { PatronFollows } from "./follows.ts";
import { PatronImports } from "./imports.ts";
import { PatronLoans } from "./loans.ts";
import { PatronNotes } from "./notes.ts";
import { PatronOpinions } from "./opinions.ts";
import { Outbox } from "./outbox.ts";
import { PatronPages } from "./pages.ts";
import { STEPS } from "./schema.ts";
import { IS_OPEN, useSession } from "./sessions.ts";
import { PatronShelves } from "./shelves.ts";
import { PatronSync } from "./sync.ts";
import { PatronTokens, endAllTokens } from "./tokens.ts";
import { PatronUpkeep } from "./upkeep.ts";
import { EdgeObject } from "../edge-object.ts";

export const SESSIONS_MAX = 100;
/** Number of wrong codes that make the emailed code invalid. */
export const WRONG_CODES_MAX = 5;
const PREFERENCES_MAX = 50;

interface OpenSession {
  readonly id: string;
  readonly opened: number;
  readonly expires: number;
  readonly seen: number;
  readonly remembered: boolean;
  readonly client: string;
}

/**
 * Private data of one patron, one object per patron, named by the username in lower case. Every method is one
 * transaction; no method waits for anything outside. Sessions and preferences are methods of the object itself. All
 * other methods are called through a part, such as `patron.shelves.put(...)`, which is one remote call as well.
 */
export class Patron extends EdgeObject {
  private readonly sql: SqlStorage;
  private readonly outbox: Outbox;
  private readonly core: PatronCore;

  constructor(state: DurableObjectState, env: Env) {
    super(state, env);
    upgrade(state.storage, STEPS);
    this.sql = state.storage.sql;
    this.outbox = new Outbox(state, this.env.ACTIVITY, this.env.PATRONS);
    this.core = createCore(state, this.outbox);
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
    // Desks still report while an account is removed, so these transactions do not check for that.
    return new PatronLoans(this.openCore());
  }

  get backup(): PatronBackup {
    // A restored object is as a backup has it.
    const transact = <Result>(work: () => Result): Result => this.ctx.storage.transactionSync(work);
    return new PatronBackup({ ...this.core, transact }, this.outbox);
  }

  get pages(): PatronPages {
    return new PatronPages(this.core);
  }

  get upkeep(): PatronUpkeep {
    return new PatronUpkeep(this.core, this.outbox);
  }

  get sync(): PatronSync {
    return new PatronSync(this.core);
  }

  get tokens(): PatronTokens {
    return new PatronTokens(this.core);
  }

  get imports(): PatronImports {
    return new PatronImports(this.core);
  }

  /** Returns true once objects of this class respond and their storage is up to date; a health check. */
  ping(): boolean {
    return true;
  }

  /**
   * Restores the object's state at `time` (milliseconds) at its next start, which `restart` triggers. Returns the
   * bookmark that undoes it. Throws if the platform stores no earlier states.
   */
  async rewind(time: number): Promise<string> {
    const { storage } = this.ctx;
    return storage.onNextSessionRestoreBookmark(await storage.getBookmarkForTime(time));
  }

  /** Aborts this instance, and therefore throws. The next call starts the object anew. */
  restart(): void {
    this.ctx.abort(RESTARTED);
  }

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

  useSession(id: string, now: number): boolean {
    return useSession(this.sql, { id, now });
  }

  /** Ends a session, or a token by its id. */
  closeSession(id: string): void {
    this.sql.exec("DELETE FROM session WHERE id = ?", id);
    this.sql.exec("DELETE FROM token WHERE hash = ?", secretHash(id));
  }

  /**
   * Ends all sessions but `except`, and deletes a code that would open one. With `now`, logins that began before can no
   * longer open one either. Tokens of programs end too, unless `keepsTokens`.
   */
  closeSessions(except = "", now = 0, { keepsTokens = false } = {}): void {
    this.ctx.storage.transactionSync(() => {
      this.sql.exec("DELETE FROM session WHERE id <> ?", except);
      this.core.state.delete("code");
      if (now > this.closedAt()) this.core.state.set("closed", now);
      if (!keepsTokens) endAllTokens(this.sql);
    });
  }

  sessions(now: number): OpenSession[] {
    const sql = `SELECT * FROM session WHERE ${IS_OPEN} ORDER BY seen DESC, id`;
    const rows = all<Omit<OpenSession, "remembered"> & { remembered: number }>(this.sql, sql, now);
    return rows.map(({ id, opened, expires, seen, remembered, client }) => {
      return { id, opened, expires, seen, remembered: remembered === 1, client };
    });
  }

  /** Ends all sessions and refuses new ones, or permits new ones again. */
  bar(isBarred: boolean): void {
    this.openCore().transact(() => {
      if (!isBarred) return this.core.state.delete("barred");
      this.core.state.set("barred", "yes");
      this.closeSessions();
    });
  }

  preferences(): Record<string, string> {
    const sql = "SELECT name, value FROM preference ORDER BY name";
    const rows = all<{ name: string; value: string }>(this.sql, sql);
    return Object.fromEntries(rows.map(({ name, value }) => [name, value]));
  }

  addPreferences(defaults: Readonly<Record<string, string>>): void {
    this.core.transact(() => {
      for (const [name, value] of Object.entries(defaults)) {
        this.sql.exec("INSERT OR IGNORE INTO preference (name, value) VALUES (?, ?)", name, value);
      }
    });
  }

  /** Sets some preferences and returns all. Throws if there are more than `PREFERENCES_MAX`. */
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

  /** Stores the hash of a code that opens a session until `expires`, and replaces the previous one. */
  setCode(hash: string, expires: number): void {
    this.core.transact(() => this.core.state.set("code", [hash, expires, 0].join(" ")));
  }

  /** Returns true if this is the hash of the code, and deletes the code. So do `WRONG_CODES_MAX` wrong hashes. */
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

  /** Returns the core for what happens to removed accounts too. */
  private openCore(): PatronCore {
    const transact = <Result>(work: () => Result): Result =>
      this.ctx.storage.transactionSync(() => noteChanges(this.sql, this.outbox, work));
    return { ...this.core, transact };
  }

  private closedAt(): number {
    return Number(this.core.state.get("closed") ?? 0);
  }
}
