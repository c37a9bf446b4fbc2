import * as z from "zod";
import type { ChangeRow, Slice } from "../../db/history/changes.ts";
import { type ChangeEntry, changeAddress, changeEntry } from "../history/change-entry.ts";
import { integer } from "../http/parameters.ts";
import { changeSchema } from "./schemas.ts";

/** Changes of one page, and the last page. */
const ADMIN_CHANGES_LIMIT = 100;
const ADMIN_PAGE_MAX = 1000;

/** Which page is asked for. */
export const pageQuery = { page: integer(z.int().gte(1).lte(ADMIN_PAGE_MAX)).default(1) };

/** A page of changes. */
export const listSchema = z.object({
  changes: z.array(changeSchema),
  page: z.int(),
  next: z.int().nullable().describe("The next page, if there is one"),
});

/** The part of a list that a page shows, and one more, which says whether there is a further page. */
export function pageSlice(page: number): Slice {
  return { limit: ADMIN_CHANGES_LIMIT + 1, offset: (page - 1) * ADMIN_CHANGES_LIMIT };
}

/** What is answered of such a part. */
export function seenPage(changes: readonly SeenChange[], page: number): ChangesPage {
  const hasMore = changes.length > ADMIN_CHANGES_LIMIT && page < ADMIN_PAGE_MAX;
  return { changes: changes.slice(0, ADMIN_CHANGES_LIMIT), page, next: hasMore ? page + 1 : null };
}

/** A change as administrators see it: with the address that it came from, whoever made it. */
export interface SeenChange extends ChangeEntry {
  /** Path of its page. */
  readonly url: string;
}

/** A change for administrators. */
export function seenChange(row: ChangeRow): SeenChange {
  return { ...changeEntry(row), ip: row.ip, url: changeAddress(row) };
}

/** A page of changes as it is answered. */
export interface ChangesPage {
  readonly changes: readonly SeenChange[];
  readonly page: number;
  readonly next: number | null;
}
