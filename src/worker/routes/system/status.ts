import { datetimeText } from "../../../catalog/datetime.ts";
import { isForPeople } from "../../admin/done.ts";
import type { RequestContext, Settings } from "../../context.ts";
import { verdictOf } from "../../health/check.ts";
import { isolateStarted } from "../../health/isolate.ts";
import { serviceHealth } from "../../health/service-health.ts";
import {
  type ShownStatus,
  dependenciesOf,
  statusCode,
  statusSchema as schema,
} from "../../health/status-view.ts";
import { operation } from "../../operation.ts";
import { statusPage } from "../../pages/operations/status-page.ts";
import { NO_STORE, json } from "../../reply.ts";
import { VERSION } from "../../version.ts";

/** `GET /status[.json]`: version, start of this isolate, features, projections, and whether every store answers (Q462). */
export const status = operation({
  id: "status",
  summary: "Version, features, state of the projections and of every store",
  tag: "service",
  responses: {
    200: { description: "The service works", schema, also: ["text/html"] },
    503: {
      description: "Something does not answer that the service needs: the same",
      schema,
      also: ["text/html"],
    },
  },
  async handle(_input, context) {
    const shown = await shownStatus(context);
    const code = statusCode(shown.status);
    if (isForPeople(context)) return { ...statusPage(shown), status: code };
    return json(shown, { status: code, cacheControl: NO_STORE, headers: { Vary: "Accept" } });
  },
});

async function shownStatus(context: RequestContext): Promise<ShownStatus> {
  const { progress, results } = await serviceHealth(context);
  return {
    status: verdictOf(results),
    software_version: VERSION,
    start_time: datetimeText(isolateStarted(context.sources)),
    features: featuresOf(context.settings),
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
