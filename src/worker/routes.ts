import { ADMIN_ROUTES } from "./admin/routes.ts";
import { BACKUP_ROUTES } from "./backup/routes.ts";
import { DUMP_ROUTES } from "./dumps/routes.ts";
import { FEED_ROUTES } from "./feeds/routes.ts";
import { FOLLOW_ROUTES } from "./follow/routes.ts";
import { EDITING_ROUTES } from "./editing/routes.ts";
import { HISTORY_ROUTES } from "./history/routes.ts";
import type { Route } from "./http/operation.ts";
import { LENDING_ROUTES } from "./lending/routes.ts";
import { get, inScope, operationsIn, post, put } from "./http/route-lines.ts";
import { LIBRARY_ROUTES } from "./libraries/routes.ts";
import { LIST_ROUTES } from "./lists/routes.ts";
import { LOOKUP_ROUTES } from "./lookup/routes.ts";
import { PUBLISHER_PAGE_ROUTES, RECORD_PAGE_ROUTES, RECORD_ROUTES } from "./records/routes.ts";
import { ACCOUNT_ROUTES } from "./accounts/routes.ts";
import { ACTIVITY_ROUTES, EXPORT_ROUTES, PEOPLE_ROUTES, READING_ROUTES } from "./patrons/routes.ts";
import { COVER_EDIT_ROUTES, COVER_ROUTES, COVER_STORE_ROUTES } from "./covers/routes.ts";
import { IMPORT_BATCH_ROUTES, IMPORT_ROUTES } from "./imports/routes.ts";
import { OAUTH_ROUTES } from "./oauth/routes.ts";
import { MCP_ROUTES } from "./mcp/routes.ts";
import { OAI_ROUTES } from "./oai/routes.ts";
import { OPDS_ROUTES } from "./opds/routes.ts";
import { PROVIDER_ROUTES } from "./providers/routes.ts";
import { RECONCILE_ROUTES } from "./reconcile/routes.ts";
import { SEARCH_ROUTES } from "./search/routes.ts";
import { SITE_ROUTES } from "./site/routes.ts";
import { OPERATIONS_ROUTES } from "./operations/routes.ts";
import { REFERENCE_ROUTES } from "./reference/routes.ts";
import { SRU_ROUTES } from "./sru/routes.ts";

const putRecord = operationsIn(() => import("./editing/put-record.ts"));
const undo = operationsIn(() => import("./editing/undo.ts"));
const record = operationsIn(() => import("./records/record.ts"));

/** Route table of the main site. `XX` is the record prefix; the first route that matches a request answers it. */
export const ROUTES: readonly Route[] = [
  inScope("admin", SITE_ROUTES),
  inScope("admin", OPERATIONS_ROUTES),
  REFERENCE_ROUTES,
  MCP_ROUTES,
  BACKUP_ROUTES,
  LENDING_ROUTES,
  LOOKUP_ROUTES,
  OAI_ROUTES,
  SRU_ROUTES,
  OPDS_ROUTES,
  RECONCILE_ROUTES,
  PROVIDER_ROUTES,
  FEED_ROUTES,
  inScope("account", ACCOUNT_ROUTES),
  OAUTH_ROUTES,
  inScope("import", IMPORT_ROUTES),
  inScope("import", IMPORT_BATCH_ROUTES),
  COVER_ROUTES,
  COVER_STORE_ROUTES,
  inScope("edit", COVER_EDIT_ROUTES),
  inScope("admin", DUMP_ROUTES),
  inScope("admin", FOLLOW_ROUTES),
  LIBRARY_ROUTES,
  inScope("admin", ADMIN_ROUTES),
  ACTIVITY_ROUTES,
  inScope("shelves", READING_ROUTES),
  inScope("account", PEOPLE_ROUTES),
  inScope("account", EXPORT_ROUTES),
  inScope("lists", LIST_ROUTES),
  HISTORY_ROUTES,
  RECORD_ROUTES,
  SEARCH_ROUTES,
  PUBLISHER_PAGE_ROUTES,
  inScope("edit", EDITING_ROUTES),
  RECORD_PAGE_ROUTES,

  // Every other path is the key of a record, or of none: after all other routes.
  get("/{key:path}", "public", record("readAnyRecord")),
  inScope("edit", put("/{key:path}", "writer", putRecord("putRecord"))),
  // The handler checks access: a client that may not revert gets 405 without the mode, and not 401.
  inScope("edit", post("/{key:path}", "public", undo("revertRecord"))),
].flat();
