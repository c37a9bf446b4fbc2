import type { ReadOnlyMode } from "../http/read-only.ts";
import type { Reply } from "../http/reply.ts";
import type { ServiceProgress } from "../platform/service-progress.ts";
import { accountPage } from "../ui/action-answer.ts";
import { dataFacts, dataTable, toKeyedRows } from "../ui/data-page.ts";
import { type Markup, markup } from "../ui/markup.ts";
import { asOfLine } from "../ui/parts.ts";
import { live, progress, refreshing } from "../ui/progress.ts";
import { type Words, moment, t } from "../ui/words.ts";

const LINKS: readonly (readonly [href: string, words: Words])[] = [
  ["/admin/site", "site.title"],
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

interface Overview extends ServiceProgress {
  readonly accounts: Readonly<Record<"pending" | "active" | "blocked", number>>;
  readonly index_jobs: number;
  readonly merges: { readonly jobs: number; readonly requests: number };
  readonly read_only: ReadOnlyMode;
}

export function overviewPage(overview: Overview, asOf: string): Reply {
  const { merges, index, index_jobs: jobs } = overview;
  const isMoving = isBehind(overview) || jobs > 0 || merges.jobs > 0;
  const facts = dataFacts(
    { ...overview, merge_jobs: merges.jobs, merge_requests: merges.requests },
    {
      accounts: ["admin.accounts", (accounts) => t("admin.accounts_count", accounts)],
      changes: "admin.newest_change",
      index_jobs: "admin.index_jobs",
      merge_jobs: "admin.merges",
      merge_requests: "admin.merge_requests",
      read_only: ["admin.read_only", (mode) => (mode.read_only ? readOnlySince(mode) : t("admin.no"))],
    },
  );
  const links = LINKS.map(([href, words]) => markup`<li><a class="chip" href="${href}">${t(words)}</a></li>`);
  return accountPage({
    title: t("admin.title"),
    body: markup`<nav aria-label="${t("admin.title")}"><ul class="chips">${links}</ul></nav>
${live("desk", isMoving, [asOfLine(asOf), rebuildBar(index), facts, projectionTable(overview)])}`,
    head: refreshing(isMoving),
  });
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
  return dataTable({
    caption: t("admin.log"),
    members: { name: "admin.projection", change: "admin.at", behind: "admin.behind" },
    rows: toKeyedRows(projections),
  });
}
