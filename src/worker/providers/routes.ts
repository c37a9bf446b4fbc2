import type { Route } from "../http/operation.ts";
import { get, operationsIn, post, put } from "../http/route-lines.ts";

const audiobookshelf = operationsIn(() => import("./audiobookshelf.ts"));
const kosync = operationsIn(() => import("./kosync.ts"));
const booklogr = operationsIn(() => import("./booklogr.ts"));

/** Contracts of programs that look for metadata, or synchronize reading, each below a prefix of its own. */
export const PROVIDER_ROUTES: readonly Route[] = [
  get("/providers/audiobookshelf/search", "public", audiobookshelf("audiobookshelfSearch")),
  get("/providers/booklogr/v1/search/{query:path}", "public", booklogr("booklogrSearch")),
  get("/providers/booklogr/v1/edition/{identifier}", "public", booklogr("booklogrEdition")),
  get("/providers/booklogr/v1/work/XX{work_id}W", "public", booklogr("booklogrWork")),
  // Authorised by the headers of the protocol.
  post("/providers/kosync/users/create", "public", kosync("createSyncUser")),
  get("/providers/kosync/users/auth", "public", kosync("authorizeSync")),
  put("/providers/kosync/syncs/progress", "public", kosync("putProgress")),
  get("/providers/kosync/syncs/progress/{document}", "public", kosync("getProgress")),
].flat();
