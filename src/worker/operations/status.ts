import { type Text, english } from "../../catalog/texts.ts";
import type * as z from "zod";
import { parseDatetime, formatDatetime } from "../../catalog/datetime.ts";
import { isForPeople, pageOrJson } from "../http/accept.ts";
import { type RequestContext, operation } from "../http/operation.ts";
import { type Reply, NO_STORE, json } from "../http/reply.ts";
import { type Settings, VERSION } from "../http/settings.ts";
import { adminPage } from "../admin/admin-page.ts";
import { asOfLine, isBehind, projectionTable, rebuildBar } from "../admin/overview.ts";
import { mailProblem } from "../platform/mail.ts";
import { factList } from "../ui/facts.ts";
import { page } from "../ui/layout.ts";
import { type Markup, markup } from "../ui/markup.ts";
import { commas, link } from "../ui/parts.ts";
import { runDeepChecks, verdictOf } from "./checks.ts";
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
  readLevels,
  sizeProblems,
} from "./health.ts";
import { notice } from "../ui/notice.ts";
import { live, refreshing } from "../ui/progress.ts";
import { table } from "../ui/table.ts";
import { type Words, moment, number, reason, t } from "../ui/words.ts";

/** `GET /status[.json]`: version, start of this isolate, features, projections, and checks of every store (Q462). */
export const status = operation({
  id: "status",
  summary: "Get the version, features and state of projections and stores",
  tag: "service",
  responses: statusResponses(statusSchema),
  async handle(_input, context) {
    const state = await readStatus(context);
    const code = statusCode(state.status);
    if (isForPeople(context)) return { ...statusPage(state, formatDatetime(context.now)), status: code };
    return json(
      { ...state, problems: state.problems.map(english) },
      { status: code, cacheControl: NO_STORE, headers: { Vary: "Accept" } },
    );
  },
});

function statusResponses(schema: z.ZodType) {
  const same = "Something does not answer that the service needs: the same";
  return {
    200: { description: "Status of the service", schema, also: ["text/html"] },
    503: { description: same, schema, also: ["text/html"] },
  };
}

type ServiceStatus = Omit<ShownStatus, "problems"> & { readonly problems: readonly Text[] };

async function readStatus(context: RequestContext): Promise<ServiceStatus> {
  const { newestChange, progress, results, stalled } = await serviceHealth(context);
  return {
    status: verdictOf(results, stalled),
    software_version: VERSION,
    start_time: formatDatetime(isolateStarted(context.sources)),
    features: featuresOf(context.settings),
    problems: [
      mailProblem(context.settings),
      ...sizeProblems(results),
      ...stalled,
      clockProblem(newestChange, context.now),
    ].filter((problem) => problem !== undefined),
    changes: progress?.changes ?? null,
    projections: progress?.projections ?? {},
    index: progress?.index ?? null,
    dependencies: dependenciesOf(results),
  };
}

/** Tolerated clock difference, in milliseconds: changes of a mirror have the times of its source. */
const CLOCK_SLACK_MS = 60_000;

/** Returns a warning if the newest change is in the future: records, feeds and caches then have wrong times too. */
function clockProblem(newestChange: string | null, now: number): Text | undefined {
  if (newestChange === null || parseDatetime(newestChange) <= now + CLOCK_SLACK_MS) return undefined;
  return { key: "status.clock", values: { stored: newestChange, now: formatDatetime(now) } };
}

function featuresOf(settings: Settings): string[] {
  const features: Readonly<Record<string, boolean>> = {
    "edge-cache": settings.EDGE_CACHE,
    "derived-holdings": settings.DERIVE_HOLDINGS,
    "affiliate-lookup": settings.AFFILIATE_LOOKUP !== "off",
  };
  return Object.keys(features).filter((name) => features[name] === true);
}

/** `GET /system/status[.json]`, `/admin/status[.json]`: all checks and levels, without cached results. */
export const deepStatus = operation({
  id: "deepStatus",
  summary: "Get the state of every store, queue and external service, with the sizes of growing data",
  tag: "operation",
  responses: statusResponses(deepStatusSchema),
  async handle(_input, context) {
    const [databases, others] = await Promise.all([checkDatabases(context), runDeepChecks(context)]);
    const results = [...databases.results, ...others];
    const levels = databases.progress === null ? null : await readLevels(context);
    const problems = databases.stalled.map(english);
    const dependencies = dependenciesOf(results);
    const state = { status: verdictOf(results, problems), problems, dependencies, levels };
    const reply = pageOrJson(context, state, (value) => deepStatusPage(value, formatDatetime(context.now)));
    return { ...reply, status: statusCode(state.status) };
  },
});

const VERDICTS: Readonly<Record<ShownStatus["status"], Words>> = {
  ok: "status.ok",
  degraded: "status.degraded",
  failing: "status.failing",
};

function verdictNotice(verdict: ShownStatus["status"]): Markup {
  return notice(verdict === "ok" ? "good" : "bad", t(VERDICTS[verdict]));
}

function statusPage(state: ServiceStatus, asOf: string): Reply {
  const { index, changes, features, problems } = state;
  const isMoving = isBehind(state);
  const content = markup`${asOfLine(asOf)}
${rebuildBar(index)}
${factList([
  [t("status.version"), state.software_version],
  [t("status.started"), moment(state.start_time)],
  [t("admin.newest_change"), changes === null ? undefined : number(changes)],
  [t("status.features"), commas(features)],
])}
${dependencyTable(state.dependencies)}
${projectionTable(state)}`;
  const body = markup`${verdictNotice(state.status)}
${problems.map((problem) => markup`<p>${reason(problem)}</p>`)}
${live("state", isMoving, content)}`;
  return page({ title: t("status.title"), body, head: refreshing(isMoving) });
}

function dependencyTable(dependencies: ShownStatus["dependencies"]): Markup {
  return table({
    caption: t("status.dependencies"),
    columns: [t("status.dependency"), t("status.answers"), t("status.ms"), t("status.says")],
    rows: Object.entries(dependencies).map(([name, { ok, ms, problem, numbers }]) => [
      name,
      t(ok ? "admin.yes" : problem === "late" ? "status.late" : "admin.no"),
      number(ms),
      commas(Object.entries(numbers).map(([unit, count]) => markup`${unit}: ${number(count)}`)),
    ]),
  });
}

function deepStatusPage({ status: state, dependencies, levels }: DeepStatus, asOf: string): Reply {
  const body = markup`${verdictNotice(state)}
${asOfLine(asOf)}
${dependencyTable(dependencies)}
${
  levels === null
    ? markup`<p>${t("status.not_counted")}</p>`
    : table({
        caption: t("status.how_much"),
        columns: [t("status.of"), t("stats.how_many")],
        rows: Object.entries(levels).map(([name, count]) => [
          name,
          count === null ? undefined : number(count),
        ]),
      })
}
<p>${link("/debug/memory", t("status.isolate"))} · ${link("/debug/backdoor", t("status.settings"))}</p>`;
  return adminPage({ title: t("status.title_all"), body });
}
