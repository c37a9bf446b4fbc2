import type * as z from "zod";
import { datetimeText } from "../../catalog/datetime.ts";
import { isForPeople, pageOrJson } from "../accounts/account-page.ts";
import { type RequestContext, operation } from "../http/operation.ts";
import { type Reply, NO_STORE, json } from "../http/reply.ts";
import { type Settings, VERSION } from "../http/settings.ts";
import { adminPage } from "../admin/admin-page.ts";
import { projectionTable, rebuildText } from "../admin/overview.ts";
import { mailProblem } from "../platform/mail.ts";
import { factList } from "../ui/facts.ts";
import { page } from "../ui/layout.ts";
import { type Markup, markup } from "../ui/markup.ts";
import { link } from "../ui/parts.ts";
import { deepChecks, verdictOf } from "./checks.ts";
import { isolateStarted } from "./debug.ts";
import {
  type DeepStatus,
  type ShownStatus,
  checkDatabases,
  deepStatusSchema,
  dependenciesOf,
  serviceHealth,
  statusCode,
  statusSchema,
} from "./health.ts";
import { readLevels } from "./levels.ts";
import { table } from "../ui/table.ts";
import { moment } from "../ui/words.ts";

/** `GET /status[.json]`: version, start of this isolate, features, projections, and whether every store answers (Q462). */
export const status = operation({
  id: "status",
  summary: "Version, features, state of the projections and of every store",
  tag: "service",
  responses: answersOf(statusSchema),
  async handle(_input, context) {
    const state = await shownStatus(context);
    const code = statusCode(state.status);
    if (isForPeople(context)) return { ...statusPage(state), status: code };
    return json(state, { status: code, cacheControl: NO_STORE, headers: { Vary: "Accept" } });
  },
});

function answersOf(schema: z.ZodType) {
  const same = "Something does not answer that the service needs: the same";
  return {
    200: { description: "The service works", schema, also: ["text/html"] },
    503: { description: same, schema, also: ["text/html"] },
  };
}

async function shownStatus(context: RequestContext): Promise<ShownStatus> {
  const { progress, results } = await serviceHealth(context);
  return {
    status: verdictOf(results),
    software_version: VERSION,
    start_time: datetimeText(isolateStarted(context.sources)),
    features: featuresOf(context.settings),
    problems: [mailProblem(context.settings)].filter((problem) => problem !== undefined),
    changes: progress?.changes ?? null,
    projections: progress?.projections ?? {},
    index: progress?.index ?? null,
    dependencies: dependenciesOf(results),
  };
}

function featuresOf(settings: Settings): string[] {
  const features: Readonly<Record<string, boolean>> = {
    "edge-cache": settings.EDGE_CACHE,
    "derived-holdings": settings.DERIVE_HOLDINGS,
    "affiliate-lookup": settings.AFFILIATE_LOOKUP !== "off",
  };
  return Object.keys(features).filter((name) => features[name] === true);
}

/** `GET /system/status[.json]`, `/admin/status[.json]`: everything that can be looked at, anew with each call. */
export const deepStatus = operation({
  id: "deepStatus",
  summary: "State of every store, queue and other service, and how much there is of what grows",
  tag: "operation",
  responses: answersOf(deepStatusSchema),
  async handle(_input, context) {
    const found = await readDeepStatus(context);
    return { ...pageOrJson(context, found, deepStatusPage), status: statusCode(found.status) };
  },
});

async function readDeepStatus(context: RequestContext): Promise<DeepStatus> {
  const [databases, others] = await Promise.all([checkDatabases(context), deepChecks(context)]);
  const results = [...databases.results, ...others];
  const levels = databases.progress === null ? null : await readLevels(context);
  return { status: verdictOf(results), dependencies: dependenciesOf(results), levels };
}

const VERDICTS: Readonly<Record<ShownStatus["status"], string>> = {
  ok: "Everything works.",
  degraded: "The service works; something that it can do without does not answer.",
  failing: "Something does not answer that the service needs.",
};

function statusPage(state: ShownStatus): Reply {
  const { index, changes, features, problems } = state;
  const body = markup`<p>${VERDICTS[state.status]}</p>
${problems.map((problem) => markup`<p>${problem}</p>`)}
${factList([
  ["Version", state.software_version],
  ["Started", moment(state.start_time)],
  ["Newest change", changes],
  ["Features", features.join(", ")],
  ["Rebuild of the search index", rebuildText(index)],
])}
${dependencyTable(state.dependencies)}
${projectionTable(state)}`;
  return page({ title: "State of the service", body });
}

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

function deepStatusPage({ status: verdict, dependencies, levels }: DeepStatus): Reply {
  const body = markup`<p>${VERDICTS[verdict]}</p>
${dependencyTable(dependencies)}
${
  levels === null
    ? markup`<p>A database does not answer, so nothing was counted.</p>`
    : table({ caption: "How much there is", columns: ["Of", "Number"], rows: Object.entries(levels) })
}
<p>${link("/debug/memory", "This isolate")} ${link("/debug/backdoor", "Settings")}</p>`;
  return adminPage({ title: "State of everything", body });
}
