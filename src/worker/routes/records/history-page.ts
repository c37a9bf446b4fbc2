import { type ShortVersion, readShortVersions } from "../../../db/records/read-history.ts";
import { type RequestContext, catalogReader } from "../../context.ts";
import { addressOf } from "../../pages/address.ts";
import { page } from "../../pages/layout.ts";
import { type Markup, markup } from "../../pages/markup.ts";
import { link, moment, pageLinks, table } from "../../pages/parts.ts";
import { type Reply, redirect } from "../../reply.ts";
import { pageNumber } from "../recentchanges/changes-page.ts";
import { HISTORY_LIMIT } from "./history.ts";

/** `GET <key>?m=history` for people: 20 revisions a page (records.md 2.7). */
export async function historyPage(
  key: string,
  pageText: string | undefined,
  context: RequestContext,
): Promise<Reply> {
  const number = pageNumber(pageText);
  const size = HISTORY_LIMIT.default;
  // One more than is shown tells whether there is another page.
  const slice = { limit: size + 1, offset: (number - 1) * size, descending: true };
  const rows = await readShortVersions(catalogReader(context), { key }, slice);
  const address = addressOf(key);
  if (rows.length === 0) return redirect(303, address);
  const pageAddress = (one: number): string => `${address}?m=history&page=${one}`;
  return page({
    title: `History of ${key}`,
    body: markup`<p>${link(address, "The record")}</p>
${versionTable(rows.slice(0, size), address)}
${pageLinks(
  number > 1 ? pageAddress(number - 1) : undefined,
  rows.length > size ? pageAddress(number + 1) : undefined,
)}`,
  });
}

function versionTable(rows: readonly ShortVersion[], address: string): Markup {
  return table({
    caption: "Revisions, newest first",
    columns: ["Revision", "When", "What", "Who", "Comment", "Compare"],
    rows: rows.map((row) => {
      const { revision, author } = row;
      return [
        link(`${address}?v=${revision}`, revision),
        moment(row.created),
        link(`/recentchanges/goto/${row.id}`, row.kind),
        author === null ? "–" : link(addressOf(author), author.replace("/people/", "")),
        row.comment,
        revision > 1 &&
          link(
            `${address}?m=diff&a=${revision - 1}&b=${revision}`,
            markup`with the one before<span class="unseen"> revision ${revision}</span>`,
          ),
      ];
    }),
  });
}
