import { latestRecordOf } from "../../catalog/document.ts";
import {
  type ShortVersion,
  type VersionRow,
  readShortVersions,
  readVersions,
} from "../../db/history/versions.ts";
import { readRecord, viewOf, readRevisions } from "../../db/records/records.ts";
import { filterForm, filteredAddress, readFormFilter, writerTabs } from "../history/filter-form.ts";
import { listPageNumber } from "../http/parameters.ts";
import { type RequestContext, catalogReader } from "../http/operation.ts";
import { type Reply, NO_STORE, jsonp, plain, redirect, json } from "../http/reply.ts";
import { page } from "../ui/layout.ts";
import { type Markup, type Piece, addressOf, markup } from "../ui/markup.ts";
import { nameOf, kindName } from "../ui/names.ts";
import { pageLinks } from "../ui/pager.ts";
import { link, dots } from "../ui/parts.ts";
import { noRevisionPage } from "./read-page.ts";
import { type RecordParameters, addressWithout } from "./record-answer.ts";
import { table } from "../ui/table.ts";
import { editSummary } from "../ui/values.ts";
import { type Words, moment, number, t } from "../ui/words.ts";
import { compareMembers } from "../../catalog/compare.ts";
import { hasRole } from "../../catalog/roles.ts";
import type { RecordRow } from "../../db/records/record-rows.ts";
import { recordNotFound } from "../http/errors.ts";
import { changeTable } from "../ui/change-table.ts";

/** Rows of a history, or of a query of versions: default and maximum. */
export const HISTORY_LIMIT = { default: 20, max: 1000 };

export const HISTORY_OFFSET_MAX = 100_000;

/** Answers `<key>.json?m=history`: the record's revisions, newest first. */
export async function readRecordHistory(
  key: string,
  { limit, offset, author, callback, text }: RecordParameters,
  context: RequestContext,
): Promise<Reply> {
  const filter = author === undefined ? { key } : { key, author };
  // Q21: no rows if there is no record.
  const rows = await readVersions(catalogReader(context), filter, {
    limit: parseBounded(limit, HISTORY_LIMIT),
    offset: parseBounded(offset, { default: 0, max: HISTORY_OFFSET_MAX }),
    descending: true,
  });
  const body = JSON.stringify(rows.map(versionEntry));
  const more = { cacheControl: NO_STORE };
  return text === "true" ? plain(body, more) : jsonp(body, callback, more);
}

/** Converts a revision to a history row; `changes` and `data` are JSON in a string (Q2). */
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
    // Q18: a whole batch of a dump would be too much here.
    changes: changes ?? "null",
    data,
  };
}

function parseBounded(text: string | undefined, bounds: { default: number; max: number }): number {
  return text !== undefined && /^\d+$/.test(text) ? Math.min(Number(text), bounds.max) : bounds.default;
}

export async function historyPage(
  key: string,
  { page: pageText, author, kind, bot, begin, end }: RecordParameters,
  context: RequestContext,
): Promise<Reply> {
  const current = listPageNumber(pageText);
  const list = { path: key, parameters: { m: "history", author, kind, bot, begin, end } };
  const size = HISTORY_LIMIT.default;
  // One more than the page shows, to find out if there is another page.
  const slice = { limit: size + 1, offset: (current - 1) * size, descending: true };
  const reader = catalogReader(context);
  const filter = await readFormFilter(list.parameters, context);
  const [rows, record] = await Promise.all([
    readShortVersions(reader, { key, ...filter }, slice),
    readRecord(reader, key),
  ]);
  const name = nameOf({ key, ...(record !== undefined && latestRecordOf(record)) });
  const address = addressOf(key);
  const isFiltered = Object.values(filter).some((value) => value !== undefined);
  if (rows.length === 0 && !isFiltered) return redirect(303, address);
  const pageAddress = (target: number): string =>
    filteredAddress({ ...list, parameters: { ...list.parameters, page: String(target) } });
  const versions = rows.slice(0, size);
  const versionList =
    versions.length === 0 ? markup`<p>${t("history.none")}</p>` : versionTable(versions, address);
  return page({
    title: t("history.of_record", { record: name }),
    heading: t("history.of_record", { record: markup`<cite dir="auto">${name}</cite>` }),
    body: markup`<p>${link(address, t("history.record"))}</p>
${writerTabs(list)}${filterForm(list)}
${
  versions.length < 2
    ? versionList
    : markup`<form action="${address}"><input type="hidden" name="m" value="diff">
${versionList}<p><button class="primary">${t("diff.compare")}</button></p></form>`
}
${pageLinks(
  current > 1 ? pageAddress(current - 1) : undefined,
  rows.length > size ? pageAddress(current + 1) : undefined,
)}`,
  });
}

function choices(revision: number, index: number): Markup {
  const choice = (name: "a" | "b", label: Words, isChosen: boolean): Markup =>
    markup`<input type="radio" name="${name}" value="${revision}" aria-label="${t(label)} ${number(revision)}"${isChosen && markup` checked`}>`;
  return markup`<span class="line">${choice("a", "diff.earlier", index === 1)} ${choice("b", "diff.later", index === 0)}</span>`;
}

