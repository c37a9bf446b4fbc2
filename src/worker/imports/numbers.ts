import { pageOrJson } from "../accounts/account-page.ts";
import { operation } from "../http/operation.ts";
import { type Reply, NO_STORE } from "../http/reply.ts";
import { factList } from "../ui/facts.ts";
import { page } from "../ui/layout.ts";
import { type Markup, markup } from "../ui/markup.ts";
import { link } from "../ui/parts.ts";
import { numbersSchema } from "./schemas.ts";
import { type ImportNumbers, keptNumbers } from "./statistics.ts";
import { datesTable, importedTable } from "./tables.ts";
import { table } from "../ui/table.ts";

function numbersPage(numbers: ImportNumbers): Reply {
  const body = markup`${numbersBody(numbers, (date) => date)}
<p>${link("/import/batch/new", "Import records")}</p>`;
  return page({ title: "Imports", body });
}

function remainingText(hours: number | null): string {
  if (hours === null) return "unknown";
  return hours < 1 ? `${Math.ceil(hours * 60)} minutes` : `${hours} hours`;
}

/** What all pages about imports show of the numbers; `day` makes the cell of a day. */
export function numbersBody(numbers: ImportNumbers, day: (date: string) => Markup | string): Markup {
  const { pending, processing, imported_last_hour: lastHour, eta_hours: hours } = numbers;
  return markup`${factList([
    ["Pending", pending],
    ["Being imported", processing],
    ["Imported in the last hour", lastHour],
    ["Everything is done in", pending === 0 ? "" : remainingText(hours)],
  ])}
${datesTable(numbers.by_date, day)}
${
  numbers.created_by_day.length > 0 &&
  table({
    caption: "New editions by day",
    columns: ["Day", "Editions"],
    rows: numbers.created_by_day.map(({ date, items }) => [date, items]),
  })
}
${importedTable("Imported last", numbers.last)}`;
}

/** `GET /imports[.json]`: how imports are getting on, as of some minutes ago. */
export const importNumbersOperation = operation({
  id: "importNumbers",
  summary: "How imports are getting on",
  tag: "import",
  responses: { 200: { description: "JSON for programs, a page for people", schema: numbersSchema } },
  async handle(_input, context) {
    const reply = pageOrJson(context, await keptNumbers(context), numbersPage);
    return { ...reply, cacheControl: NO_STORE };
  },
});
