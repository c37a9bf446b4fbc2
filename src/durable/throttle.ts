import { DurableObject } from "cloudflare:workers";

/** So many events in so many seconds. */
export interface Budget {
  readonly limit: number;
  readonly seconds: number;
}

/** Counts what must be counted exactly, one object per subject: attempts with a wrong token, for instance. */
export class Throttle extends DurableObject<Env> {
  constructor(state: DurableObjectState, env: Env) {
    super(state, env);
    state.storage.sql.exec(
      "CREATE TABLE IF NOT EXISTS budget (id INTEGER PRIMARY KEY CHECK (id = 1), opened INTEGER, used INTEGER)",
    );
  }

  /**
   * Counts one event at `now` (milliseconds). Returns 0 while the budget lasts, else the seconds until it is
   * renewed; events beyond the budget do not extend the wait.
   */
  async take(now: number, budget: Budget): Promise<number> {
    const period = budget.seconds * 1000;
    const { opened, used } = this.current(now, period);
    if (used >= budget.limit) return Math.max(1, Math.ceil((opened + period - now) / 1000));
    this.ctx.storage.sql.exec(
      "INSERT OR REPLACE INTO budget (id, opened, used) VALUES (1, ?, ?)",
      opened,
      used + 1,
    );
    await this.ctx.storage.setAlarm(opened + period);
    return 0;
  }

  /** Nothing is kept of a budget that has run out. */
  override async alarm(): Promise<void> {
    await this.ctx.storage.deleteAll();
  }

  private current(now: number, period: number): { opened: number; used: number } {
    const [row] = this.ctx.storage.sql
      .exec<{ opened: number; used: number }>(
        "SELECT opened, used FROM budget WHERE opened > ?",
        now - period,
      )
      .toArray();
    return row ?? { opened: now, used: 0 };
  }
}
