import { anonymize } from "./anonymize.ts";
import type { Route } from "../../http/operation.ts";
import { alias, get, post } from "../../http/route-lines.ts";
import { exportOwn, exportOwnJson } from "./own-export.ts";
import { importOwn, importState, previewGoodreads } from "./goodreads.ts";
import { removeOwn, removeOwnForm } from "./removal.ts";

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
