import * as z from "zod";
import { parseOlid } from "../../../catalog/keys.ts";
import { type ObservationMetrics, observationMetrics } from "../../../catalog/patrons/observations.ts";
import { NO_OBSERVATIONS, readObservationCounts } from "../../../db/patrons/counts.ts";
import { ownView } from "../../activity/own-view.ts";
import { type RequestContext, operation } from "../../http/operation.ts";
import { validationFailed } from "../../http/errors.ts";
import { countsJson } from "../../reading/cached.ts";

/** Works that one request asks about. */
export const OBSERVED_WORKS_MAX = 200;

const metrics = z.looseObject({
  work_id: z.string(),
  total_respondents: z.int(),
  observations: z.array(z.looseObject({ label: z.string() })),
});

/** `GET /observations.json?olid=OL1W`: what patrons observed of works, in numbers (patrons.md 10). */
export const observationsOfWorks = operation({
  id: "observations",
  summary: "What patrons have observed of works",
  tag: "reading",
  query: { olid: z.array(z.string()).max(OBSERVED_WORKS_MAX).default([]).describe("Numbers such as OL1W") },
  responses: {
    200: {
      description: "By the numbers as they were asked for",
      schema: z.object({ observations: z.record(z.string(), metrics) }),
    },
  },
  async handle({ query: { olid } }, context) {
    const works = new Map(olid.map((text, index) => [text, workNumber(context, text, index)]));
    const [one] = works;
    // Q213: of a single work a patron sees his own observations at once, as on its page.
    if (one !== undefined && works.size === 1) return single(context, one);
    const counts = await readObservationCounts(context.stores.patrons.withSession("first-unconstrained"), [
      ...works.values(),
    ]);
    const found = [...works].map(([text, work]) => [
      text,
      observationMetrics(work, counts.get(work) ?? NO_OBSERVATIONS),
    ]);
    return countsJson({ observations: Object.fromEntries(found) }, { isOwn: false });
  },
});

async function single(context: RequestContext, [text, work]: readonly [string, number]) {
  const view = await ownView(context, work);
  const observations: Record<string, ObservationMetrics> = {
    [text]: observationMetrics(work, view.observations),
  };
  return countsJson({ observations }, view);
}

function workNumber({ settings }: RequestContext, text: string, index: number): number {
  const olid = parseOlid(text, settings.RECORD_PREFIX);
  if (olid?.kind === "work") return olid.number;
  const pattern = String.raw`(?i)^${settings.RECORD_PREFIX}\d+W$`;
  const msg = `String should match pattern '${pattern}'`;
  const loc = ["query", "olid", index];
  throw validationFailed([{ type: "string_pattern_mismatch", loc, msg, input: text, ctx: { pattern } }]);
}
