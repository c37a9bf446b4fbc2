import { pageOrJson } from "../http/accept.ts";
import { operation } from "../http/operation.ts";
import { type Reply, NO_STORE } from "../http/reply.ts";
import { factList } from "../ui/facts.ts";
import { page } from "../ui/layout.ts";
import { type Markup, markup } from "../ui/markup.ts";
import { link } from "../ui/parts.ts";
import { numbersSchema } from "./schemas.ts";
import { type ImportNumbers, keptNumbers } from "./statistics.ts";
import { datesTable, importedTable } from "./tables.ts";
import { live, refreshing } from "../ui/progress.ts";
import { table } from "../ui/table.ts";
import { day, moment, number, say } from "../ui/words.ts";

function numbersPage(numbers: ImportNumbers, asOf: string): Reply {
  const body = markup`${numbersBody(numbers, { asOf, dayCell: day })}
<p>${link("/import/batch/new", say("imports.new"))}</p>`;
  return page({ title: say("imports.title"), body, head: refreshing(isRunning(numbers)) });
}

function remainingText({ pending, eta_hours: hours }: ImportNumbers): Markup | undefined {
  if (pending === 0) return undefined;
  if (hours === null) return say("imports.eta_unknown");
  return hours < 1
    ? say("imports.eta_minutes", { minutes: Math.ceil(hours * 60) })
    : say("imports.eta_hours", { hours });
}

/** Returns true if imports are waiting or running, so that the numbers will change. */
export function isRunning({ pending, processing }: Pick<ImportNumbers, "pending" | "processing">): boolean {
  return pending + processing > 0;
}

/** Renders the live numbers common to all pages about imports; `dayCell` renders the cell of a day. */
export function numbersBody(
  numbers: ImportNumbers,
  { asOf, dayCell }: { readonly asOf: string; readonly dayCell: (date: string) => Markup | string },
): Markup {
  const { pending, processing, imported_last_hour: lastHour, created_by_day: created } = numbers;
  const content = markup`<p class="soft">${say("desk.as_of", { time: moment(asOf) })}</p>
${factList([
  [say("imports.status_pending"), number(pending)],
  [say("imports.status_processing"), number(processing)],
  [say("imports.last_hour"), number(lastHour)],
  [say("imports.eta"), remainingText(numbers)],
])}
${datesTable(numbers.by_date, dayCell)}
${
  created.length > 0 &&
  table({
    caption: say("imports.created_days"),
    columns: [say("desk.day"), say("imports.editions")],
    rows: created.map(({ date, items }) => [day(date), number(items)]),
  })
}
${importedTable(say("imports.last"), numbers.last)}`;
  return live("numbers", isRunning(numbers), content);
}

/** `GET /imports[.json]`: progress of all imports, at most ten seconds old. */
export const importNumbersOperation = operation({
  id: "importNumbers",
  summary: "How imports are getting on",
  tag: "import",
  responses: { 200: { description: "JSON for programs, a page for people", schema: numbersSchema } },
  async handle(_input, context) {
    const { numbers, asOf } = await keptNumbers(context);
    const reply = pageOrJson(context, numbers, () => numbersPage(numbers, asOf));
    return { ...reply, cacheControl: NO_STORE };
  },
});
