import type { ShelfId } from "../../catalog/patrons/shelves.ts";
import { type PatronCore, all } from "./core.ts";

/** What a patron had at another service. Works and editions are the numbers of their keys; times are milliseconds. */
export interface Restored {
  readonly shelves: readonly { work: number; shelf: ShelfId; edition: number | null; created: number }[];
  readonly ratings: readonly { work: number; stars: number; edition: number | null; created: number }[];
}

/** Adds what is not there yet, all in one transaction; what the patron has here already stays. */
export function restore(core: PatronCore, { shelves, ratings }: Restored): void {
  core.transact(() => {
    const { sql } = core;
    for (const { work, shelf, edition, created } of shelves) {
      const text = `INSERT OR IGNORE INTO shelf_entry (work, shelf, edition, created, updated)
                    VALUES (?1, ?2, ?3, ?4, ?4) RETURNING work`;
      if (all(sql, text, work, shelf, edition, created).length > 0) core.mark("work", work);
    }
    for (const { work, stars, edition, created } of ratings) {
      const text = `INSERT OR IGNORE INTO rating (work, stars, edition, created, updated)
                    VALUES (?1, ?2, ?3, ?4, ?4) RETURNING work`;
      if (all(sql, text, work, stars, edition, created).length > 0) core.mark("work", work);
    }
    sql.exec("DELETE FROM shelf_size");
    sql.exec("INSERT INTO shelf_size SELECT shelf, count(*) FROM shelf_entry GROUP BY shelf");
  });
  core.flush();
}
