import { DAY_MS } from "../../catalog/units.ts";
import { isSameHash } from "../../db/accounts/secret-hash.ts";
import { all, first } from "../storage.ts";
import { PatronPart } from "./core.ts";

/** Documents of a patron: the ones synchronized longest ago are dropped. */
export const SYNC_DOCUMENTS_MAX = 1000;
/** Time after which a document without a work is matched again, in milliseconds. */
const MATCH_MS = DAY_MS;

/** Progress of reading a document on an e-reader. */
export interface SyncedProgress {
  /** Digest of the document or of the name of its file. */
  readonly document: string;
  /** Place in the document, in the terms of the reader. */
  readonly progress: string;
  /** Share that has been read, from 0 to 1. */
  readonly percentage: number;
  readonly device: string;
  readonly deviceId: string | null;
  readonly title: string | null;
  /** One author a line. */
  readonly authors: string | null;
}

export interface StoredProgress extends SyncedProgress {
  /** Number of the key of the work on the patron's shelves; null if none is known. */
  readonly work: number | null;
  /** Milliseconds since the epoch. */
  readonly updated: number;
}

const COLUMNS =
  "document, progress, percentage, device, device_id AS deviceId, title, authors, work, updated";

/** Synchronization with e-readers. Methods with a hash of the key return undefined for a wrong one, and if the patron is barred. */
export class PatronSync extends PatronPart {
  /** Stores the hash of a new key in place of the previous one, or deletes the key. */
  setKey(hash: string | null, now: number): void {
    this.core.transact(() => {
      if (hash === null) this.core.state.delete("sync_key");
      else this.core.state.set("sync_key", `${hash} ${now}`);
    });
  }

  /** Returns the time at which the key was made. */
  keyTime(): number | undefined {
    const [, time] = this.#key();
    return time === undefined ? undefined : Number(time);
  }

  authorize(hash: string): true | undefined {
    const { state } = this.core;
    const [stored = ""] = this.#key();
    const isOpen = state.get("barred") === undefined && state.get("removed") === undefined;
    return isOpen && isSameHash(hash, stored) ? true : undefined;
  }

  read(hash: string, document: string): { readonly found: StoredProgress | null } | undefined {
    const sql = `SELECT ${COLUMNS} FROM sync_document WHERE document = ?`;
    return this.authorize(hash) && { found: first<StoredProgress>(this.core.sql, sql, document) ?? null };
  }

  /** Stores progress in place of any earlier one. Returns if the document should be matched with a work. */
  write(hash: string, entry: SyncedProgress, now: number): { readonly isUnmatched: boolean } | undefined {
    return this.core.transact(() => {
      if (this.authorize(hash) === undefined) return undefined;
      const { sql } = this.core;
      const { document, progress, percentage, device, deviceId, title, authors } = entry;
      const [before] = all<{
        title: string | null;
        authors: string | null;
        work: number | null;
        tried: number;
      }>(sql, "SELECT title, authors, work, tried FROM sync_document WHERE document = ?", document);
      const isOther = title !== null && (before?.title !== title || before.authors !== authors);
      const isUnmatched =
        isOther || (title !== null && before?.work === null && before.tried <= now - MATCH_MS);
      sql.exec(
        `INSERT INTO sync_document (document, progress, percentage, device, device_id, title, authors, tried, updated)
         VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9)
         ON CONFLICT (document) DO UPDATE SET progress = ?2, percentage = ?3, device = ?4, device_id = ?5,
           title = coalesce(?6, title), authors = coalesce(?7, authors), tried = ?8, updated = ?9`,
        document,
        progress,
        percentage,
        device,
        deviceId,
        title,
        authors,
        isUnmatched ? now : (before?.tried ?? 0),
        now,
      );
      if (before === undefined) {
        const oldest = "SELECT document FROM sync_document ORDER BY updated DESC, document LIMIT -1 OFFSET ?";
        sql.exec(`DELETE FROM sync_document WHERE document IN (${oldest})`, SYNC_DOCUMENTS_MAX);
      }
      return { isUnmatched };
    });
  }

  setWork(document: string, work: number | null): void {
    this.core.transact(() => {
      this.core.sql.exec("UPDATE sync_document SET work = ? WHERE document = ?", work, document);
    });
  }

  documents(): StoredProgress[] {
    const sql = `SELECT ${COLUMNS} FROM sync_document ORDER BY updated DESC, document`;
    return all<StoredProgress>(this.core.sql, sql);
  }

  #key(): string[] {
    return (this.core.state.get("sync_key") ?? "").split(" ").filter((part) => part !== "");
  }
}
