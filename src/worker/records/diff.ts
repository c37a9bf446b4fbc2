import { changedMembers } from "../../catalog/compare.ts";
import type { CatalogRecord } from "../../catalog/record.ts";
import { hasRole } from "../../catalog/roles.ts";
import { viewOf, readRecord, readRevisions } from "../../db/records/records.ts";
import type { RecordRow } from "../../db/records/record-rows.ts";
import { recordNotFound } from "../http/errors.ts";
import { type RequestContext, catalogReader } from "../http/operation.ts";
import { type Reply, NO_STORE, json, redirect } from "../http/reply.ts";
import { page } from "../ui/layout.ts";
import { type Markup, type Piece, addressOf, markup } from "../ui/markup.ts";
import { nameOf } from "../ui/names.ts";
import { dots, link } from "../ui/parts.ts";
import { moment, say } from "../ui/words.ts";
import { changeTable } from "../ui/change-table.ts";
import type { RecordParameters } from "./record-answer.ts";
import { addressWithout } from "./record-path.ts";

/** Answers `?m=diff&a=&b=`: compares two revisions, by default the latest and the one before it. */
export async function readDiff(
  { key, isPage }: { key: string; isPage: boolean },
  { a: first, b: last }: RecordParameters,
  context: RequestContext,
): Promise<Reply> {
  const [a, b] = [revisionNumber(first), revisionNumber(last)];
  // Q130: an invalid number leads to the two newest revisions.
  if (a === "none" || b === "none") return redirect(301, addressWithout(context.url, "a", "b"));
  const revisions = await readTwoRevisions(key, { a, b }, context);
  if (revisions === undefined) {
    if (isPage) return redirect(303, addressOf(key));
    throw recordNotFound(key);
  }
  const before = revisions.before === undefined ? null : viewOf(revisions.before);
  const after = viewOf(revisions.after);
  if (isPage) return diffPage({ ...revisions, key }, [before, after], context);
  return json({ a: before, b: after }, { cacheControl: NO_STORE, headers: { Vary: "Accept" } });
}

function revisionNumber(text: string | undefined): number | "none" | undefined {
  if (text === undefined || text === "") return undefined;
  return /^\d{1,9}$/.test(text) ? Number(text) : "none";
}

interface TwoRevisions {
  before: RecordRow | undefined;
  after: RecordRow;
}

/** Returns undefined if a requested revision is not stored. */
async function readTwoRevisions(
  key: string,
  { a, b }: Record<"a" | "b", number | undefined>,
  context: RequestContext,
): Promise<TwoRevisions | undefined> {
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

async function diffPage(
  { key, before, after }: TwoRevisions & { key: string },
  [old, now]: readonly [CatalogRecord | null, CatalogRecord],
  context: RequestContext,
): Promise<Reply> {
  const address = addressOf(key);
  const changes = changedMembers(old ?? {}, now);
  const title = (record: Piece): Markup =>
    before === undefined
      ? say("diff.first_of", { later: after.revision, record })
      : say("diff.and", { earlier: before.revision, later: after.revision, record });
  const isLibrarian = hasRole(await context.actor(), "super-librarian");
  const heads = [
    before === undefined ? say("diff.first") : revisionHead(address, before),
    revisionHead(address, after),
  ] as const;
  return page({
    title: title(nameOf({ key, ...now })),
    heading: title(markup`<cite dir="auto">${nameOf({ key, ...now })}</cite>`),
    body: markup`<p>${dots([link(address, say("history.record")), link(`${address}?m=history`, say("history.link"))])}</p>
${compareForm(address, before?.revision, after)}
${changes.length === 0 ? markup`<p>${say("diff.same")}</p>` : changeTable(changes, ...heads)}
${before !== undefined && restoreOptions(address, before, isLibrarian)}`,
  });
}

function revisionHead(address: string, { revision, lastModified }: RecordRow): Markup {
  return markup`${link(`${address}?v=${revision}`, say("diff.revision", { revision }))} <span class="soft small">${moment(lastModified)}</span>`;
}

function compareForm(address: string, earlier: number | undefined, { revision, latest }: RecordRow): Markup {
  const input = (name: "a" | "b", label: Piece, value: number | undefined): Markup =>
    markup`<label for="revision-${name}">${label}</label> <input type="number" id="revision-${name}" name="${name}" min="1" max="${latest}" value="${value}" required> `;
  return markup`<form action="${address}" class="line"><input type="hidden" name="m" value="diff">
${input("a", say("diff.earlier"), earlier ?? 1)}${input("b", say("diff.later"), revision)}<button>${say("diff.compare")}</button></form>`;
}

function restoreOptions(address: string, { revision, type }: RecordRow, isLibrarian: boolean): Markup {
  const hasForm = /^\/type\/(?:author|edition|work)$/.test(type);
  const edit = hasForm && link(`${address}/edit?v=${revision}`, say("diff.back_to", { revision }));
  if (!isLibrarian) return markup`<p>${edit}</p>`;
  return markup`<p>${edit}</p>
<form method="post" action="${address}?m=revert" class="line"><input type="hidden" name="v" value="${revision}">
<button aria-describedby="revert-hint">${say("diff.revert", { revision })}</button> <span class="hint" id="revert-hint">${say("diff.undo_hint")}</span></form>`;
}
