import * as z from "zod";
import { isOffered, namedObservation } from "../../../catalog/patrons/observations.ts";
import { validationFailed } from "../../http/errors.ts";
import { operation } from "../../http/operation.ts";
import { done } from "../../reading/done.ts";
import { ownWriter } from "../../reading/own-writer.ts";
import { READING_BODY_BYTES, workPath } from "../../reading/parameters.ts";

/** Observations in one request. */
export const OBSERVATIONS_MAX = 50;

const observationBody = z.object({
  // Q214: whoever is named here, it is the session's patron who observes.
  username: z.unknown().optional().describe("Ignored"),
  action: z.enum(["add", "delete"]),
  observation: z.record(z.string(), z.string()).describe("One value by type"),
});

/** `POST /works/OL1W/observations.json`: adds an observation or removes it (patrons.md 10). */
export const observe = operation({
  id: "observe",
  summary: "Say what one observes of a work, or no longer",
  tag: "reading",
  path: workPath,
  json: observationBody,
  bodyBytes: READING_BODY_BYTES,
  responses: {
    200: { description: "Added or removed", schema: z.object({ success: z.string() }) },
    303: { description: "For people: back to the page with the form" },
    401: { description: "Not logged in" },
    403: { description: "The account may read only" },
    422: { description: "A type or value that is not in the vocabulary" },
  },
  async handle({ path: { work_id: work }, json: { action, observation } }, context) {
    const { patron } = await ownWriter(context);
    const found = Object.entries(observation);
    if (found.length > OBSERVATIONS_MAX)
      throw refused("_", `At most ${OBSERVATIONS_MAX} observations at a time`);
    const codes = found.map(([label, name]) => codeOf({ label, name, action }));
    if (action === "delete") await patron.notes.unobserve({ work, observed: codes });
    else await patron.notes.observe({ work, observed: codes, now: context.now });
    return done(context, { success: action === "delete" ? "Observations removed" : "Observations added" });
  },
});

/** What is meant, in numbers; what was withdrawn can be removed, but not chosen. */
function codeOf({ label, name, action }: { label: string; name: string; action: "add" | "delete" }) {
  const found = namedObservation(label, name);
  if (found === undefined || (action === "add" && !isOffered(found)))
    throw refused(label, "Unknown observation");
  return { type: found.type.id, value: found.value.id, isSingle: found.type.isSingle };
}

function refused(label: string, message: string) {
  const loc = ["body", "observation", label];
  return validationFailed([{ type: "value_error", loc, msg: `Value error, ${message}`, ctx: { error: {} } }]);
}
