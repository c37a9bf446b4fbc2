import * as z from "zod";
import { datetimeText } from "../../catalog/datetime.ts";
import {
  type ChosenLetters,
  type ShownLetter,
  countLetters,
  listLetters,
  readLetters,
  dropLetters,
} from "../../db/service/dead-letters.ts";
import { answerDone, pageOrJson } from "../accounts/account-page.ts";
import { ADMIN_FORM, doneSchema } from "../admin/admin-page.ts";
import type { Stores } from "../http/bindings.ts";
import { badData } from "../http/errors.ts";
import { type RequestContext, operation } from "../http/operation.ts";
import { integer, lenientInteger } from "../http/parameters.ts";
import { type Jobs, type QueueName, QUEUE_NAMES } from "../http/queue.ts";
import { NO_STORE, json } from "../http/reply.ts";
import { sendLetters } from "./dead-letters.ts";
import { type ShownLetters, LETTER_SHOWN_LENGTH, lettersPage, lettersSchema } from "./letters-table.ts";

/** Letters of one answer. */
const LETTERS_SHOWN = 100;

/** `GET /system/dead-letters[.json]`, `/admin/dead-letters[.json]`: messages that could not be delivered, the last ones first. */
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
      schema: lettersSchema,
    },
  },
  async handle({ query }, context) {
    const found = await lettersOf(context, query);
    const reply = pageOrJson(context, found, (letters) => lettersPage(letters, datetimeText(context.now)));
    return { ...reply, cacheControl: NO_STORE };
  },
});

interface Wanted {
  readonly queue?: QueueName | undefined;
  readonly before?: number | undefined;
  readonly limit: number;
}

/** A page of letters. Two statements, side by side. */
async function lettersOf(
  { stores }: RequestContext,
  { queue, before, limit }: Wanted,
): Promise<ShownLetters> {
  const page = {
    queue: queue ?? null,
    before: before ?? null,
    limit: limit + 1,
    characters: LETTER_SHOWN_LENGTH,
  };
  const [found, counts] = await Promise.all([listLetters(stores.patrons, page), countsOf(stores)]);
  const letters = found.slice(0, limit);
  const next = found.length > limit ? (letters.at(-1)?.id ?? null) : null;
  return { counts, letters: letters.map(shown), next };
}

async function countsOf({ patrons }: Stores): Promise<Record<string, number>> {
  return Object.fromEntries((await countLetters(patrons)).map(({ queue, letters }) => [queue, letters]));
}

function shown({ is_whole, first, last, due, ...letter }: ShownLetter): ShownLetters["letters"][number] {
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
    const outcome = action === "send" ? await send(chosen, { stores, sources }) : await drop(chosen, stores);
    return json({ ...outcome, counts: await countsOf(stores) }, { cacheControl: NO_STORE });
  },
});

async function send(chosen: ChosenLetters, jobs: Pick<Jobs, "stores" | "sources">) {
  const letters = await readLetters(jobs.stores.patrons, chosen);
  const done = await sendLetters(letters, jobs);
  return { done, failed: letters.length - done };
}

async function drop(chosen: ChosenLetters, { patrons }: Stores) {
  return { done: await dropLetters(patrons, chosen), failed: 0 };
}

/** `POST /admin/dead-letters`: the same for administrators, by the form of their page. */
export const adminDeadLettersForm = operation({
  ...ADMIN_FORM,
  id: "adminDeadLettersForm",
  summary: "Send messages again that could not be delivered, or drop them: the form of administrators",
  form: {
    action: z.enum(["send", "drop"]),
    ids: z
      .array(z.string().regex(/^\d{1,15}$/))
      .max(LETTERS_AT_ONCE)
      .default([]),
  },
  responses: {
    200: { description: "Done", schema: doneSchema },
    303: { description: "For people: back to the page" },
    400: { description: "None is chosen" },
  },
  handle({ form: { action, ids: given } }, context) {
    const { stores, sources } = context;
    const ids = given.map(Number);
    const words = action === "send" ? "letters.sent" : "letters.dropped";
    return answerDone(context, { to: "/admin/dead-letters", words }, async () => {
      if (ids.length === 0) throw badData("No message is chosen.");
      const chosen = { ids, queue: null, limit: LETTERS_AT_ONCE };
      return action === "send" ? send(chosen, { stores, sources }) : drop(chosen, stores);
    });
  },
});
