import { RpcTarget } from "cloudflare:workers";
import { FOLLOWS_MAX } from "../../catalog/patrons/activity.ts";
import { ALREADY_READ } from "../../catalog/patrons/shelves.ts";
import { type PatronCore, all, first } from "../storage.ts";

/** A patron who is followed. Times are milliseconds since the epoch. */
export interface Follow {
  /** As the account spells it. */
  readonly username: string;
  readonly disabled: boolean;
  readonly created: number;
  readonly updated: number;
}

/** A best book of a patron. */
interface Award {
  readonly id: number;
  readonly work: number;
  readonly topic: string;
  readonly edition: number | null;
  readonly comment: string;
  readonly created: number;
  readonly updated: number;
}

/** A record that a patron likes (1) or does not (-1). */
interface Opinion {
  readonly key: string;
  readonly value: 1 | -1;
  readonly created: number;
  readonly modified: number;
}

/** Why an award is refused: awards of the patron that are in the way, and a work that is not read. */
interface AwardRefusal {
  readonly isUnread: boolean;
  readonly sameWork: Award | null;
  readonly sameTopic: Award | null;
}

/** Whom a patron follows, what he likes, and which books he thinks the best. */
export class PatronCircle extends RpcTarget {
  readonly #core: PatronCore;

  constructor(core: PatronCore) {
    super();
    this.#core = core;
  }

  /** Follows somebody; once more changes nothing but `disabled`. False when there are too many already. */
  follow({ username, disabled, now }: { username: string; disabled: boolean; now: number }): boolean {
    const publisher = username.toLowerCase();
    const isFollowed = this.#core.transact(() => {
      const sql = "SELECT count(*) AS others FROM follow WHERE publisher <> ?";
      if ((first<{ others: number }>(this.#core.sql, sql, publisher)?.others ?? 0) >= FOLLOWS_MAX)
        return false;
      this.#core.sql.exec(
        `INSERT INTO follow (publisher, username, disabled, created, updated) VALUES (?1, ?2, ?3, ?4, ?4)
         ON CONFLICT (publisher) DO UPDATE SET disabled = excluded.disabled, updated = excluded.updated
         WHERE disabled <> excluded.disabled`,
        publisher,
        username,
        Number(disabled),
        now,
      );
      this.#core.mark("follow", publisher);
      return true;
    });
    this.#core.flush();
    return isFollowed;
  }

  /** Follows somebody no longer. */
  unfollow(username: string): void {
    const publisher = username.toLowerCase();
    this.#core.transact(() => {
      this.#core.sql.exec("DELETE FROM follow WHERE publisher = ?", publisher);
      this.#core.mark("follow", publisher);
    });
    this.#core.flush();
  }

  /** Notes that somebody who is followed shows his reading log, or no longer; false when he is not followed. */
  setDisabled({ username, disabled, now }: { username: string; disabled: boolean; now: number }): boolean {
    const sql = "SELECT disabled FROM follow WHERE publisher = ?";
    const row = first<{ disabled: number }>(this.#core.sql, sql, username.toLowerCase());
    if (row !== undefined && row.disabled !== Number(disabled)) this.follow({ username, disabled, now });
    return row !== undefined;
  }

  /** Everybody whom the patron follows, the last one first. */
  following(): Follow[] {
    const sql = "SELECT username, disabled, created, updated FROM follow ORDER BY created DESC, publisher";
    const rows = all<Omit<Follow, "disabled"> & { disabled: number }>(this.#core.sql, sql);
    return rows.map(({ username, disabled, created, updated }) => ({
      username,
      disabled: disabled === 1,
      created,
      updated,
    }));
  }

  /** Says that the patron likes a record, does not, or no longer has an opinion (null). */
  setOpinion({ key, value, now }: { key: string; value: 1 | -1 | null; now: number }): void {
    this.#core.transact(() => {
      if (value === null) this.#core.sql.exec("DELETE FROM opinion WHERE key = ?", key);
      else {
        this.#core.sql.exec(
          `INSERT INTO opinion (key, value, created, modified) VALUES (?1, ?2, ?3, ?3)
           ON CONFLICT (key) DO UPDATE SET value = excluded.value, modified = excluded.modified`,
          key,
          value,
          now,
        );
      }
      this.#core.mark("like", key);
    });
    this.#core.flush();
  }

  /** The opinion of one record. */
  opinion(key: string): Opinion | undefined {
    return first<Opinion>(this.#core.sql, "SELECT * FROM opinion WHERE key = ?", key);
  }

  /** A part of all opinions, the newest first. */
  opinions({ offset, limit }: { offset: number; limit: number }): Opinion[] {
    const sql = "SELECT * FROM opinion ORDER BY created DESC, key LIMIT ? OFFSET ?";
    return all<Opinion>(this.#core.sql, sql, limit, offset);
  }

  /**
   * Gives an award whose number was given out before, or says why not. With `replaces`, awards of this work
   * and of this topic go first, all in one transaction: a refusal changes nothing.
   */
  award(award: Omit<Award, "created" | "updated"> & { replaces: boolean; now: number }): AwardRefusal | null {
    const { id, work, topic, edition, comment, replaces, now } = award;
    const refusal = this.#core.transact(() => {
      const { sql } = this.#core;
      const shelf = first<{ shelf: number }>(
        sql,
        "SELECT shelf FROM shelf_entry WHERE work = ?",
        work,
      )?.shelf;
      const isUnread = shelf !== ALREADY_READ;
      const sameWork = first<Award>(sql, "SELECT * FROM award WHERE work = ?", work) ?? null;
      const sameTopic = first<Award>(sql, "SELECT * FROM award WHERE topic = ?", topic) ?? null;
      if (isUnread || (!replaces && (sameWork !== null || sameTopic !== null))) {
        return { isUnread, sameWork, sameTopic };
      }
      sql.exec("DELETE FROM award WHERE work = ? OR topic = ?", work, topic);
      sql.exec(
        "INSERT INTO award VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?6)",
        id,
        work,
        topic,
        edition,
        comment,
        now,
      );
      this.#core.mark("work", work);
      if (sameTopic !== null) this.#core.mark("work", sameTopic.work);
      return null;
    });
    this.#core.flush();
    return refusal;
  }

  /** Takes back the award of a work; how many there were. */
  unaward(work: number): number {
    const removed = this.#core.transact(() => {
      const { rowsWritten } = this.#core.sql.exec("DELETE FROM award WHERE work = ?", work);
      this.#core.mark("work", work);
      return Math.min(1, rowsWritten);
    });
    this.#core.flush();
    return removed;
  }

  /** All awards, by number. */
  awards(): Award[] {
    return all<Award>(this.#core.sql, "SELECT * FROM award ORDER BY id");
  }
}
