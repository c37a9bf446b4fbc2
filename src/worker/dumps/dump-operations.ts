import { DAY_SECONDS, DAY_MS } from "../../catalog/units.ts";
import * as z from "zod";
import { type DumpKind, DUMP_KINDS } from "../../catalog/dumps/dump-files.ts";
import { type DumpRow, listDumps } from "../../db/dumps/read-dumps.ts";
import type { Database } from "../../db/statement.ts";
import { operation } from "../http/operation.ts";
import type { Jobs } from "../http/queue.ts";
import { NO_STORE, json } from "../http/reply.ts";
import {
  DUMP_IDLE_MS,
  beginDelta,
  beginFull,
  dumpDayOf,
  queueDump,
  resumeDumps,
  startOf,
} from "./schedule.ts";
import { formatDatetime } from "../../catalog/datetime.ts";
import { ADMIN_FORM, doneSchema } from "../admin/admin-form.ts";
import { adminPage, choiceForm, dataTable } from "../ui/data-page.ts";
import { asOfLine, inEnglish, link, paragraph } from "../ui/parts.ts";
import { live, progress, refreshing } from "../ui/progress.ts";
import { command } from "../ui/command.ts";
import { number, t } from "../ui/words.ts";
import { stagesOf } from "./stages.ts";
import { failure } from "../http/failure.ts";
import { resource } from "../http/views.ts";

const dumpSchema = z.object({
  id: z.int(),
  kind: z.enum(DUMP_KINDS),
  date: z.string(),
  state: z.enum(["open", "published", "failed", "retired"]),
  stage: z.string().describe("Next step; `done` at the end"),
  step: z.int().describe("Completed steps"),
  after_change: z.int(),
  change: z.int(),
  begun: z.string(),
  updated: z.string(),
  published: z.string().nullable(),
  attempts: z.int().describe("Number of starts"),
  failures: z.int().describe("Failed attempts of the next step"),
  problem: z.string().nullable(),
});

const DUMP_BODY_BYTES = 1024;

export const beginDumpNow = operation({
  id: "beginDump",
  summary: "Start a full dump, or a dump of one day's revisions",
  tag: "operation",
  json: z
    .strictObject({
      kind: z.enum(DUMP_KINDS).default("full"),
      date: z.iso.date().optional().describe("Day of a delta, which must be over; default yesterday"),
    })
    .optional(),
  bodyBytes: DUMP_BODY_BYTES,
  responses: {
    200: {
      description: "New dump, or the resumed or finished one of the same day",
      schema: z.object({ is_new: z.boolean(), dump: dumpSchema }),
    },
    400: { description: "Date that is not over yet, or a date for a full dump" },
  },
  async handle({ json: body }, context) {
    const { dump, isNew } = await beginRequestedDump(body ?? {}, context);
    return json({ is_new: isNew, dump: toPublicDump(dump) }, { cacheControl: NO_STORE });
  },
});

/** Starts a dump, or resumes the one of that day. Throws 400 for a day that is not over, 503 on a conflict. */
async function beginRequestedDump(
  { kind = "full", date }: { kind?: DumpKind; date?: string | undefined },
  jobs: Jobs,
): Promise<{ dump: DumpRow; isNew: boolean }> {
  const [now, lastDay] = [jobs.sources.now(), dumpDayOf(jobs.sources.now() - DAY_MS)];
  if (kind === "full" && date !== undefined) throw failure("bad_data.full_dump_date");
  if (startOf(date ?? lastDay) + DAY_MS > now) throw failure("bad_data.day_open");
  const { dump, isNew } = kind === "full" ? await beginFull(jobs) : await beginDelta(date ?? lastDay, jobs);
  // The dump was deleted concurrently, or a dump of another day was started.
  if (dump === undefined) throw failure("unavailable.dump_busy");
  if (!isNew && dump.stage !== "done")
    await queueDump(jobs.stores.dumpJobs, { dump: dump.id, step: dump.step });
  return { dump, isNew };
}

const STALE_SECONDS_MAX = DAY_SECONDS;

