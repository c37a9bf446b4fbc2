import * as z from "zod";
import { adminPage } from "../admin/admin-page.ts";
import { asOfLine } from "../admin/overview.ts";
import type { Reply } from "../http/reply.ts";
import { chips } from "../ui/chip.ts";
import { type Markup, markup } from "../ui/markup.ts";
import { PAGE_TURNS, pageLinks } from "../ui/pager.ts";
import { table } from "../ui/table.ts";
import { moment, number, say } from "../ui/words.ts";

/** Characters of a body that are shown. */
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

/** A page of letters, and how many each queue has. */
export const lettersSchema = z.object({
  counts: z.record(z.string(), z.int()),
  letters: z.array(letterSchema),
  next: z.int().nullable(),
});
export type ShownLetters = z.infer<typeof lettersSchema>;

/** Where administrators look after letters. */
const PATH = "/admin/dead-letters";

/** Messages that could not be delivered, with what can be done about them. `asOf` is naive UTC. */
export function lettersPage({ counts, letters, next }: ShownLetters, asOf: string): Reply {
  const queues = Object.entries(counts).map(([queue, count]) => ({
    href: `${PATH}?queue=${queue}`,
    text: queue,
    count,
  }));
  const body = markup`${asOfLine(asOf)}
${letters.length === 0 ? markup`<p>${say("letters.none")}</p>` : markup`<p>${say("letters.lead")}</p>${chips(queues)}${lettersForm(letters)}`}
${pageLinks(undefined, next === null ? undefined : `${PATH}?before=${next}`, PAGE_TURNS)}`;
  return adminPage({ title: say("letters.title"), body });
}

function lettersForm(letters: ShownLetters["letters"]): Markup {
  return markup`<form method="post" action="${PATH}">${table({
    caption: say("letters.title"),
    columns: [
      say("imports.item"),
      say("letters.queue"),
      say("letters.times"),
      say("letters.first"),
      say("letters.last"),
      say("letters.again"),
      say("letters.body"),
    ],
    rows: letters.map((letter) => [
      markup`<input type="checkbox" name="ids" value="${letter.id}" aria-label="${say("letters.choose", { id: String(letter.id) })}">`,
      letter.queue,
      number(letter.times),
      moment(letter.first),
      moment(letter.last),
      letter.sent_again === null ? say("letters.by_hand") : moment(letter.sent_again),
      markup`<details><summary>${number(letter.bytes)} B</summary><pre dir="ltr">${letter.body}</pre></details>`,
    ]),
  })}
<p class="actions"><button name="action" value="send" class="primary">${say("letters.send")}</button>
<button name="action" value="drop">${say("letters.drop")}</button></p></form>`;
}
