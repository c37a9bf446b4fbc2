import { pageOrJson } from "../accounts/account-page.ts";
import { adminPage } from "../admin/admin-page.ts";
import { operation } from "../http/operation.ts";
import type { Reply } from "../http/reply.ts";
import { markup } from "../ui/markup.ts";
import { link } from "../ui/parts.ts";
import { numbersBody } from "./numbers.ts";
import { stateSchema } from "./schemas.ts";
import { type ImportState, importState } from "./statistics.ts";
import { batchLink, batchesTable } from "./tables.ts";
import { table } from "../ui/table.ts";
import { moment } from "../ui/words.ts";

function statePage(state: ImportState): Reply {
  const body = markup`<nav aria-label="Imports"><ul>
<li>${link("/import/batch/new", "Import records")}</li>
<li>${link("/admin/imports/add", "Import items by their ids")}</li>
<li>${link("/import/batch/pending", "Batches that wait for approval")}</li>
</ul></nav>
${numbersBody(state, (date) => link(`/admin/imports/${date}`, date))}
${
  state.errors.length > 0 &&
  table({
    caption: "Failed items by error",
    columns: ["Error", "Items"],
    rows: state.errors.map(({ error, items }) => [error, items]),
  })
}
${
  state.dead.length > 0 &&
  table({
    caption: "The service itself has failed at these",
    columns: ["Item", "Batch", "When", "Why"],
    rows: state.dead.map((item) => [
      item.ia_id,
      batchLink(item.batch_id),
      moment(item.import_time),
      item.comments ?? "",
    ]),
  })
}
${batchesTable("Files that are being split", state.splitting)}
${batchesTable("Newest batches", state.batches)}`;
  return adminPage({ title: "Imports", body });
}

/** `GET /admin/imports[.json]`: progress, rates, errors, and what could not be delivered. */
export const adminImports = operation({
  id: "adminImports",
  summary: "State of all imports",
  tag: "administration",
  responses: { 200: { description: "JSON for programs, a page for people", schema: stateSchema } },
  handle: async (_input, context) => pageOrJson(context, await importState(context), statePage),
});
