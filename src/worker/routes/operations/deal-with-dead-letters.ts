import * as z from "zod";
import { countLetters, dropLetters, readLetters } from "../../../db/dead-letters/letters.ts";
import { sendLetters } from "../../dead-letters/send-letters.ts";
import { badData } from "../../errors.ts";
import { operation } from "../../operation.ts";
import { QUEUE_NAMES } from "../../queue/queue-names.ts";
import { NO_STORE, json } from "../../reply.ts";

/** Largest body, in bytes, and letters that one call sends again or drops. */
export const LETTERS_BODY_BYTES = 4096;
export const LETTERS_AT_ONCE = 100;

/** `POST /system/dead-letters`: sends letters to their queues again, or drops them. */
export const dealWithDeadLetters = operation({
  id: "dealWithDeadLetters",
  summary: "Send messages again that could not be delivered, or drop them",
  tag: "operation",
  json: z.strictObject({
    action: z.enum(["send", "drop"]),
    ids: z.array(z.int().positive()).min(1).max(LETTERS_AT_ONCE).optional(),
    queue: z
      .enum(QUEUE_NAMES)
      .optional()
      .describe(`Instead of ids: the first ${LETTERS_AT_ONCE} letters of this queue`),
  }),
  bodyBytes: LETTERS_BODY_BYTES,
  inReadOnly: true,
  responses: {
    200: {
      description: "It was done. What could not be sent is still there",
      schema: z.object({
        done: z.int().describe("Letters that were sent, or dropped"),
        failed: z.int().describe("Letters that a queue did not take"),
        counts: z.record(z.string(), z.int()).describe("Letters that each queue has now"),
      }),
    },
    400: { description: "Neither ids nor a queue, or both" },
  },
  async handle({ json: { action, ids = null, queue = null } }, { stores, sources }) {
    if ((ids === null) === (queue === null)) throw badData("Name either ids or a queue.");
    const chosen = { ids, queue, limit: LETTERS_AT_ONCE };
    const letters = action === "send" ? await readLetters(stores.patrons, chosen) : [];
    const done =
      action === "send"
        ? await sendLetters(letters, { stores, sources })
        : await dropLetters(stores.patrons, chosen);
    const failed = action === "send" ? letters.length - done : 0;
    const counts = Object.fromEntries(
      (await countLetters(stores.patrons)).map((row) => [row.queue, row.letters]),
    );
    return json({ done, failed, counts }, { cacheControl: NO_STORE });
  },
});
