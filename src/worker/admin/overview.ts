import * as z from "zod";
import { formatDatetime } from "../../catalog/datetime.ts";
import { countOpenMerges } from "../../db/editing/merge-requests.ts";
import { countAccounts } from "../../db/accounts/read-accounts.ts";
import { countDueJobs } from "../../db/indexing/jobs.ts";
import { accountPage } from "../ui/action-answer.ts";
import { pageOrJson } from "../http/accept.ts";
import { notFound } from "../http/errors.ts";
import { type RequestContext, operation } from "../http/operation.ts";
import { type ReadOnlyMode, readOnlyMode, readOnlySchema } from "../http/read-only.ts";
import type { Reply } from "../http/reply.ts";
import { indexNotesOf } from "../search/engine.ts";
import { type ServiceProgress, progressSchema, serviceProgress } from "../platform/service-progress.ts";
import { factList } from "../ui/facts.ts";
import { type Markup, markup } from "../ui/markup.ts";
import { live, progress, refreshing } from "../ui/progress.ts";
import { table } from "../ui/table.ts";
import { type Words, moment, number, t } from "../ui/words.ts";

const overviewSchema = z.object({
  accounts: z.object({ pending: z.int(), active: z.int(), blocked: z.int() }),
  ...progressSchema.shape,
  index_jobs: z.int().describe("Number of index jobs that are ready to run"),
  merges: z.object({ jobs: z.int(), requests: z.int() }),
  read_only: readOnlySchema,
});
type Overview = z.infer<typeof overviewSchema>;

async function readOverview(context: RequestContext): Promise<Overview> {
  const { stores, settings, now } = context;
  const [service, accounts, index_jobs, merges, read_only] = await Promise.all([
    serviceProgress(stores, settings),
    countAccounts(stores.patrons),
    countDueJobs(indexNotesOf(stores, settings), formatDatetime(now)),
    countOpenMerges(stores.catalog),
    readOnlyMode(context),
  ]);
  return { accounts, ...service, index_jobs, merges, read_only };
}

const LINKS: readonly (readonly [href: string, words: Words])[] = [
  ["/admin/people", "admin.accounts"],
  ["/admin/ip", "admin.address_changes"],
  ["/admin/block", "admin.blocked"],
  ["/admin/spamwords", "admin.spam"],
  ["/admin/permissions", "admin.permissions"],
  ["/admin/audit", "admin.audit"],
  ["/admin/solr", "admin.solr"],
  ["/admin/read-only", "admin.read_only"],
  ["/merges", "admin.merge_requests"],
  ["/admin/imports", "imports.title"],
  ["/admin/dumps", "data.title"],
  ["/admin/follow", "follow.title"],
  ["/libraries/dashboard", "admin.libraries"],
  ["/admin/dead-letters", "letters.title"],
  ["/admin/status", "admin.system"],
];

function overviewPage(overview: Overview, asOf: string): Reply {
  const { accounts, merges, read_only: mode, changes, index, index_jobs: jobs } = overview;
  const content = markup`${asOfLine(asOf)}
${rebuildBar(index)}
${factList([
  [t("admin.accounts"), t("admin.accounts_count", accounts)],
  [t("admin.newest_change"), number(changes)],
  [t("admin.index_jobs"), number(jobs)],
  [t("admin.merges"), number(merges.jobs)],
  [t("admin.merge_requests"), number(merges.requests)],
  [t("admin.read_only"), mode.read_only ? readOnlySince(mode) : t("admin.no")],
])}
${projectionTable(overview)}`;
  const isMoving = isBehind(overview) || jobs > 0 || merges.jobs > 0;
  const body = markup`<nav aria-label="${t("admin.title")}"><ul class="chips">${LINKS.map(
    ([href, words]) => markup`<li><a class="chip" href="${href}">${t(words)}</a></li>`,
  )}</ul></nav>
${live("desk", isMoving, content)}`;
  return accountPage({ title: t("admin.title"), body, head: refreshing(isMoving) });
}

export function asOfLine(time: string): Markup {
  return markup`<p class="soft">${t("desk.as_of", { time: moment(time) })}</p>`;
}

export function readOnlySince({ by, changed }: ReadOnlyMode): Markup {
  return t("admin.read_only_by", { who: by ?? t("admin.operator"), time: moment(changed ?? "") });
}

export function isBehind({ index, projections }: Pick<ServiceProgress, "index" | "projections">): boolean {
  return index !== null || Object.values(projections).some(({ behind }) => behind > 0);
}

export function rebuildBar(index: ServiceProgress["index"]): Markup | undefined {
  if (index === null) return undefined;
  const { phase, done, total } = index;
  return progress({ label: t("list.pair", { name: t("admin.rebuild"), value: phase }), done, total });
}

export function projectionTable({ projections }: Pick<ServiceProgress, "projections">): Markup {
  return table({
    caption: t("admin.log"),
    columns: [t("admin.projection"), t("admin.at"), t("admin.behind")],
    rows: Object.entries(projections).map(([name, at]) => [name, number(at.change), number(at.behind)]),
  });
}

/** Overview of the service, with links to all other pages (Q160). */
export const adminOverview = operation({
  id: "adminOverview",
  summary: "Get the state of accounts, queues and index",
  tag: "administration",
  responses: {
    200: { description: "State of the service, as JSON or HTML", schema: overviewSchema },
  },
  async handle(_input, context) {
    const asOf = formatDatetime(context.now);
    return pageOrJson(context, await readOverview(context), (overview) => overviewPage(overview, asOf));
  },
});

/** All other paths below `/admin`: they must not be read as keys of records. */
export const noAdminPage = operation({
  id: "noAdminPage",
  summary: "Reject unknown paths below /admin",
  tag: "administration",
  path: { rest: z.string() },
  inReadOnly: true,
  responses: { 404: { description: "Unknown path" } },
  handle() {
    throw notFound();
  },
});
