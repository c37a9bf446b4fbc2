import { type FollowActivity, FOLLOWS_MAX } from "../../catalog/patrons/activity.ts";
import { jsonValues, storedValue } from "../storage.ts";
import { PatronPart } from "./core.ts";

/** Followed patron; `username` in the account's spelling. */
export type Follow = FollowActivity & { readonly username: string };

export class PatronFollows extends PatronPart {
  /** Follows a patron; a repeated call changes only `disabled`. Returns false if `FOLLOWS_MAX` is reached. */
  follow({ username, disabled, now }: { username: string; disabled: boolean; now: number }): boolean {
    const publisher = username.toLowerCase();
    return this.core.change(() => {
      const sql = "SELECT count(*) FROM follow WHERE publisher <> ?";
      if ((storedValue<number>(this.core.sql, sql, publisher) ?? 0) >= FOLLOWS_MAX) return false;
      const text = `INSERT INTO follow (publisher, username, disabled, created, updated) VALUES (?1, ?2, ?3, ?4, ?4)
                    ON CONFLICT (publisher) DO UPDATE SET disabled = excluded.disabled, updated = excluded.updated
                    WHERE disabled <> excluded.disabled`;
      this.core.sql.exec(text, publisher, username, Number(disabled), now);
      this.core.markChanged("follow", publisher);
      return true;
    });
  }

  unfollow(username: string): void {
    const publisher = username.toLowerCase();
    this.core.change(() => {
      this.core.sql.exec("DELETE FROM follow WHERE publisher = ?", publisher);
      this.core.markChanged("follow", publisher);
    });
  }

  /** Records that a followed patron shows or hides their reading log. Returns false if the patron is not followed. */
  setDisabled({ username, disabled, now }: { username: string; disabled: boolean; now: number }): boolean {
    const sql = "SELECT disabled FROM follow WHERE publisher = ?";
    const current = storedValue<number>(this.core.sql, sql, username.toLowerCase());
    if (current !== undefined && current !== Number(disabled)) this.follow({ username, disabled, now });
    return current !== undefined;
  }

  following(): Follow[] {
    return readFollows(this.core.sql, Number.MAX_SAFE_INTEGER, 0);
  }
}

export function readFollows(sql: SqlStorage, limit: number, offset: number): Follow[] {
  const text = `SELECT json_object('username', username, 'disabled', json(iif(disabled, 'true', 'false')), 'created', created,
                  'updated', updated)
                FROM follow ORDER BY created DESC, publisher LIMIT ? OFFSET ?`;
  return jsonValues<Follow>(sql, text, limit, offset);
}
