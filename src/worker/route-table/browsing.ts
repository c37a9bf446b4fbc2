import type { Route } from "../operation.ts";

/** Pages to begin at: home, indexes of authors and languages, a book at random. */
export const BROWSING_ROUTES: readonly Route[] = [];
