import type { Route } from "../operation.ts";

/** What only development services and administrators see. */
export const OPERATIONS_ROUTES: readonly Route[] = [];
