import type { LikeActivity } from "../../catalog/patrons/activity.ts";
import { ALREADY_READ } from "../../catalog/patrons/shelves.ts";
import { all, first, storedValue } from "../storage.ts";
import { PatronPart } from "./core.ts";
import type { SessionUse } from "./sessions.ts";
import type { ShelfEntry } from "./shelves.ts";

interface Award extends Omit<ShelfEntry, "shelf"> {
  readonly id: number;
  readonly topic: string;
  readonly comment: string;
}

type Opinion = LikeActivity & { readonly key: string };

interface AwardRefusal {
  readonly isUnread: boolean;
  readonly sameWork: Award | null;
  readonly sameTopic: Award | null;
}

export class PatronOpinions extends PatronPart {
  /** Stores that the patron likes a record, dislikes it, or no longer has an opinion (null). */
  setOpinion(
    { key, value, now }: { key: string; value: Opinion["value"] | null; now: number },
    use?: SessionUse,
  ): void {
    this.core.change(() => {
      if (value === null) this.core.sql.exec("DELETE FROM opinion WHERE key = ?", key);
      else {
        const sql = `INSERT INTO opinion (key, value, created, modified) VALUES (?1, ?2, ?3, ?3)
                     ON CONFLICT (key) DO UPDATE SET value = excluded.value, modified = excluded.modified`;
        this.core.sql.exec(sql, key, value, now);
      }
      this.core.markChanged("like", key);
    }, use);
  }

  opinion(key: string): Opinion | undefined {
    return first<Opinion>(this.core.sql, "SELECT * FROM opinion WHERE key = ?", key);
  }

  opinions({ offset, limit }: { offset: number; limit: number }): Opinion[] {
    const sql = "SELECT * FROM opinion ORDER BY created DESC, key LIMIT ? OFFSET ?";
    return all<Opinion>(this.core.sql, sql, limit, offset);
  }

  /**
   * Gives an award with a reserved number; with `replaces`, deletes awards of this work and of this topic in the same
   * transaction. Returns null, or the reasons for refusing the award; a refusal changes nothing.
   */
  award(award: Omit<Award, "created" | "updated"> & { replaces: boolean; now: number }): AwardRefusal | null {
    const { id, work, topic, edition, comment, replaces, now } = award;
    return this.core.change(() => {
      const { sql } = this.core;
      const text = "SELECT shelf FROM shelf_entry WHERE work = ?";
      const isUnread = storedValue<number>(sql, text, work) !== ALREADY_READ;
      const sameWork = first<Award>(sql, "SELECT * FROM award WHERE work = ?", work) ?? null;
      const sameTopic = first<Award>(sql, "SELECT * FROM award WHERE topic = ?", topic) ?? null;
      if (isUnread || (!replaces && (sameWork !== null || sameTopic !== null))) {
        return { isUnread, sameWork, sameTopic };
      }
      sql.exec("DELETE FROM award WHERE work = ? OR topic = ?", work, topic);
      const insert = "INSERT INTO award VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?6)";
      sql.exec(insert, id, work, topic, edition, comment, now);
      this.core.markChanged("work", work);
      if (sameTopic !== null) this.core.markChanged("work", sameTopic.work);
      return null;
    });
  }

  unaward(work: number): number {
    return this.core.change(() => {
      const { rowsWritten } = this.core.sql.exec("DELETE FROM award WHERE work = ?", work);
      this.core.markChanged("work", work);
      return Math.min(1, rowsWritten);
    });
  }

  awards(): Award[] {
    return all<Award>(this.core.sql, "SELECT * FROM award ORDER BY id");
  }
}
