import * as z from "zod";
import { DUMP_KINDS } from "../../catalog/dumps/dump-files.ts";
import { datetimeText } from "../../catalog/datetime.ts";
import { answerDone, pageOrJson } from "../accounts/account-page.ts";
import { ADMIN_FORM, adminPage, doneSchema } from "../admin/admin-page.ts";
import { asOfLine } from "../admin/overview.ts";
import { operation } from "../http/operation.ts";
import type { Reply } from "../http/reply.ts";
import { markup } from "../ui/markup.ts";
import { link } from "../ui/parts.ts";
import { live, progress, refreshing } from "../ui/progress.ts";
import { table } from "../ui/table.ts";
import { type Words, day, moment, number, say } from "../ui/words.ts";
import { stagesOf } from "./stages.ts";
import { beginWish, readStates, statesSchema } from "./system-dumps.ts";

const PATH = "/admin/dumps";

type DumpStates = z.infer<typeof statesSchema>;
type ShownDump = DumpStates["dumps"][number];

/** `GET /admin/dumps[.json]`: how dumps stand, and the buttons that begin one. */
export const adminDumps = operation({
  id: "adminDumps",
  summary: "How dumps stand",
  tag: "administration",
  responses: { 200: { description: "JSON for programs, a page for people", schema: statesSchema } },
  handle: async (_input, context) =>
    pageOrJson(context, await readStates(context.stores.catalog), ({ dumps }) =>
      dumpsPage(dumps, datetimeText(context.now)),
    ),
});

/** `POST /admin/dumps`: begins a dump, or goes on with it where it is begun. */
export const adminBeginDump = operation({
  ...ADMIN_FORM,
  id: "adminBeginDump",
  summary: "Begin a dump of everything, or of yesterday",
  form: { kind: z.enum(DUMP_KINDS) },
  responses: {
    200: { description: "It has begun, or had before", schema: doneSchema },
    303: { description: "For people: back to the page" },
  },
  handle: ({ form: { kind } }, context) =>
    answerDone(context, { to: PATH, words: "dumps.begun" }, async () => {
      await beginWish({ kind }, context);
    }),
});

const KINDS: Readonly<Record<ShownDump["kind"], Words>> = { full: "dumps.full", delta: "dumps.delta" };
const STATES: Readonly<Record<ShownDump["state"], Words>> = {
  open: "dumps.open",
  published: "dumps.published",
  failed: "dumps.failed",
  retired: "dumps.retired",
};

function dumpsPage(dumps: readonly ShownDump[], asOf: string): Reply {
  const isRunning = dumps.some(({ stage, state }) => state === "open" && stage !== "done");
  const shown = [
    asOfLine(asOf),
    dumps.length === 0
      ? markup`<p>${say("data.none")}</p>`
      : table({
          caption: say("data.title"),
          columns: [
            say("desk.day"),
            say("data.holds"),
            say("desk.state"),
            say("data.lines"),
            say("dumps.begun_at"),
            say("dumps.updated"),
            say("dumps.problem"),
          ],
          rows: dumps.map((dump) => [
            day(dump.date),
            say(KINDS[dump.kind]),
            dump.state === "open"
              ? progress({ label: say(STATES.open), ...stagesOf(dump) })
              : say(STATES[dump.state]),
            // Of a dump that is done its files tell.
            dump.state === "open" && number(dump.lines),
            moment(dump.begun),
            moment(dump.updated),
            dump.problem !== null && markup`<span lang="en">${dump.problem}</span>`,
          ]),
        }),
  ];
  const buttons = DUMP_KINDS.map(
    (kind) => markup`<button name="kind" value="${kind}">${say(BUTTONS[kind])}</button>`,
  );
  const body = markup`<form class="line" method="post" action="${PATH}">${buttons}</form>
${live("dumps", isRunning, shown)}
<p>${link("/data", say("dumps.files"))}</p>`;
  return adminPage({ title: say("data.title"), body, head: refreshing(isRunning) });
}

const BUTTONS: Readonly<Record<ShownDump["kind"], Words>> = {
  full: "dumps.begin_full",
  delta: "dumps.begin_delta",
};
