import type { Overview } from "../../admin/overview.ts";
import type { Reply } from "../../reply.ts";
import { accountPage } from "../account/account-page.ts";
import { markup } from "../markup.ts";
import { definitions, link, moment, table } from "../parts.ts";

const LINKS = [
  ["/admin/people", "Accounts"],
  ["/admin/ip", "Changes from an address"],
  ["/admin/block", "Blocked addresses"],
  ["/admin/spamwords", "Spam words"],
  ["/admin/permissions", "Who may edit"],
  ["/admin/solr", "Build search documents anew"],
  ["/admin/read-only", "Read-only mode"],
  ["/merges", "Merge requests"],
  ["/admin/imports", "Imports"],
  ["/libraries/dashboard", "Libraries that have registered"],
  ["/admin/status", "State of stores, queues and other services"],
] as const;

/** The page from which administrators reach everything. */
export function overviewPage({ accounts, merges, read_only: mode, ...progress }: Overview): Reply {
  const { changes, projections, index, index_jobs: jobs } = progress;
  const body = markup`<nav aria-label="Administration"><ul>${LINKS.map(
    ([href, text]) => markup`<li>${link(href, text)}</li>`,
  )}</ul></nav>
${definitions([
  ["Accounts", `${accounts.active} active, ${accounts.pending} pending, ${accounts.blocked} blocked`],
  ["Newest change", changes],
  [
    "Rebuild of the search index",
    index === null ? "none" : `${index.phase}: ${index.done} of ${index.total}`,
  ],
  ["Jobs of the search index", jobs],
  ["Merges under way", merges.jobs],
  ["Merge requests", merges.requests],
  [
    "Read-only",
    mode.read_only ? markup`yes, by ${mode.by ?? "the operator"} since ${moment(mode.changed ?? "")}` : "no",
  ],
])}
${table({
  caption: "What follows the log of changes",
  columns: ["Projection", "At", "Behind"],
  rows: Object.entries(projections).map(([name, { change, behind }]) => [name, change, behind]),
})}`;
  return accountPage({ title: "Administration", body });
}
