import * as z from "zod";
import type { ChangesPage, SeenChange } from "../../admin/seen-change.ts";
import type { Slice } from "../../../db/changes/read-changes.ts";
import { integer } from "../../validation/parameters.ts";
import { changeSchema } from "./schemas.ts";

/** Changes of one page, and the last page. */
export const ADMIN_CHANGES_LIMIT = 100;
export const ADMIN_PAGE_MAX = 1000;

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
