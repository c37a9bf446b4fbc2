import type { MemberChange } from "../../catalog/compare.ts";
import type { Json } from "../../catalog/record.ts";
import { type Markup, type Piece, markup } from "./markup.ts";
import { table } from "./table.ts";
import { say } from "./words.ts";

/** What differs between two states of a record, member by member. */
export function changeTable(changes: readonly MemberChange[], earlier: Piece, later: Piece): Markup {
  return table({
    caption: say("change.what"),
    columns: [say("change.member"), earlier, later],
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
