import { changedMembers } from "../../catalog/compare.ts";
import type { CatalogRecord } from "../../catalog/record.ts";
import { viewOf } from "../../db/records/by-key.ts";
import { readRecord, readRevisions } from "../../db/records/read.ts";
import type { RecordRow } from "../../db/records/rows.ts";
import { recordNotFound } from "../http/errors.ts";
import { type RequestContext, catalogReader } from "../http/operation.ts";
import { type Reply, NO_STORE, json, redirect } from "../http/reply.ts";
import { changeTable } from "../ui/change-table.ts";
import { page } from "../ui/layout.ts";
import { addressOf, markup } from "../ui/markup.ts";
import { link } from "../ui/parts.ts";
import type { RecordParameters } from "./record-answer.ts";
import { addressWithout } from "./record-path.ts";
import { moment } from "../ui/words.ts";

/** `GET <key>?m=diff&a=&b=`: two revisions, by default the latest and the one before it. */
export async function readDiff(
  { key, isPage }: { readonly key: string; readonly isPage: boolean },
  { a: first, b: last }: RecordParameters,
  context: RequestContext,
): Promise<Reply> {
  const [a, b] = [revisionNumber(first), revisionNumber(last)];
  // Q130: what is no number leads to the two newest.
  if (a === "none" || b === "none") return redirect(301, addressWithout(context.url, "a", "b"));
  const found = await readTwo(key, { a, b }, context);
  if (found === undefined) {
    if (isPage) return redirect(303, addressOf(key));
    throw recordNotFound(key);
  }
  const before = found.before === undefined ? null : viewOf(found.before);
  const after = viewOf(found.after);
  if (isPage) return diffPage({ ...found, key }, before, after);
  return json({ a: before, b: after }, { cacheControl: NO_STORE, headers: { Vary: "Accept" } });
}

function revisionNumber(text: string | undefined): number | "none" | undefined {
  if (text === undefined || text === "") return undefined;
  return /^\d{1,9}$/.test(text) ? Number(text) : "none";
}

interface Two {
  readonly before: RecordRow | undefined;
  readonly after: RecordRow;
}

/** Undefined when a revision that was asked for is not stored. Nothing comes before the first revision. */
async function readTwo(
  key: string,
  { a, b }: { readonly a: number | undefined; readonly b: number | undefined },
  context: RequestContext,
): Promise<Two | undefined> {
  const reader = catalogReader(context);
  const latest = b === undefined || b === 0 ? await readRecord(reader, key) : undefined;
  const last = b === undefined || b === 0 ? latest?.revision : b;
  if (last === undefined) return undefined;
  const first = a ?? last - 1;
  const rows = await readRevisions(reader, [
    [key, first],
    [key, last],
  ]);
  const after = rows.find(({ revision }) => revision === last) ?? latest;
  const before = rows.find(({ revision }) => revision === first);
  if (after === undefined || (before === undefined && a !== undefined && a !== 0)) return undefined;
  return { before, after };
}

function diffPage(
  { key, before, after }: Two & { readonly key: string },
  old: CatalogRecord | null,
  now: CatalogRecord,
): Reply {
  const address = addressOf(key);
  const changes = changedMembers(old ?? {}, now);
  const earlier = before === undefined ? "nothing" : `revision ${before.revision}`;
  return page({
    title: `${key}: ${earlier} and revision ${after.revision}`,
    body: markup`<p>${before !== undefined && markup`${link(`${address}?v=${before.revision}`, earlier)} of ${moment(before.lastModified)} and `}
${link(`${address}?v=${after.revision}`, `revision ${after.revision}`)} of ${moment(after.lastModified)}.
${link(`${address}?m=history`, "History")}</p>
${changes.length === 0 ? markup`<p>They are the same.</p>` : changeTable(changes, earlier, `revision ${after.revision}`)}`,
  });
}
