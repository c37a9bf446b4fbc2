import type { Route } from "../operation.ts";

/** Covers and photos of records, as people change them. */
export const COVER_EDIT_ROUTES: readonly Route[] = [];
