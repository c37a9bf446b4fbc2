import * as z from "zod";
import { splitBibKeys } from "../../../catalog/lookup/split.ts";
import { availabilities } from "../../availability/available.ts";
import { operation } from "../../operation.ts";
import {
  AVAILABILITY_IDS_MAX,
  availabilityReply,
  availabilityResponses,
  availabilityType,
} from "./schemas.ts";

const ids = z.array(z.string()).transform((occurrences, context) => {
  const named = splitBibKeys(occurrences);
  if (named.length > 0 && named.length <= AVAILABILITY_IDS_MAX) return named;
  const [type, bound, limit] =
    named.length === 0
      ? (["too_short", "at least 1 item", { min_length: 1 }] as const)
      : ([
          "too_long",
          `at most ${AVAILABILITY_IDS_MAX} items`,
          { max_length: AVAILABILITY_IDS_MAX },
        ] as const);
  context.issues.push({
    code: "custom",
    input: named,
    message: `Value should have ${bound} after validation, not ${named.length}`,
    params: { type, ctx: { field_type: "Value", ...limit, actual_length: named.length } },
  });
  return z.NEVER;
});

/** `GET /availability/v2`: how works, editions or scans can be had (lookup.md 11.1). */
export const availability = operation({
  id: "availability",
  summary: "How works, editions or scans can be read or borrowed",
  tag: "lending",
  query: {
    type: availabilityType,
    ids: ids.pipe(z.array(z.string())).describe("Comma-separated OLIDs, or ids of scans"),
  },
  responses: availabilityResponses,
  handle: async ({ query: { type, ids: asked } }, context) =>
    availabilityReply(await availabilities(context, type, asked)),
});
