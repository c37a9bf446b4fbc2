import type { Route } from "../operation.ts";

/** Searches, subjects and publishers for people. */
export const SEARCH_PAGE_ROUTES: readonly Route[] = [];
