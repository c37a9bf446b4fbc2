import type { Route } from "../operation.ts";
import { alias, get, post } from "../route-lines.ts";
import { adminAddressChanges } from "../routes/admin/address-changes.ts";
import { adminAddresses } from "../routes/admin/addresses.ts";
import { adminBlockSave } from "../routes/admin/block-save.ts";
import { adminBlock } from "../routes/admin/block.ts";
import { noAdminPage } from "../routes/admin/no-such-page.ts";
import { adminOverview } from "../routes/admin/overview.ts";
import { adminPeople } from "../routes/admin/people.ts";
import { adminPermissionsSave } from "../routes/admin/permissions-save.ts";
import { adminPermissions } from "../routes/admin/permissions.ts";
import { adminPersonAction } from "../routes/admin/person-action.ts";
import { adminRevertEdits } from "../routes/admin/person-edits-revert.ts";
import { adminPersonEdits } from "../routes/admin/person-edits.ts";
import { adminPersonGroups } from "../routes/admin/person-groups.ts";
import { adminPerson } from "../routes/admin/person.ts";
import { adminReadOnlySave } from "../routes/admin/read-only-save.ts";
import { adminReadOnly } from "../routes/admin/read-only.ts";
import { adminResolveRedirects } from "../routes/admin/resolve-redirects.ts";
import { adminSolrReindex } from "../routes/admin/solr-reindex.ts";
import { adminSolr } from "../routes/admin/solr.ts";
import { adminSpamwordsSave } from "../routes/admin/spamwords-save.ts";
import { adminSpamwords } from "../routes/admin/spamwords.ts";

/** What administrators do. */
export const ADMIN_ROUTES: readonly Route[] = [
  get("/admin.json", "admin", adminOverview),
  alias("/admin", "admin", adminOverview),
  get("/admin/people.json", "admin", adminPeople),
  alias("/admin/people", "admin", adminPeople),
  get("/admin/people/{username}/edits.json", "admin", adminPersonEdits),
  alias("/admin/people/{username}/edits", "admin", adminPersonEdits),
  post("/admin/people/{username}/edits", "admin", adminRevertEdits),
  post("/admin/people/{username}/groups", "admin", adminPersonGroups),
  get("/admin/people/{username}.json", "admin", adminPerson),
  alias("/admin/people/{username}", "admin", adminPerson),
  post("/admin/people/{username}", "admin", adminPersonAction),
  get("/admin/ip", "admin", adminAddresses),
  get("/admin/ip/{ip}.json", "admin", adminAddressChanges),
  alias("/admin/ip/{ip}", "admin", adminAddressChanges),
  get("/admin/block.json", "admin", adminBlock),
  alias("/admin/block", "admin", adminBlock),
  post("/admin/block", "admin", adminBlockSave),
  get("/admin/spamwords.json", "admin", adminSpamwords),
  alias("/admin/spamwords", "admin", adminSpamwords),
  post("/admin/spamwords", "admin", adminSpamwordsSave),
  get("/admin/permissions.json", "admin", adminPermissions),
  alias("/admin/permissions", "admin", adminPermissions),
  post("/admin/permissions", "admin", adminPermissionsSave),
  get("/admin/solr", "admin", adminSolr),
  post("/admin/solr", "admin", adminSolrReindex),
  get("/admin/read-only.json", "admin", adminReadOnly),
  alias("/admin/read-only", "admin", adminReadOnly),
  post("/admin/read-only", "admin", adminReadOnlySave),
  get("/admin/resolve_redirects", "admin", adminResolveRedirects),
  alias("/admin/resolve_redirects.json", "admin", adminResolveRedirects),
  get("/admin/{rest:path}", "admin", noAdminPage),
  { ...post("/admin/{rest:path}", "admin", noAdminPage), alias: true },
];
