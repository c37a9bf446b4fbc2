import type { ChangeRow } from "../../../db/changes/read-changes.ts";
import { changeEntry } from "../../history/change-entry.ts";
import { addressOf } from "../../pages/address.ts";
import { page } from "../../pages/layout.ts";
import { type Piece, markup } from "../../pages/markup.ts";
import { definitions, link, moment, table } from "../../pages/parts.ts";
import type { Reply } from "../../reply.ts";

/** One change as a page for people; `more` stands at its end. */
export function changePage(row: ChangeRow, more?: Piece): Reply {
  const { id, kind, comment, author, changes, data } = changeEntry(row);
  const known = Object.entries(data).map(([name, value]) => [name, JSON.stringify(value)] as const);
  return page({
    title: `Change ${id}: ${kind}`,
    body: markup`${definitions([
      ["When", moment(row.created)],
      ["What", kind],
      ["Who", author === null ? undefined : link(addressOf(author.key), author.key)],
      ["Comment", comment],
      ...known,
    ])}
${changes === null ? markup`<p>A load of records from a dump.</p>` : changedRecords(changes)}${more}`,
  });
}

function changedRecords(changes: readonly { readonly key: string; readonly revision: number }[]): Piece {
  return table({
    caption: "Changed records",
    columns: ["Record", "Revision", "What changed"],
    rows: changes.map(({ key, revision }) => {
      const address = addressOf(key);
      const compared = `${address}?m=diff&a=${revision - 1}&b=${revision}`;
      return [
        link(address, key),
        link(`${address}?v=${revision}`, revision),
        revision === 1 ? "created" : link(compared, markup`compare<span class="unseen"> ${key}</span>`),
      ];
    }),
  });
}
