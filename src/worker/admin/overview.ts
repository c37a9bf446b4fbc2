import * as z from "zod";
import { datetimeText } from "../../catalog/datetime.ts";
import { countOpenMerges } from "../../db/editing/merge-requests.ts";
import { countAccounts } from "../../db/accounts/read.ts";
import { countDueJobs } from "../../db/indexing/jobs.ts";
import { accountPage, pageOrJson } from "../accounts/account-page.ts";
import { notFound } from "../http/errors.ts";
import { type RequestContext, operation } from "../http/operation.ts";
import { readOnlyMode, readOnlySchema } from "../http/read-only.ts";
import type { Reply } from "../http/reply.ts";
import { notesOf } from "../search/engine.ts";
import { type ServiceProgress, progressSchema, serviceProgress } from "../platform/service-progress.ts";
import { factList } from "../ui/facts.ts";
import { type Markup, markup } from "../ui/markup.ts";
import { link } from "../ui/parts.ts";
import { table } from "../ui/table.ts";
import { moment } from "../ui/words.ts";

const overviewSchema = z.object({
  accounts: z.object({ pending: z.int(), active: z.int(), blocked: z.int() }),
  ...progressSchema.shape,
  index_jobs: z.int().describe("Jobs of the search index that may begin"),
  /** Merges under way, and requests that wait for a librarian. */
  merges: z.object({ jobs: z.int(), requests: z.int() }),
  read_only: readOnlySchema,
});
type Overview = z.infer<typeof overviewSchema>;

async function readOverview(context: RequestContext): Promise<Overview> {
  const { stores, settings, now } = context;
  const [progress, accounts, index_jobs, merges, read_only] = await Promise.all([
    serviceProgress(stores, settings),
    countAccounts(stores.patrons),
    countDueJobs(notesOf(stores, settings), datetimeText(now)),
    countOpenMerges(stores.catalog),
    readOnlyMode(context),
  ]);
  return { accounts, ...progress, index_jobs, merges, read_only };
}

const LINKS = [
  ["/admin/people", "Accounts"],
  ["/admin/ip", "Changes from an address"],
  ["/admin/block", "Blocked addresses"],
  ["/admin/spamwords", "Spam words"],
  ["/admin/permissions", "Who may edit"],
  ["/admin/audit", "Audit log"],
  ["/admin/solr", "Build search documents anew"],
  ["/admin/read-only", "Read-only mode"],
  ["/merges", "Merge requests"],
  ["/admin/imports", "Imports"],
  ["/libraries/dashboard", "Libraries that have registered"],
  ["/admin/status", "State of stores, queues and other services"],
] as const;

function overviewPage(overview: Overview): Reply {
  const { accounts, merges, read_only: mode, changes, index, index_jobs: jobs } = overview;
  const body = markup`<nav aria-label="Administration"><ul>${LINKS.map(
    ([href, text]) => markup`<li>${link(href, text)}</li>`,
  )}</ul></nav>
${factList([
  ["Accounts", `${accounts.active} active, ${accounts.pending} pending, ${accounts.blocked} blocked`],
  ["Newest change", changes],
  ["Rebuild of the search index", rebuildText(index)],
  ["Jobs of the search index", jobs],
  ["Merges under way", merges.jobs],
  ["Merge requests", merges.requests],
  [
    "Read-only",
    mode.read_only ? markup`yes, by ${mode.by ?? "the operator"} since ${moment(mode.changed ?? "")}` : "no",
  ],
])}
${projectionTable(overview)}`;
  return accountPage({ title: "Administration", body });
}

/** Where a rebuild of the search index stands. */
export function rebuildText(index: ServiceProgress["index"]): string {
  return index === null ? "none" : `${index.phase}: ${index.done} of ${index.total}`;
}

/** How far everything is that follows the log. */
export function projectionTable({ projections }: Pick<ServiceProgress, "projections">): Markup {
  return table({
    caption: "What follows the log of changes",
    columns: ["Projection", "At", "Behind"],
    rows: Object.entries(projections).map(([name, { change, behind }]) => [name, change, behind]),
  });
}

/** `GET /admin[.json]`: the service at a glance, and the way to everything else (Q160). */
export const adminOverview = operation({
  id: "adminOverview",
  summary: "State of accounts, queues and index",
  tag: "administration",
  responses: {
    200: {
      description: "JSON for programs, a page for people",
      schema: overviewSchema,
    },
  },
  handle: async (_input, context) => pageOrJson(context, await readOverview(context), overviewPage),
});

/** Everything else below `/admin`: it is no key of a record that anybody could read. */
export const noAdminPage = operation({
  id: "noAdminPage",
  summary: "Everything else below /admin: not found",
  tag: "administration",
  path: { rest: z.string() },
  inReadOnly: true,
  responses: { 404: { description: "Always" } },
  handle: () => {
    throw notFound();
  },
});
