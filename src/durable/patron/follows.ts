import { type FollowActivity, FOLLOWS_MAX } from "../../catalog/patrons/activity.ts";
import { all, firstValue } from "../storage.ts";
import { PatronPart } from "./part.ts";

/** A patron who is followed; `username` as the account spells it. */
export type Follow = FollowActivity & { readonly username: string };

/** Whom a patron follows. */
export class PatronFollows extends PatronPart {
  /** Follows somebody; once more changes nothing but `disabled`. False when there are too many already. */
  follow({ username, disabled, now }: { username: string; disabled: boolean; now: number }): boolean {
    const publisher = username.toLowerCase();
    return this.core.change(() => {
      const sql = "SELECT count(*) FROM follow WHERE publisher <> ?";
      if ((firstValue<number>(this.core.sql, sql, publisher) ?? 0) >= FOLLOWS_MAX) return false;
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
    const known = firstValue<number>(this.core.sql, sql, username.toLowerCase());
    if (known !== undefined && known !== Number(disabled)) this.follow({ username, disabled, now });
    return known !== undefined;
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
  return rows.map(({ username, disabled, created, updated }) => {
    return { username, disabled: disabled === 1, created, updated };
  });
}
