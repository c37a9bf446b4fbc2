import * as z from "zod";
import { datetimeText } from "../../catalog/datetime.ts";
import { type ShownLetter, countLetters, listLetters, readLetters } from "../../db/service/read-letters.ts";
import { dropLetters } from "../../db/service/write-letters.ts";
import type { Stores } from "../http/bindings.ts";
import { badData } from "../http/errors.ts";
import { operation } from "../http/operation.ts";
import { integer, lenientInteger } from "../http/parameters.ts";
import { QUEUE_NAMES } from "../http/queue.ts";
import { NO_STORE, json } from "../http/reply.ts";
import { sendLetters } from "./dead-letters.ts";

/** Letters of one answer, and characters of a body in it. */
const LETTERS_SHOWN = 100;
const LETTER_SHOWN_LENGTH = 2000;

const letterSchema = z.object({
  id: z.int(),
  queue: z.string(),
  body: z.string().describe(`JSON, its first ${LETTER_SHOWN_LENGTH} characters`),
  bytes: z.int().describe("Of the whole body"),
  can_be_sent: z.boolean().describe("False for a body that was too long to be kept"),
  times: z.int().describe("Messages with this body that were given up"),
  first: z.string(),
  last: z.string(),
  sent_again: z.string().nullable().describe("When that happens by itself; null: only when you say so"),
});

/** `GET /system/dead-letters.json`: messages that could not be delivered, the last ones first. */
export const deadLetters = operation({
  id: "deadLetters",
  summary: "Messages that queues could not deliver",
  tag: "operation",
  query: {
    queue: z.enum(QUEUE_NAMES).optional().describe("Of this queue alone"),
    before: integer(z.int().positive()).optional().describe("Go on: `next` of the answer before"),
    limit: lenientInteger(LETTERS_SHOWN, { min: 1, max: LETTERS_SHOWN }),
  },
  responses: {
    200: {
      description: "Letters, and how many each queue has",
      schema: z.object({
        counts: z.record(z.string(), z.int()),
        letters: z.array(letterSchema),
        next: z.int().nullable(),
      }),
    },
  },
  async handle({ query: { queue = null, before = null, limit } }, { stores }) {
    const page = { queue, before, limit: limit + 1, characters: LETTER_SHOWN_LENGTH };
    const [found, counts] = await Promise.all([listLetters(stores.patrons, page), countsOf(stores)]);
    const letters = found.slice(0, limit);
    const next = found.length > limit ? (letters.at(-1)?.id ?? null) : null;
    return json({ counts, letters: letters.map(shown), next }, { cacheControl: NO_STORE });
  },
});

async function countsOf({ patrons }: Stores): Promise<Record<string, number>> {
  return Object.fromEntries((await countLetters(patrons)).map(({ queue, letters }) => [queue, letters]));
}

function shown({ is_whole, first, last, due, ...letter }: ShownLetter): z.infer<typeof letterSchema> {
  return {
    ...letter,
    can_be_sent: is_whole === 1,
    first: datetimeText(first),
    last: datetimeText(last),
    sent_again: due === null ? null : datetimeText(due),
  };
}

/** Largest body, in bytes, and letters that one call sends again or drops. */
const LETTERS_BODY_BYTES = 4096;
const LETTERS_AT_ONCE = 100;

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
    return json({ done, failed, counts: await countsOf(stores) }, { cacheControl: NO_STORE });
  },
});
