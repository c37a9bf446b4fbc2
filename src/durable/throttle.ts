import { DurableObject } from "cloudflare:workers";

/** So many events in so many seconds. */
export interface Budget {
  readonly limit: number;
  readonly seconds: number;
}

/** Counts what must be counted exactly, one object per subject: attempts with a wrong token, for instance. */
export class Throttle extends DurableObject<Env> {
  /** Seconds until a budget has room again at `now` (milliseconds); 0 when it has. */
  async wait(now: number, budget: Budget): Promise<number> {
    const { opened, used } = this.current(now, budget);
    if (used < budget.limit) return 0;
    return Math.max(1, Math.ceil((opened + budget.seconds * 1000 - now) / 1000));
  }

  /** Counts one event at `now`, unless the budget is used up: further events do not extend the wait. */
  async count(now: number, budget: Budget): Promise<void> {
    const { opened, used } = this.current(now, budget);
    if (used >= budget.limit) return;
    const sql = "INSERT OR REPLACE INTO budget (id, opened, used) VALUES (1, ?, ?)";
    this.ctx.storage.sql.exec(sql, opened, used + 1);
    await this.ctx.storage.setAlarm(opened + budget.seconds * 1000);
  }

  /** Nothing is kept of a budget that has run out. */
  override async alarm(): Promise<void> {
    await this.ctx.storage.deleteAll();
  }

  private current(now: number, budget: Budget): { opened: number; used: number } {
    const { sql } = this.ctx.storage;
    // Here and not in the constructor, because the alarm removes the table of a living object.
    sql.exec(
      "CREATE TABLE IF NOT EXISTS budget (id INTEGER PRIMARY KEY CHECK (id = 1), opened INTEGER, used INTEGER)",
    );
    const [row] = sql
      .exec<{ opened: number; used: number }>(
        "SELECT opened, used FROM budget WHERE opened > ?",
        now - budget.seconds * 1000,
      )
      .toArray();
    return row ?? { opened: now, used: 0 };
  }
}
