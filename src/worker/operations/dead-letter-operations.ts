import * as z from "zod";
import { formatDatetime } from "../../catalog/datetime.ts";
import {
  type ChosenLetters,
  countLetters,
  listLetters,
  readLetters,
  dropLetters,
} from "../../db/service/dead-letters.ts";
import { ADMIN_FORM, doneSchema } from "../admin/admin-form.ts";
import { operation } from "../http/operation.ts";
import { integer, lenientInteger } from "../http/parameters.ts";
import { type Jobs, QUEUE_NAMES } from "../http/queue.ts";
import { NO_STORE, json } from "../http/reply.ts";
import { chips } from "../ui/chip.ts";
import { adminPage, choice, choiceForm, dataTable, valueText } from "../ui/data-page.ts";
import { PAGE_TURNS, pageLinks } from "../ui/pager.ts";
import { asOfLine, details, paragraph } from "../ui/parts.ts";
import { command } from "../ui/command.ts";
import { byteSize, t } from "../ui/words.ts";
import { resendLetters } from "./dead-letters.ts";
import { failure } from "../http/failure.ts";
import { resource } from "../http/views.ts";

const LETTER_SHOWN_LENGTH = 2000;

const letterSchema = z.object({
  id: z.int(),
  queue: z.string(),
  body: z.string().describe(`JSON, truncated to ${LETTER_SHOWN_LENGTH} characters`),
  bytes: z.int().describe("Size of the whole body"),
  can_be_sent: z.boolean().describe("False for a body that was too long to be stored"),
  times: z.int().describe("Number of dead messages with this body"),
  first: z.string(),
  last: z.string(),
  sent_again: z.string().nullable().describe("Time of the automatic resend; null: only on request"),
});

const lettersSchema = z.object({
  counts: z.record(z.string(), z.int()),
  letters: z.array(letterSchema),
  next: z.int().nullable(),
});

const LETTERS_PATH = "/admin/dead-letters";
const LETTERS_SHOWN = 100;
const ACTIONS = { send: "letters.send", drop: "letters.drop" } as const;

export const deadLetters = resource({
  id: "deadLetters",
  summary: "List dead letters",
  tag: "operation",
  query: {
    queue: z.enum(QUEUE_NAMES).optional().describe("Name of one queue"),
    before: integer(z.int().positive()).optional().describe("`next` of the previous page"),
    limit: lenientInteger(LETTERS_SHOWN, { min: 1, max: LETTERS_SHOWN }),
  },
  responses: { 200: { description: "Dead letters, and their number by queue", schema: lettersSchema } },
  /** Two parallel statements. */
  async read({ query: { queue = null, before = null, limit } }, { stores }) {
    const page = { queue, before, limit: limit + 1, characters: LETTER_SHOWN_LENGTH };
    const [rows, counts] = await Promise.all([
      listLetters(stores.patrons, page),
      countLetters(stores.patrons),
    ]);
    const letters = rows.slice(0, limit).map(({ is_whole, first, last, due, ...letter }) =>
      Object.assign(letter, {
        can_be_sent: is_whole === 1,
        first: formatDatetime(first),
        last: formatDatetime(last),
        sent_again: due === null ? null : formatDatetime(due),
      }),
    );
    return { counts, letters, next: rows.length > limit ? (letters.at(-1)?.id ?? null) : null };
  },
  asJson: (letters) => json(letters, { cacheControl: NO_STORE }),
  page({ counts, letters, next }, _input, { now }) {
    const queues = Object.entries(counts).map(([queue, count]) => {
      return { href: `${LETTERS_PATH}?queue=${queue}`, text: queue, count };
    });
    const table = dataTable({
      caption: t("letters.title"),
      members: {
        id: ["imports.item", (id) => choice("ids", String(id), t("letters.choose", { id: String(id) }))],
        queue: "letters.queue",
        times: "letters.times",
        first: "letters.first",
        last: "letters.last",
        sent_again: ["letters.again", (time) => valueText(time) ?? t("letters.by_hand")],
        body: ["letters.body", (body, { bytes }) => details(byteSize(bytes), body)],
      },
      rows: letters,
      none: "letters.none",
    });
    const older = next === null ? undefined : `${LETTERS_PATH}?before=${next}`;
    const page = adminPage({
      title: t("letters.title"),
      parts: [
        asOfLine(formatDatetime(now)),
        letters.length === 0
          ? table
          : [
              paragraph(t("letters.lead")),
              chips(queues),
              choiceForm(LETTERS_PATH, { name: "action", values: ACTIONS, content: table }),
            ],
        pageLinks(undefined, older, PAGE_TURNS),
      ],
    });
    return { ...page, cacheControl: NO_STORE };
  },
});

const LETTERS_BODY_BYTES = 4096;
const LETTERS_AT_ONCE = 100;

export const dealWithDeadLetters = operation({
  id: "dealWithDeadLetters",
  summary: "Resend or delete dead letters",
  tag: "operation",
  json: z.strictObject({
    action: z.enum(["send", "drop"]),
    ids: z.array(z.int().positive()).min(1).max(LETTERS_AT_ONCE).optional(),
    queue: z
      .enum(QUEUE_NAMES)
      .optional()
      .describe(`Queue, to choose its first ${LETTERS_AT_ONCE} letters instead of ids`),
  }),
  bodyBytes: LETTERS_BODY_BYTES,
  inReadOnly: true,
  responses: {
    200: {
      description: "Result; letters that could not be sent are kept",
      schema: z.object({
        done: z.int().describe("Letters that were resent or deleted"),
        failed: z.int().describe("Letters that a queue rejected"),
        counts: z.record(z.string(), z.int()).describe("Letters left by queue"),
      }),
    },
    400: { description: "Neither ids nor a queue, or both" },
  },
  async handle({ json: { action, ids = null, queue = null } }, context) {
    if ((ids === null) === (queue === null)) throw failure("bad_data.ids_or_queue");
    const outcome = await applyAction(action, { ids, queue, limit: LETTERS_AT_ONCE }, context);
    return json(
      { ...outcome, counts: await countLetters(context.stores.patrons) },
      { cacheControl: NO_STORE },
    );
  },
});

async function applyAction(action: "send" | "drop", letters: ChosenLetters, jobs: Jobs) {
  const { patrons } = jobs.stores;
  if (action === "drop") return { done: await dropLetters(patrons, letters), failed: 0 };
  const sendable = await readLetters(patrons, letters);
  const done = await resendLetters(sendable, jobs);
  return { done, failed: sendable.length - done };
}

export const adminDeadLettersForm = command({
  ...ADMIN_FORM,
  id: "adminDeadLettersForm",
  summary: "Resend or delete dead letters (administrators' form)",
  form: {
    action: z.enum(["send", "drop"]),
    ids: z
      .array(z.string().regex(/^\d{1,15}$/))
      .max(LETTERS_AT_ONCE)
      .default([]),
  },
  responses: {
    200: { description: "Number of letters resent or deleted", schema: doneSchema },
    303: { description: "Redirect of browsers to the page" },
    400: { description: "No letters selected" },
  },
  submit({ form: { action, ids } }, context) {
    if (ids.length === 0) throw failure("bad_data.choose");
    return applyAction(action, { ids: ids.map(Number), queue: null, limit: LETTERS_AT_ONCE }, context);
  },
  done: {
    to: LETTERS_PATH,
    notice: ({ form }) => (form.action === "send" ? "letters.sent" : "letters.dropped"),
  },
});
