import { datetimeText } from "../../catalog/datetime.ts";
import { pageOrJson } from "../http/accept.ts";
import { adminPage } from "../admin/admin-page.ts";
import { operation } from "../http/operation.ts";
import type { Reply } from "../http/reply.ts";
import { type Markup, markup } from "../ui/markup.ts";
import { link } from "../ui/parts.ts";
import { refreshing } from "../ui/progress.ts";
import { isRunning, numbersBody } from "./numbers.ts";
import { stateSchema } from "./schemas.ts";
import { type ImportState, importState } from "./statistics.ts";
import { batchLink, batchesTable } from "./tables.ts";
import { table } from "../ui/table.ts";
import { tabs } from "../ui/tabs.ts";
import { type Words, day, moment, number, say } from "../ui/words.ts";

function statePage(state: ImportState, asOf: string): Reply {
  const { errors, dead, splitting, batches } = state;
  const links = LINKS.map(([href, words]) => ({ href, text: say(words), isCurrent: false }));
  const body = markup`${tabs(say("imports.title"), links)}
${numbersBody(state, { asOf, dayCell: (date) => link(`/admin/imports/${date}`, day(date)) })}
${errors.length > 0 && errorsTable(errors)}
${dead.length > 0 && deadTable(dead)}
${batchesTable(say("imports.splitting"), splitting)}
${batchesTable(say("imports.batches"), batches)}`;
  return adminPage({ title: say("imports.title"), body, head: refreshing(isRunning(state)) });
}

const LINKS: readonly (readonly [href: string, words: Words])[] = [
  ["/import/batch/new", "imports.new"],
  ["/admin/imports/add", "imports.by_ids"],
  ["/import/batch/pending", "imports.pending_batches"],
];

function errorsTable(errors: ImportState["errors"]): Markup {
  return table({
    caption: say("imports.by_error"),
    columns: [say("imports.error"), say("imports.items")],
    rows: errors.map(({ error, items }) => [error, number(items)]),
  });
}

function deadTable(dead: ImportState["dead"]): Markup {
  return table({
    caption: say("imports.dead"),
    columns: [say("imports.item"), say("imports.batch"), say("imports.when"), say("desk.why")],
    rows: dead.map(({ ia_id: item, batch_id: batch, import_time: time, comments }) => [
      item,
      batchLink(batch),
      moment(time),
      markup`<span lang="en">${comments}</span>`,
    ]),
  });
}

/** `GET /admin/imports[.json]`: shows progress, rates, errors and items that the service failed to import. */
export const adminImports = operation({
  id: "adminImports",
  summary: "State of all imports",
  tag: "administration",
  responses: { 200: { description: "JSON for programs, a page for people", schema: stateSchema } },
  handle: async (_input, context) =>
    pageOrJson(context, await importState(context), (state) => statePage(state, datetimeText(context.now))),
});
