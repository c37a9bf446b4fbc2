import * as z from "zod";
import { availabilities } from "../../availability/available.ts";
import { operation } from "../../operation.ts";
import { availabilityReply, availabilityResponses, availabilityType, idList } from "./schemas.ts";

const body = z
  .object({ ids: idList.optional(), ocaids: idList.optional() })
  .transform(({ ids, ocaids }, context) => {
    const named = ids ?? ocaids;
    if (named !== undefined) return named;
    const message = "Field required";
    context.issues.push({ code: "custom", path: ["ids"], input: {}, message, params: { type: "missing" } });
    return z.NEVER;
  });

/** `POST /availability`: the first form of the interface, which takes ids of scans as `ids` or `ocaids`. */
export const availabilityV1 = operation({
  id: "availabilityV1",
  summary: "How scans can be read or borrowed",
  tag: "lending",
  query: { type: availabilityType.default("identifier") },
  json: body,
  inReadOnly: true,
  responses: availabilityResponses,
  handle: async ({ query: { type }, json: ids }, context) =>
    availabilityReply(await availabilities(context, type, ids)),
});
