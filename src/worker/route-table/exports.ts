import type { Route } from "../http/operation.ts";
import { alias, get, post } from "../http/route-lines.ts";
import { anonymize } from "../routes/keeping/anonymize.ts";
import { exportOwn } from "../routes/keeping/export.ts";
import { exportOwnJson } from "../routes/keeping/export-json.ts";
import { importOwn } from "../routes/keeping/import-begin.ts";
import { previewGoodreads } from "../routes/keeping/import-goodreads.ts";
import { importState } from "../routes/keeping/import-state.ts";
import { removeOwnForm } from "../routes/keeping/remove-own-page.ts";
import { removeOwn } from "../routes/keeping/remove-own.ts";

/** A patron's data as files, imports of them, and the removal of accounts. */
export const EXPORT_ROUTES: readonly Route[] = [
  get("/account/export", "session-page", exportOwn),
  get("/account/export.json", "session", exportOwnJson),
  get("/account/import", "session-page", importState),
  alias(get("/account/import.json", "session", importState)),
  post("/account/import", "session-page", importOwn),
  alias(post("/account/import.json", "session", importOwn)),
  post("/account/import/goodreads", "session-page", previewGoodreads),
  get("/account/remove", "session-page", removeOwnForm),
  post("/account/remove", "session-page", removeOwn),
  post("/account/anonymize.json", "public", anonymize),
].flat();
