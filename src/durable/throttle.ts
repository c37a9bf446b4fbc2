import { first } from "./storage.ts";
import { EdgeObject } from "./edge-object.ts";

/** Limit of events in a period of `seconds` seconds. */
export interface Budget {
  readonly limit: number;
  readonly seconds: number;
}

/** Longest wait for attempts under way that may free room, in milliseconds. */
const TURN_MS = 20_000;
/** Attempts of one subject that may wait for room at a time. */
const TURNS_MAX = 200;
/** Wait that is reported if no attempt under way freed room, in seconds. */
const BUSY_SECONDS = 1;

/** Permission for one attempt, or the time to wait for it. */
export interface Turn {
  /** Seconds to wait; 0 permits the attempt, which must be settled. */
  readonly wait: number;
  /** Start of the budget's period, in milliseconds since the epoch. */
  readonly opened: number;
  readonly isLast: boolean;
}

/** Start of a budget's period, in milliseconds since the epoch, and the events counted since. */
type Usage = { opened: number; used: number };

/**
 * Counts events that must be counted exactly, such as attempts with a wrong token: one object per subject. An object is
 * used in one of three ways: `wait` and `count`, `take` and `settle`, or `spend`.
 */
export class Throttle extends EdgeObject {
  /** Unsettled attempts of the period that began at `opened`. Settling attempts of an earlier period frees no room. */
  private underWay = 0;
  private opened = 0;
  private readonly waiting = new Set<() => void>();

  /** Returns the seconds until a budget has room again at `now` (milliseconds); 0 if it has room. */
  wait(now: number, budget: Budget): number {
    const { opened, used } = this.current(now, budget);
    if (used < budget.limit) return 0;
    return Math.max(1, Math.ceil((opened + budget.seconds * 1000 - now) / 1000));
  }

  /** Counts one event at `now`, unless the budget is used up: further events do not extend the wait. */
  async count(now: number, budget: Budget): Promise<void> {
    const { opened, used } = this.current(now, budget);
    if (used < budget.limit) await this.store(opened, used + 1, budget);
  }

  /**
   * Takes room for an attempt at `now` before it is made, so that concurrent attempts cannot exceed the budget. If
   * attempts under way have taken all the room, waits for their results.
   */
  async take(now: number, budget: Budget): Promise<Turn> {
    for (;;) {
      const { opened, used } = this.current(now, budget);
      if (used < budget.limit) {
        this.underWay = opened === this.opened ? this.underWay + 1 : 1;
        this.opened = opened;
        await this.store(opened, used + 1, budget);
        return { wait: 0, opened, isLast: used + 1 === budget.limit };
      }
      if (this.underWay === 0) return { wait: this.wait(now, budget), opened, isLast: false };
      if (this.waiting.size >= TURNS_MAX || !(await this.waitForSettlement())) {
        return { wait: BUSY_SECONDS, opened, isLast: false };
      }
    }
  }

  /** Settles an attempt that was taken: an attempt that does not count gives back its room. */
  async settle({ opened }: Turn, isCounted: boolean): Promise<void> {
    if (opened === this.opened) this.underWay = Math.max(0, this.underWay - 1);
    if (!isCounted) {
      this.createTable();
      this.ctx.storage.sql.exec("UPDATE budget SET used = used - 1 WHERE opened = ? AND used > 0", opened);
    }
    for (const wake of this.waiting) wake();
  }

  /**
   * Takes an amount out of all budgets at `now`, or out of none if one of them has no room. Returns 0, or the seconds
   * until all have room. Budgets must differ in length. An unused budget accepts any amount.
   */
  async spend(now: number, amount: number, budgets: readonly Budget[]): Promise<number> {
    const { sql } = this.ctx.storage;
    sql.exec("CREATE TABLE IF NOT EXISTS spent (seconds INTEGER PRIMARY KEY, opened INTEGER, used INTEGER)");
    const current = "SELECT opened, used FROM spent WHERE seconds = ? AND opened > ?";
    const periods = budgets.map(({ limit, seconds }) => {
      const row = first<Usage>(sql, current, seconds, now - seconds * 1000) ?? { opened: now, used: 0 };
      return { ...row, limit, seconds, ends: row.opened + seconds * 1000 };
    });
    const full = periods.filter(({ used, limit }) => used > 0 && used + amount > limit);
    if (full.length > 0) return Math.max(...full.map(({ ends }) => Math.ceil((ends - now) / 1000)), 1);
    for (const { opened, seconds, used } of periods) {
      sql.exec("INSERT OR REPLACE INTO spent VALUES (?, ?, ?)", seconds, opened, used + amount);
    }
    await this.ctx.storage.setAlarm(Math.max(...periods.map(({ ends }) => ends)));
    return 0;
  }

  ping(): boolean {
    return true;
  }

  override async alarm(): Promise<void> {
    await this.ctx.storage.deleteAll();
  }

  private async store(opened: number, used: number, { seconds }: Budget): Promise<void> {
    const sql = "INSERT OR REPLACE INTO budget (id, opened, used) VALUES (1, ?, ?)";
    this.ctx.storage.sql.exec(sql, opened, used);
    await this.ctx.storage.setAlarm(opened + seconds * 1000);
  }

  /** Returns true as soon as an attempt is settled; false if none is within `TURN_MS`. */
  private async waitForSettlement(): Promise<boolean> {
    const { promise, resolve } = Promise.withResolvers<boolean>();
    const wake = (): void => resolve(true);
    const timer = setTimeout(() => resolve(false), TURN_MS);
    this.waiting.add(wake);
    try {
      return await promise;
    } finally {
      clearTimeout(timer);
      this.waiting.delete(wake);
    }
  }

  private current(now: number, { seconds }: Budget): Usage {
    this.createTable();
    const sql = "SELECT opened, used FROM budget WHERE opened > ?";
    return first<Usage>(this.ctx.storage.sql, sql, now - seconds * 1000) ?? { opened: now, used: 0 };
  }

  private createTable(): void {
    // Not in the constructor, because the alarm removes the table of a living object.
    this.ctx.storage.sql.exec(
      "CREATE TABLE IF NOT EXISTS budget (id INTEGER PRIMARY KEY CHECK (id = 1), opened INTEGER, used INTEGER)",
    );
  }
}