export const resumeDumpsNow = operation({
  id: "resumeDumps",
  summary: "Resume stalled dumps",
  tag: "operation",
  json: z
    .strictObject({
      stale_seconds: z
        .number()
        .gte(0)
        .lte(STALE_SECONDS_MAX)
        .default(DUMP_IDLE_MS / 1000)
        .describe("Seconds without progress after which a dump counts as stalled; 0 after a crash"),
    })
    .optional(),
  bodyBytes: DUMP_BODY_BYTES,
  responses: { 200: { description: "Number of resumed dumps", schema: z.object({ resumed: z.int() }) } },
  async handle({ json: { stale_seconds: seconds = DUMP_IDLE_MS / 1000 } = {} }, context) {
    const resumed = await resumeDumps(context, seconds * 1000);
    return json({ resumed }, { cacheControl: NO_STORE });
  },
});

/** Maximum number of listed dumps: all stored ones, so that clients can wait for one of an old day, and some failed ones. */
const LISTED_DUMPS_MAX = 200;

const statesSchema = z.object({
  dumps: z.array(dumpSchema.extend({ lines: z.int().describe("Lines packed so far by an open dump") })),
});

export const dumpStates = operation({
  id: "dumpStates",
  summary: "Get the progress of dumps",
  tag: "operation",
  responses: {
    200: {
      description: `Newest ${LISTED_DUMPS_MAX} dumps`,
      schema: statesSchema,
    },
  },
  handle: async (_input, { stores }) => json(await readStates(stores.catalog), { cacheControl: NO_STORE }),
});

async function readStates(catalog: Database): Promise<z.infer<typeof statesSchema>> {
  const rows = await listDumps(catalog, LISTED_DUMPS_MAX);
  return { dumps: rows.map((row) => Object.assign(toPublicDump(row), { lines: row.lines })) };
}

function toPublicDump(row: DumpRow): z.infer<typeof dumpSchema> {
  return dumpSchema.parse({ ...row, change: row.change_id });
}

const DUMPS_PATH = "/admin/dumps";
const KINDS = { full: "dumps.full", delta: "dumps.delta" } as const;
const BUTTONS = { full: "dumps.begin_full", delta: "dumps.begin_delta" } as const;
const STATES = {
  open: "dumps.open",
  published: "dumps.published",
  failed: "dumps.failed",
  retired: "dumps.retired",
} as const;

export const adminDumps = resource({
  id: "adminDumps",
  summary: "Show the progress of dumps",
  tag: "administration",
  responses: { 200: { description: "JSON for programs, a page for people", schema: statesSchema } },
  read: (_input, { stores }) => readStates(stores.catalog),
  page({ dumps }, _input, { now }) {
    const isRunning = dumps.some(({ stage, state }) => state === "open" && stage !== "done");
    const table = dataTable({
      caption: t("data.title"),
      members: {
        date: "desk.day",
        kind: ["data.holds", (kind) => t(KINDS[kind])],
        state: [
          "desk.state",
          (state, dump) =>
            state === "open" ? progress({ label: t(STATES.open), ...stagesOf(dump) }) : t(STATES[state]),
        ],
        // The lines of a finished dump are listed with its files.
        lines: ["data.lines", (lines, { state }) => state === "open" && number(lines)],
        begun: "dumps.begun_at",
        updated: "dumps.updated",
        problem: ["dumps.problem", (problem) => problem && inEnglish(problem)],
      },
      rows: dumps,
      none: "data.none",
    });
    return adminPage({
      title: t("data.title"),
      parts: [
        choiceForm(DUMPS_PATH, { name: "kind", values: BUTTONS }),
        live("dumps", isRunning, [asOfLine(formatDatetime(now)), table]),
        paragraph(link("/data", t("dumps.files"))),
      ],
      head: refreshing(isRunning),
    });
  },
});

export const adminBeginDump = command({
  ...ADMIN_FORM,
  id: "adminBeginDump",
  summary: "Start a full dump, or a dump of yesterday",
  form: { kind: z.enum(DUMP_KINDS) },
  responses: {
    200: { description: "Dump started, or already running", schema: doneSchema },
    303: { description: "Redirect of browsers to the page" },
  },
  async submit({ form: { kind } }, context) {
    await beginRequestedDump({ kind }, context);
  },
  done: { to: DUMPS_PATH, notice: "dumps.begun" },
});
