import { lenientInteger } from "../validation/parameters.ts";

/** Books, notes and the like on one page. */
export const ENTRIES_PER_PAGE = 25;
/** The last page that can be asked for. */
export const PAGE_MAX = 100_000;

/** Parameter `page` of pages for people: a number that makes no sense means the nearest that does. */
export function pageNumber() {
  return lenientInteger(1, { min: 1, max: PAGE_MAX }).describe("Page, from 1");
}

/** How many pages there are of something. */
export function lastPage(total: number): number {
  return Math.max(1, Math.ceil(total / ENTRIES_PER_PAGE));
}
