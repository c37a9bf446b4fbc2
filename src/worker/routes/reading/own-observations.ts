import * as z from "zod";
import { observationsByLabel } from "../../../catalog/patrons/observations.ts";
import { ownSession } from "../../accounts/own-session.ts";
import { privateJson } from "../../http/reply.ts";
import { operation } from "../../http/operation.ts";
import { workPath } from "../../reading/parameters.ts";
import { patronOf } from "../../http/session.ts";

/** `GET /works/OL1W/observations.json`: what the patron observed of a work (patrons.md 10). */
export const ownObservations = operation({
  id: "ownObservations",
  summary: "What one has observed of a work",
  tag: "reading",
  path: workPath,
  responses: {
    200: { description: "Values by type", schema: z.record(z.string(), z.array(z.string())) },
    401: { description: "Not logged in" },
  },
  async handle({ path: { work_id: work } }, context) {
    const { username } = await ownSession(context);
    const observed = await patronOf(context.stores, username).notes.observations(work);
    return privateJson(observationsByLabel(observed));
  },
});
