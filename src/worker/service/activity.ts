import * as z from "zod";
import { checkCounts } from "../patrons/activity/counts.ts";
import { resendActivity } from "../patrons/activity/projection.ts";
import { operation } from "../http/operation.ts";
import { NO_STORE, json } from "../http/reply.ts";
import { jsonBody } from "./json-body.ts";

/** Largest body, in bytes. */
const ACTIVITY_BODY_BYTES = 1024;

const body = z.discriminatedUnion("action", [
  z.strictObject({ action: z.literal("resend"), after: z.string().default("") }),
  z.strictObject({
    action: z.literal("recount"),
    part: z.enum(["works", "days"]),
    from: z.int().nonnegative().default(0),
    repair: z.boolean().default(false),
  }),
]);

const answer = z.object({
  after: z.string().optional().describe("The last patron that was asked"),
  patrons: z.int().optional().describe("Patrons that were asked"),
  wrong: z.array(z.int()).optional().describe("Works, or days since the epoch, whose counts were wrong"),
  next: z.int().nullable().optional().describe("Where the next part begins"),
  finished: z.boolean().describe("Whether this was the last part"),
});

/**
 * `POST /system/activity`: makes the projections of what patrons do anew, or compares counts with the rows that they count.
 * Both part by part: the caller goes on where the answer says, until it is finished.
 */
export const activityOperation = operation({
  id: "activity",
  summary: "Have patrons' objects send everything again, or check counts",
  tag: "operation",
  body: {
    contentType: "application/json",
    description:
      '`{"action": "resend", "after": ""}`, or `{"action": "recount", "part": "works", "from": 0, "repair": false}`; ' +
      "the other part is `days`",
  },
  responses: { 200: { description: "What was done", schema: answer } },
  async handle(_input, context) {
    const command = await jsonBody(context.request, body, {
      limit: ACTIVITY_BODY_BYTES,
      expected: "an action, resend or recount",
    });
    if (command.action === "resend") {
      return json(await resendActivity(context, command.after), { cacheControl: NO_STORE });
    }
    const { wrong, next } = await checkCounts(context.stores.patrons, command);
    return json({ wrong, next, finished: next === null }, { cacheControl: NO_STORE });
  },
});
