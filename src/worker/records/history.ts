import {
  type ShortVersion,
  type VersionRow,
  readShortVersions,
  readVersions,
} from "../../db/history/versions.ts";
import { listPage } from "../http/parameters.ts";
import { type RequestContext, catalogReader } from "../http/operation.ts";
import { type Reply, NO_STORE, jsonp, plain, redirect } from "../http/reply.ts";
import { page } from "../ui/layout.ts";
import { type Markup, addressOf, markup } from "../ui/markup.ts";
import { pageLinks } from "../ui/pager.ts";
import { link } from "../ui/parts.ts";
import type { RecordParameters } from "./record-answer.ts";
import { table } from "../ui/table.ts";
import { moment } from "../ui/words.ts";

/** Rows of a history, or of a query of versions: default and most. */
export const HISTORY_LIMIT = { default: 20, max: 1000 };

/** Highest offset into them. */
export const HISTORY_OFFSET_MAX = 100_000;

/** `GET <key>.json?m=history`: the record's revisions, newest first. */
export async function readHistory(
  key: string,
  { limit, offset, author, callback, text }: RecordParameters,
  context: RequestContext,
): Promise<Reply> {
  const bounds = {
    limit: bounded(limit, HISTORY_LIMIT),
    offset: bounded(offset, { default: 0, max: HISTORY_OFFSET_MAX }),
  };
  const filter = author === undefined ? { key } : { key, author };
  // Q21: no rows where there is no record.
  const rows = await readVersions(catalogReader(context), filter, {
    ...bounds,
    descending: true,
  });
  const body = JSON.stringify(rows.map(versionEntry));
  const more = { cacheControl: NO_STORE };
  return text === "true" ? plain(body, more) : jsonp(body, callback, more);
}

/** A revision as history rows show it; `changes` and `data` are JSON in a string (Q2). */
export function versionEntry(row: VersionRow) {
  const { key, revision, id, kind, comment, bot, created, author, changes, data } = row;
  return {
    key,
    revision,
    id,
    action: kind,
    comment,
    bot: bot === 1,
    created,
    author,
    // Q18: nobody wants a whole batch of a dump here.
    changes: changes ?? "null",
    data,
  };
}

function bounded(
  text: string | undefined,
  { default: fallback, max }: { default: number; max: number },
): number {
  return text !== undefined && /^\d+$/.test(text) ? Math.min(Number(text), max) : fallback;
}

/** `GET <key>?m=history` for people: 20 revisions a page. */
export async function historyPage(
  key: string,
  pageText: string | undefined,
  context: RequestContext,
): Promise<Reply> {
  const number = listPage(pageText);
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
