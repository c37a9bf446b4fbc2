import * as z from "zod";
import { datetimeText } from "../../../catalog/datetime.ts";
import { type ShownLetter, countLetters, listLetters } from "../../../db/dead-letters/letters.ts";
import { operation } from "../../operation.ts";
import { QUEUE_NAMES } from "../../queue/queue-names.ts";
import { NO_STORE, json } from "../../reply.ts";
import { integer, lenientInteger } from "../../validation/parameters.ts";

/** Letters of one answer, and characters of a body in it. */
export const LETTERS_SHOWN = 100;
export const LETTER_SHOWN_LENGTH = 2000;

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
    const [found, counts] = await Promise.all([
      listLetters(stores.patrons, page),
      countLetters(stores.patrons),
    ]);
    const letters = found.slice(0, limit);
    const next = found.length > limit ? (letters.at(-1)?.id ?? null) : null;
    const byQueue = Object.fromEntries(counts.map((row) => [row.queue, row.letters]));
    return json({ counts: byQueue, letters: letters.map(shown), next }, { cacheControl: NO_STORE });
  },
});

function shown({ is_whole, first, last, due, ...letter }: ShownLetter): z.infer<typeof letterSchema> {
  return {
    ...letter,
    can_be_sent: is_whole === 1,
    first: datetimeText(first),
    last: datetimeText(last),
    sent_again: due === null ? null : datetimeText(due),
  };
}
