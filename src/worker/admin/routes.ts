import type { Route } from "../http/operation.ts";
import { alias, get, operationsIn, post } from "../http/route-lines.ts";

const changes = operationsIn(() => import("./changes.ts"));
const audit = operationsIn(() => import("./audit.ts"));
const serviceSettings = operationsIn(() => import("./service-settings.ts"));
const groups = operationsIn(() => import("./groups.ts"));
const overview = operationsIn(() => import("./overview.ts"));
const people = operationsIn(() => import("./people.ts"));
const permissions = operationsIn(() => import("./permissions.ts"));
const personAction = operationsIn(() => import("./person-action.ts"));
const personEdits = operationsIn(() => import("./person-edits.ts"));
const person = operationsIn(() => import("./person.ts"));
const resolveRedirects = operationsIn(() => import("./resolve-redirects.ts"));
const solr = operationsIn(() => import("./solr.ts"));

export const ADMIN_ROUTES: readonly Route[] = [
  get("/admin[.json]", "admin", overview("adminOverview")),
  get("/admin/people[.json]", "admin", people("adminPeople")),
  get("/admin/people/{username}/edits[.json]", "admin", personEdits("adminPersonEdits")),
  post("/admin/people/{username}/edits", "admin", personEdits("adminRevertEdits")),
  get("/admin/people/{username}/removed[.json]", "admin", personEdits("adminPersonRemoved")),
  post("/admin/people/{username}/groups", "admin", groups("adminPersonGroups")),
  get("/admin/people/{username}[.json]", "admin", person("adminPerson")),
  post("/admin/people/{username}", "admin", personAction("adminPersonAction")),
  get("/admin/ip", "admin", changes("adminAddresses")),
  get("/admin/ip/{ip}[.json]", "admin", changes("adminAddressChanges")),
  get("/admin/block[.json]", "admin", serviceSettings("adminBlock")),
  post("/admin/block", "admin", serviceSettings("adminBlockSave")),
  get("/admin/spamwords[.json]", "admin", serviceSettings("adminSpamwords")),
  post("/admin/spamwords", "admin", serviceSettings("adminSpamwordsSave")),
  get("/admin/permissions[.json]", "admin", permissions("adminPermissions")),
  post("/admin/permissions", "admin", permissions("adminPermissionsSave")),
  get("/admin/audit[.json]", "admin", audit("adminAudit")),
  get("/admin/solr", "admin", solr("adminSolr")),
  post("/admin/solr", "admin", solr("adminSolrReindex")),
  get("/admin/read-only[.json]", "admin", serviceSettings("adminReadOnly")),
  post("/admin/read-only", "admin", serviceSettings("adminReadOnlySave")),
  get(
    ["/admin/resolve_redirects", "/admin/resolve_redirects.json"],
    "admin",
    resolveRedirects("adminResolveRedirects"),
  ),
  get("/admin/{rest:path}", "admin", overview("noAdminPage")),
  alias(post("/admin/{rest:path}", "admin", overview("noAdminPage"))),
].flat();
