import { type Text, english } from "../../catalog/texts.ts";
import type * as z from "zod";
import { formatDatetime, parseDatetime } from "../../catalog/datetime.ts";
import { NO_STORE, PRIVATE, json } from "../http/reply.ts";
import { VERSION } from "../http/settings.ts";
import { resource } from "../http/views.ts";
import { loginProblem } from "../accounts/login-elsewhere.ts";
import { mailProblem } from "../platform/mail.ts";
import { runDeepChecks, verdictOf } from "./checks.ts";
import { isolateStarted } from "./debug.ts";
import {
  checkDatabases,
  deepStatusSchema,
  dependenciesOf,
  serviceHealth,
  statusCode,
  statusSchema,
  readLevels,
} from "./health.ts";
import { deepStatusPage, statusPage } from "./status-page.ts";

/** Part of the limit of a database from which on the operator is warned. */
const WARNED_PERCENT = 80;
/** Tolerated clock difference, in milliseconds: changes of a mirror have the times of its source. */
const CLOCK_SLACK_MS = 60_000;

/** `GET /status[.json]`: version, start of this isolate, features, projections, and checks of every store (Q462). */
export const status = resource({
  id: "status",
  summary: "Get the version, features and state of projections and stores",
  tag: "service",
  responses: statusResponses(statusSchema),
  async read(_input, context) {
    const { settings, now } = context;
    const { newestChange, progress, results, stalled } = await serviceHealth(context);
    const features: Readonly<Record<string, boolean>> = {
      "edge-cache": settings.EDGE_CACHE,
      "derived-holdings": settings.DERIVE_HOLDINGS,
      "affiliate-lookup": settings.AFFILIATE_LOOKUP !== "off",
    };
    const full = results
      .filter(({ numbers: { percent = 0 } }) => percent >= WARNED_PERCENT)
      .map(({ name, numbers: { percent = 0 } }): Text => {
        return { key: "status.database_full", values: { name, percent: Math.floor(percent) } };
      });
    // Records, feeds and caches then have wrong times too.
    const isAhead = newestChange !== null && parseDatetime(newestChange) > now + CLOCK_SLACK_MS;
    const clock: Text | undefined = isAhead
      ? { key: "status.clock", values: { stored: newestChange, now: formatDatetime(now) } }
      : undefined;
    return {
      status: verdictOf(results, stalled),
      software_version: VERSION,
      start_time: formatDatetime(isolateStarted(context.sources)),
      features: Object.keys(features).filter((name) => features[name] === true),
      problems: [mailProblem(settings), loginProblem(settings), ...full, ...stalled, clock].filter(
        (problem) => problem !== undefined,
      ),
      changes: progress?.changes ?? null,
      projections: progress?.projections ?? {},
      index: progress?.index ?? null,
      dependencies: dependenciesOf(results),
    };
  },
  asJson: (state) =>
    json(
      { ...state, problems: state.problems.map(english) },
      { status: statusCode(state.status), cacheControl: NO_STORE },
    ),
  page: (state, _input, { now }) => ({
    ...statusPage(state, formatDatetime(now)),
    status: statusCode(state.status),
  }),
});

function statusResponses(schema: z.ZodType) {
  const same = "Something does not answer that the service needs: the same";
  return {
    200: { description: "Status of the service", schema, also: ["text/html"] },
    503: { description: same, schema, also: ["text/html"] },
  };
}

/** `GET /system/status[.json]`, `/admin/status[.json]`: all checks and levels, without cached results. */
export const deepStatus = resource({
  id: "deepStatus",
  summary: "Get the state of every store, queue and external service, with the sizes of growing data",
  tag: "operation",
  responses: statusResponses(deepStatusSchema),
  async read(_input, context) {
    const [databases, others] = await Promise.all([checkDatabases(context), runDeepChecks(context)]);
    const results = [...databases.results, ...others];
    const levels = databases.progress === null ? null : await readLevels(context);
    const problems = databases.stalled.map(english);
    const dependencies = dependenciesOf(results);
    return { status: verdictOf(results, problems), problems, dependencies, levels };
  },
  asJson: (state) => json(state, { status: statusCode(state.status), cacheControl: PRIVATE }),
  page: (state, _input, { now }) => ({
    ...deepStatusPage(state, formatDatetime(now)),
    status: statusCode(state.status),
  }),
});
