import * as z from "zod";
import { formatDatetime } from "../../catalog/datetime.ts";
import {
  type ChosenLetters,
  type ShownLetter,
  countLetters,
  listLetters,
  readLetters,
  dropLetters,
} from "../../db/service/dead-letters.ts";
import { answerDone } from "../ui/action-answer.ts";
import { pageOrJson } from "../http/accept.ts";
import { ADMIN_FORM, doneSchema, adminPage } from "../admin/admin-page.ts";
import type { Stores } from "../http/bindings.ts";
import { type RequestContext, operation } from "../http/operation.ts";
import { integer, lenientInteger } from "../http/parameters.ts";
import { type Jobs, type QueueName, QUEUE_NAMES } from "../http/queue.ts";
import { type Reply, NO_STORE, json } from "../http/reply.ts";
import { resendLetters } from "./dead-letters.ts";
import { asOfLine } from "../admin/overview.ts";
import { chips } from "../ui/chip.ts";
import { type Markup, markup } from "../ui/markup.ts";
import { PAGE_TURNS, pageLinks } from "../ui/pager.ts";
import { table } from "../ui/table.ts";
import { byteSize, moment, number, t } from "../ui/words.ts";
import { failure } from "../http/failure.ts";

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
type LettersPage = z.infer<typeof lettersSchema>;

const ADMIN_PATH = "/admin/dead-letters";

function lettersPage({ counts, letters, next }: LettersPage, asOf: string): Reply {
  const queues = Object.entries(counts).map(([queue, count]) => ({
    href: `${ADMIN_PATH}?queue=${queue}`,
    text: queue,
    count,
  }));
  const body = markup`${asOfLine(asOf)}
${letters.length === 0 ? markup`<p>${t("letters.none")}</p>` : markup`<p>${t("letters.lead")}</p>${chips(queues)}${lettersForm(letters)}`}
${pageLinks(undefined, next === null ? undefined : `${ADMIN_PATH}?before=${next}`, PAGE_TURNS)}`;
  return adminPage({ title: t("letters.title"), body });
}

function lettersForm(letters: LettersPage["letters"]): Markup {
  return markup`<form method="post" action="${ADMIN_PATH}">${table({
    caption: t("letters.title"),
    columns: [
      t("imports.item"),
      t("letters.queue"),
      t("letters.times"),
      t("letters.first"),
      t("letters.last"),
      t("letters.again"),
      t("letters.body"),
    ],
    rows: letters.map((letter) => [
      markup`<input type="checkbox" name="ids" value="${letter.id}" aria-label="${t("letters.choose", { id: String(letter.id) })}">`,
      letter.queue,
      number(letter.times),
      moment(letter.first),
      moment(letter.last),
      letter.sent_again === null ? t("letters.by_hand") : moment(letter.sent_again),
      markup`<details><summary>${byteSize(letter.bytes)}</summary><pre dir="ltr">${letter.body}</pre></details>`,
    ]),
  })}
<p class="actions"><button name="action" value="send" class="primary">${t("letters.send")}</button>
<button name="action" value="drop">${t("letters.drop")}</button></p></form>`;
}

const LETTERS_SHOWN = 100;

export const deadLetters = operation({
  id: "deadLetters",
  summary: "List dead letters",
  tag: "operation",
  query: {
    queue: z.enum(QUEUE_NAMES).optional().describe("Name of one queue"),
    before: integer(z.int().positive()).optional().describe("`next` of the previous page"),
    limit: lenientInteger(LETTERS_SHOWN, { min: 1, max: LETTERS_SHOWN }),
  },
  responses: { 200: { description: "Dead letters, and their number by queue", schema: lettersSchema } },
  async handle({ query }, context) {
    const page = await readLettersPage(context, query);
    const reply = pageOrJson(context, page, (letters) => lettersPage(letters, formatDatetime(context.now)));
    return { ...reply, cacheControl: NO_STORE };
  },
});

/** Reads a page of letters. Two parallel statements. */
async function readLettersPage(
  { stores }: RequestContext,
  { queue, before, limit }: { queue?: QueueName | undefined; before?: number | undefined; limit: number },
): Promise<LettersPage> {
  const page = {
    queue: queue ?? null,
    before: before ?? null,
    limit: limit + 1,
    characters: LETTER_SHOWN_LENGTH,
  };
  const [rows, counts] = await Promise.all([listLetters(stores.patrons, page), countsOf(stores)]);
  const letters = rows.slice(0, limit);
  const next = rows.length > limit ? (letters.at(-1)?.id ?? null) : null;
  return { counts, letters: letters.map(toLetter), next };
}

async function countsOf({ patrons }: Stores): Promise<Record<string, number>> {
  return Object.fromEntries((await countLetters(patrons)).map(({ queue, letters }) => [queue, letters]));
}

function toLetter({ is_whole, first, last, due, ...letter }: ShownLetter): LettersPage["letters"][number] {
  return {
    ...letter,
    can_be_sent: is_whole === 1,
    first: formatDatetime(first),
    last: formatDatetime(last),
    sent_again: due === null ? null : formatDatetime(due),
  };
}

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
    return json({ ...outcome, counts: await countsOf(context.stores) }, { cacheControl: NO_STORE });
  },
});

async function applyAction(action: "send" | "drop", letters: ChosenLetters, jobs: Jobs) {
  const { patrons } = jobs.stores;
  if (action === "drop") return { done: await dropLetters(patrons, letters), failed: 0 };
  const sendable = await readLetters(patrons, letters);
  const done = await resendLetters(sendable, jobs);
  return { done, failed: sendable.length - done };
}

export const adminDeadLettersForm = operation({
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
  handle({ form: { action, ids: idTexts } }, context) {
    const ids = idTexts.map(Number);
    const words = action === "send" ? "letters.sent" : "letters.dropped";
    return answerDone(context, { to: ADMIN_PATH, words }, async () => {
      if (ids.length === 0) throw failure("bad_data.choose");
      return applyAction(action, { ids, queue: null, limit: LETTERS_AT_ONCE }, context);
    });
  },
});
