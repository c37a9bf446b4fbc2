import type { Route } from "../operation.ts";

/** Libraries that lend, and those that ask to. */
export const LIBRARY_ROUTES: readonly Route[] = [];
