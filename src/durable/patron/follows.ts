import { FOLLOWS_MAX } from "../../catalog/patrons/activity.ts";
import { all, first } from "../storage.ts";
import { PatronPart } from "./part.ts";

/** A patron who is followed. Times are milliseconds since the epoch. */
export interface Follow {
  /** As the account spells it. */
  readonly username: string;
  readonly disabled: boolean;
  readonly created: number;
  readonly updated: number;
}

/** Whom a patron follows. */
export class PatronFollows extends PatronPart {
  /** Follows somebody; once more changes nothing but `disabled`. False when there are too many already. */
  follow({ username, disabled, now }: { username: string; disabled: boolean; now: number }): boolean {
    const publisher = username.toLowerCase();
    return this.core.change(() => {
      const sql = "SELECT count(*) AS others FROM follow WHERE publisher <> ?";
      if ((first<{ others: number }>(this.core.sql, sql, publisher)?.others ?? 0) >= FOLLOWS_MAX)
        return false;
      const text = `INSERT INTO follow (publisher, username, disabled, created, updated) VALUES (?1, ?2, ?3, ?4, ?4)
                    ON CONFLICT (publisher) DO UPDATE SET disabled = excluded.disabled, updated = excluded.updated
                    WHERE disabled <> excluded.disabled`;
      this.core.sql.exec(text, publisher, username, Number(disabled), now);
      this.core.mark("follow", publisher);
      return true;
    });
  }

  /** Follows somebody no longer. */
  unfollow(username: string): void {
    const publisher = username.toLowerCase();
    this.core.change(() => {
      this.core.sql.exec("DELETE FROM follow WHERE publisher = ?", publisher);
      this.core.mark("follow", publisher);
    });
  }

  /** Notes that somebody who is followed shows his reading log, or no longer; false when he is not followed. */
  setDisabled({ username, disabled, now }: { username: string; disabled: boolean; now: number }): boolean {
    const sql = "SELECT disabled FROM follow WHERE publisher = ?";
    const row = first<{ disabled: number }>(this.core.sql, sql, username.toLowerCase());
    if (row !== undefined && row.disabled !== Number(disabled)) this.follow({ username, disabled, now });
    return row !== undefined;
  }

  /** Everybody whom the patron follows, the last one first. */
  following(): Follow[] {
    return readFollows(this.core.sql, Number.MAX_SAFE_INTEGER, 0);
  }
}

/** A part of those whom a patron follows, the last one first. */
export function readFollows(sql: SqlStorage, limit: number, offset: number): Follow[] {
  const text = `SELECT username, disabled, created, updated FROM follow
                ORDER BY created DESC, publisher LIMIT ? OFFSET ?`;
  const rows = all<Omit<Follow, "disabled"> & { disabled: number }>(sql, text, limit, offset);
  return rows.map(({ username, disabled, created, updated }) => ({
    username,
    disabled: disabled === 1,
    created,
    updated,
  }));
}
