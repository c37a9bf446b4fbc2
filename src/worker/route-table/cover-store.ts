import type { Route } from "../operation.ts";

/** What the cover store does besides showing images: also behind its own listener. */
export const COVER_STORE_ROUTES: readonly Route[] = [];
