import type { DeepStatus, ShownStatus } from "../../health/status-view.ts";
import type { Reply } from "../../reply.ts";
import { adminPage } from "../admin/admin-page.ts";
import { page } from "../layout.ts";
import { type Markup, markup } from "../markup.ts";
import { definitions, link, moment, table } from "../parts.ts";

const VERDICTS: Readonly<Record<ShownStatus["status"], string>> = {
  ok: "Everything works.",
  degraded: "The service works; something that it can do without does not answer.",
  failing: "Something does not answer that the service needs.",
};

/** How the service is, for people. */
export function statusPage(shown: ShownStatus): Reply {
  const { status, index, changes, projections, features } = shown;
  const body = markup`<p>${VERDICTS[status]}</p>
${definitions([
  ["Version", shown.software_version],
  ["Started", moment(shown.start_time)],
  ["Newest change", changes],
  ["Features", features.join(", ")],
  [
    "Rebuild of the search index",
    index === null ? "none" : `${index.phase}: ${index.done} of ${index.total}`,
  ],
])}
${dependencyTable(shown.dependencies)}
${table({
  caption: "What follows the log of changes",
  columns: ["Projection", "At", "Behind"],
  rows: Object.entries(projections).map(([name, { change, behind }]) => [name, change, behind]),
})}`;
  return page({ title: "State of the service", body });
}

/** Which dependencies answer, and what they say of themselves. */
function dependencyTable(dependencies: ShownStatus["dependencies"]): Markup {
  return table({
    caption: "What the service needs",
    columns: ["Dependency", "Answers", "Milliseconds", "Says"],
    rows: Object.entries(dependencies).map(([name, { ok, ms, problem, numbers }]) => [
      name,
      ok ? "yes" : problem === "late" ? "not in time" : "no",
      ms,
      Object.entries(numbers)
        .map(([what, number]) => `${what}: ${number}`)
        .join(", "),
    ]),
  });
}

/** The same with all that only administrators may know. */
export function deepStatusPage({ status, dependencies, levels }: DeepStatus): Reply {
  const body = markup`<p>${VERDICTS[status]}</p>
${dependencyTable(dependencies)}
${
  levels === null
    ? markup`<p>A database does not answer, so nothing was counted.</p>`
    : table({ caption: "How much there is", columns: ["Of", "Number"], rows: Object.entries(levels) })
}
<p>${link("/debug/memory", "This isolate")} ${link("/debug/backdoor", "Settings")}</p>`;
  return adminPage({ title: "State of everything", body });
}
