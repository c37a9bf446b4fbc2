import type { Route } from "../operation.ts";

/** Files of the whole catalog, and the jobs that make them. */
export const DUMP_ROUTES: readonly Route[] = [];
