import type { MemberChange } from "../../catalog/compare.ts";
import type { Json } from "../../catalog/record.ts";
import { type Markup, markup } from "./markup.ts";
import { table } from "./table.ts";

/** What differs between two states of a record, member by member. */
export function changeTable(changes: readonly MemberChange[], earlier: string, later: string): Markup {
  return table({
    caption: "What differs",
    columns: ["Member", `In ${earlier}`, `In ${later}`],
    rows: changes.map(({ name, before, after }) => [
      name,
      before === undefined ? "–" : markup`<del><pre>${shown(before)}</pre></del>`,
      after === undefined ? "–" : markup`<ins><pre>${shown(after)}</pre></ins>`,
    ]),
  });
}

function shown(value: Json): string {
  return typeof value === "string" ? value : JSON.stringify(value, null, 2);
}