function versionTable(rows: readonly ShortVersion[], address: string): Markup {
  const isChoice = rows.length > 1;
  return table({
    caption: t("history.revisions"),
    columns: [
      t("history.revision"),
      ...(isChoice ? [t("diff.compare")] : []),
      t("history.when"),
      t("history.what"),
      t("history.user"),
      t("history.comment"),
      t("history.compare"),
    ],
    rows: rows.map((row, index) => {
      const { revision, author } = row;
      return [
        link(`${address}?v=${revision}`, number(revision)),
        ...(isChoice ? [choices(revision, index)] : []),
        moment(row.created),
        link(`/recentchanges/goto/${row.id}`, kindName(row.kind)),
        author === null ? "–" : link(addressOf(author), markup`<bdi>${author.replace("/people/", "")}</bdi>`),
        editSummary(row.comment),
        revision > 1 &&
          link(
            `${address}?m=diff&a=${revision - 1}&b=${revision}`,
            markup`${t("history.compare_before")}<span class="unseen">: ${number(revision)}</span>`,
          ),
      ];
    }),
  });
}

/** Answers `?m=diff&a=&b=`: compares two revisions, by default the latest and the one before it. */
export async function readDiff(
  { key, isPage }: { key: string; isPage: boolean },
  parameters: RecordParameters,
  context: RequestContext,
): Promise<Reply> {
  const [a, b] = [revisionNumber(parameters.a), revisionNumber(parameters.b)];
  // Q130: an invalid number leads to the two newest revisions.
  if (a === "none" || b === "none") return redirect(301, addressWithout(context.url, "a", "b"));
  const reader = catalogReader(context);
  const latest = b ? undefined : await readRecord(reader, key);
  const last = b || latest?.revision;
  const first = a ?? (last ?? 0) - 1;
  const rows =
    last === undefined
      ? []
      : await readRevisions(reader, [
          [key, first],
          [key, last],
        ]);
  const after = rows.find(({ revision }) => revision === last) ?? latest;
  const before = rows.find(({ revision }) => revision === first);
  // Nothing comes before the first revision.
  if (after === undefined || (before === undefined && a)) {
    if (!isPage) throw recordNotFound(key);
    const known = latest ?? rows[0] ?? (await readRecord(reader, key));
    const missing = after === undefined ? last : first;
    return known === undefined ? redirect(303, addressOf(key)) : noRevisionPage(known, missing);
  }
  if (isPage) return diffPage({ key, before, after }, context);
  const difference = { a: before === undefined ? null : viewOf(before), b: viewOf(after) };
  return json(difference, { cacheControl: NO_STORE, headers: { Vary: "Accept" } });
}

function revisionNumber(text: string | undefined): number | "none" | undefined {
  if (text === undefined || text === "") return undefined;
  return /^\d{1,9}$/.test(text) ? Number(text) : "none";
}

async function diffPage(
  { key, before, after }: { key: string; before: RecordRow | undefined; after: RecordRow },
  context: RequestContext,
): Promise<Reply> {
  const old = before === undefined ? {} : viewOf(before);
  const now = viewOf(after);
  const address = addressOf(key);
  const changes = compareMembers(old, now);
  const title = (record: Piece): Markup =>
    before === undefined
      ? t("diff.first_of", { later: after.revision, record })
      : t("diff.and", { earlier: before.revision, later: after.revision, record });
  const isLibrarian = hasRole(await context.actor(), "super-librarian");
  const heads = [
    before === undefined ? t("diff.first") : revisionHead(address, before),
    revisionHead(address, after),
  ] as const;
  return page({
    title: title(nameOf({ key, ...now })),
    heading: title(markup`<cite dir="auto">${nameOf({ key, ...now })}</cite>`),
    body: markup`<p>${dots([link(address, t("history.record")), link(`${address}?m=history`, t("history.link"))])}</p>
${compareForm(address, before?.revision, after)}
${changes.length === 0 ? markup`<p>${t("diff.same")}</p>` : changeTable(changes, ...heads)}
${before !== undefined && restoreOptions(address, before, isLibrarian)}`,
  });
}

function revisionHead(address: string, { revision, lastModified }: RecordRow): Markup {
  return markup`${link(`${address}?v=${revision}`, t("diff.revision", { revision }))} <span class="soft small">${moment(lastModified)}</span>`;
}

function compareForm(address: string, earlier: number | undefined, { revision, latest }: RecordRow): Markup {
  const input = (name: "a" | "b", label: Piece, value: number | undefined): Markup =>
    markup`<label for="revision-${name}">${label}</label> <input type="number" id="revision-${name}" name="${name}" min="1" max="${latest}" value="${value}" required> `;
  return markup`<form action="${address}" class="line"><input type="hidden" name="m" value="diff">
${input("a", t("diff.earlier"), earlier ?? 1)}${input("b", t("diff.later"), revision)}<button>${t("diff.compare")}</button></form>`;
}

function restoreOptions(address: string, { revision, type }: RecordRow, isLibrarian: boolean): Markup {
  const hasForm = /^\/type\/(?:author|edition|work)$/.test(type);
  const edit = hasForm && link(`${address}/edit?v=${revision}`, t("diff.back_to", { revision }));
  if (!isLibrarian) return markup`<p>${edit}</p>`;
  return markup`<p>${edit}</p>
<form method="post" action="${address}?m=revert" class="line"><input type="hidden" name="v" value="${revision}">
<button aria-describedby="revert-hint">${t("diff.revert", { revision })}</button> <span class="hint" id="revert-hint">${t("diff.undo_hint")}</span></form>`;
}
