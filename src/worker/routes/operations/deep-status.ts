import { shown } from "../../admin/done.ts";
import type { RequestContext } from "../../context.ts";
import { verdictOf } from "../../health/check.ts";
import { deepChecks } from "../../health/deep-checks.ts";
import { readLevels } from "../../health/levels.ts";
import { checkDatabases } from "../../health/service-health.ts";
import { type DeepStatus, deepStatusSchema, dependenciesOf, statusCode } from "../../health/status-view.ts";
import { operation } from "../../operation.ts";
import { deepStatusPage } from "../../pages/operations/status-page.ts";

/** `GET /system/status[.json]`, `/admin/status[.json]`: everything that can be looked at, anew with each call. */
export const deepStatus = operation({
  id: "deepStatus",
  summary: "State of every store, queue and other service, and how much there is of what grows",
  tag: "operation",
  responses: {
    200: { description: "The service works", schema: deepStatusSchema, also: ["text/html"] },
    503: {
      description: "Something does not answer that the service needs: the same",
      schema: deepStatusSchema,
      also: ["text/html"],
    },
  },
  async handle(_input, context) {
    const found = await readDeepStatus(context);
    return { ...shown(context, found, deepStatusPage), status: statusCode(found.status) };
  },
});

async function readDeepStatus(context: RequestContext): Promise<DeepStatus> {
  const [databases, others] = await Promise.all([checkDatabases(context), deepChecks(context)]);
  const results = [...databases.results, ...others];
  const levels = databases.progress === null ? null : await readLevels(context);
  return { status: verdictOf(results), dependencies: dependenciesOf(results), levels };
}
