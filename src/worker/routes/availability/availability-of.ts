import * as z from "zod";
import { availabilities } from "../../availability/available.ts";
import { operation } from "../../operation.ts";
import { availabilityReply, availabilityResponses, availabilityType, idList } from "./schemas.ts";

/** `POST /availability/v2`: the same with the ids in the body. */
export const availabilityOf = operation({
  id: "availabilityOf",
  summary: "How works, editions or scans can be read or borrowed, for many of them",
  tag: "lending",
  query: { type: availabilityType },
  json: z.object({ ids: idList }),
  inReadOnly: true,
  responses: availabilityResponses,
  handle: async ({ query: { type }, json: { ids } }, context) =>
    availabilityReply(await availabilities(context, type, ids)),
});
