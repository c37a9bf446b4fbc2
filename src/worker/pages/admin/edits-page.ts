import type { ChangesPage } from "../../admin/seen-change.ts";
import type { Reply } from "../../reply.ts";
import { field } from "../forms.ts";
import { markup } from "../markup.ts";
import { adminPage, changePageLinks, changeTable } from "./admin-page.ts";

/** The page of an account's changes, from which they are reverted. */
export function editsPage(username: string, list: ChangesPage): Reply {
  const path = `/admin/people/${encodeURIComponent(username)}/edits`;
  const rows = changeTable(`Changes of ${username}`, list.changes, {
    column: "Revert",
    cell: ({ id }) =>
      markup`<input type="checkbox" name="changesets[]" value="${id}" aria-label="Revert change ${id}">`,
  });
  const body = markup`<form method="post" action="${path}">${rows}
${
  list.changes.length > 0 &&
  markup`${field({ name: "comment", label: "Comment", value: "Revert" })}
<p><button type="submit">Revert the chosen changes</button></p>`
}</form>
${changePageLinks(path, list)}`;
  return adminPage({ title: `Changes of ${username}`, body });
}
