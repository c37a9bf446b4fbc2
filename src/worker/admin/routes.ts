import type { Route } from "../http/operation.ts";
import { alias, get, post } from "../http/route-lines.ts";
import { adminAddressChanges, adminAddresses } from "./changes.ts";
import { adminAudit } from "./audit.ts";
import {
  adminBlock,
  adminBlockSave,
  adminReadOnly,
  adminReadOnlySave,
  adminSpamwords,
  adminSpamwordsSave,
} from "./service-settings.ts";
import { adminPersonGroups } from "./groups.ts";
import { adminOverview, noAdminPage } from "./overview.ts";
import { adminPeople } from "./people.ts";
import { adminPermissions, adminPermissionsSave } from "./permissions.ts";
import { adminPersonAction } from "./person-action.ts";
import { adminPersonEdits, adminPersonRemoved, adminRevertEdits } from "./person-edits.ts";
import { adminPerson } from "./person.ts";
import { adminResolveRedirects } from "./resolve-redirects.ts";
import { adminSolr, adminSolrReindex } from "./solr.ts";

export const ADMIN_ROUTES: readonly Route[] = [
  get("/admin[.json]", "admin", adminOverview),
  get("/admin/people[.json]", "admin", adminPeople),
  get("/admin/people/{username}/edits[.json]", "admin", adminPersonEdits),
  post("/admin/people/{username}/edits", "admin", adminRevertEdits),
  get("/admin/people/{username}/removed[.json]", "admin", adminPersonRemoved),
  post("/admin/people/{username}/groups", "admin", adminPersonGroups),
  get("/admin/people/{username}[.json]", "admin", adminPerson),
  post("/admin/people/{username}", "admin", adminPersonAction),
  get("/admin/ip", "admin", adminAddresses),
  get("/admin/ip/{ip}[.json]", "admin", adminAddressChanges),
  get("/admin/block[.json]", "admin", adminBlock),
  post("/admin/block", "admin", adminBlockSave),
  get("/admin/spamwords[.json]", "admin", adminSpamwords),
  post("/admin/spamwords", "admin", adminSpamwordsSave),
  get("/admin/permissions[.json]", "admin", adminPermissions),
  post("/admin/permissions", "admin", adminPermissionsSave),
  get("/admin/audit[.json]", "admin", adminAudit),
  get("/admin/solr", "admin", adminSolr),
  post("/admin/solr", "admin", adminSolrReindex),
  get("/admin/read-only[.json]", "admin", adminReadOnly),
  post("/admin/read-only", "admin", adminReadOnlySave),
  get(["/admin/resolve_redirects", "/admin/resolve_redirects.json"], "admin", adminResolveRedirects),
  get("/admin/{rest:path}", "admin", noAdminPage),
  alias(post("/admin/{rest:path}", "admin", noAdminPage)),
].flat();
