import type { Route } from "../operation.ts";

/** Small things: files, scanners, other sites' scripts, links of scans. */
export const SITE_ROUTES: readonly Route[] = [];
