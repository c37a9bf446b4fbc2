import * as z from "zod";
import { renderYaml } from "../../catalog/yaml.ts";
import { type ShortChange, type ChangeRow, readChanges, readShortChanges } from "../../db/history/changes.ts";
import { readNames } from "../../db/records/titles.ts";
import { wantsHtml } from "../http/accept.ts";
import { recordNotFound } from "../http/errors.ts";
import {
  type AnyOperation,
  type Parameters,
  type RequestContext,
  catalogReader,
  operation,
} from "../http/operation.ts";
import { type Reply, NO_STORE, jsonText, jsonp, plain, json, redirect } from "../http/reply.ts";
import { feedLinks } from "../ui/collection-head.ts";
import { page } from "../ui/layout.ts";
import { type Markup, type Piece, addressOf, markup } from "../ui/markup.ts";
import { namedLink, kindName } from "../ui/names.ts";
import { pageLinks } from "../ui/pager.ts";
import { commas, link } from "../ui/parts.ts";
import { changeAddress, changeEntry, revisionSchema } from "./change-entry.ts";
import { type FilteredList, authorKey, filterForm, filteredAddress, writerTabs } from "./filter-form.ts";
import {
  type ListParameters,
  type ListPath,
  type Suffix,
  parseDays,
  intersectPeriods,
  listParameters,
  parseChangePath,
  readChangesFilter,
  splitSuffix,
} from "./change-query.ts";
import { LIST_PAGES_MAX, listPageNumber } from "../http/parameters.ts";
import { table } from "../ui/table.ts";
import { moment, number, t } from "../ui/words.ts";
import { hasRole } from "../../catalog/roles.ts";
import { factList } from "../ui/facts.ts";

const PAGE_CHANGES = 50;

/** Kinds that pages hide unless they are selected. */
export const HIDDEN_KINDS = ["new-account"];

const change = z
  .object({
    id: z.string().describe("Number of the change"),
    kind: z.string(),
    timestamp: z.string().describe("Naive UTC time"),
    comment: z.string().nullable(),
    changes: z
      .array(revisionSchema)
      .nullable()
      .describe("Records in the order of saving; null for a bulk load"),
    author: z.object({ key: z.string() }).nullable(),
    ip: z.null(),
    data: z.record(z.string(), z.unknown()),
  })
  .meta({ id: "Change" });

export const recentChanges = listOperation("recentChanges", "List recent changes, newest first", {});
export const recentChangesBy = listOperation("recentChangesBy", "List changes of one kind or one year", {
  kind_or_year: z.string().describe("Kind such as `edit-book`, or four-digit year"),
});
export const recentChangesOfDay = listOperation("recentChangesOfDay", "List changes of one kind on one day", {
  year: z.string().describe("Four-digit year"),
  month: z.string().describe("Two-digit month"),
  day: z.string().describe("Two-digit day"),
  kind: z.string().describe("Kind of the change"),
});
/** All other paths: changes of a month, of a day, or of a kind in a year, and single changes by id. */
export const recentChangesRest = listOperation(
  "recentChangesRest",
  "List changes of a period, or get one change",
  {
    rest: z.string().describe("`yyyy[/mm[/dd]][/kind]`, or `yyyy/mm/dd/kind/id`"),
  },
);

function listOperation(id: string, summary: string, path: Parameters): AnyOperation {
  return operation({
    id,
    summary,
    tag: "history",
    path,
    query: listParameters,
    responses: {
      200: {
        description: "List of changes, or the change that the path names",
        schema: z.union([z.array(change), change]),
        also: ["text/html", "text/plain", "text/x-yaml"],
      },
      301: { description: "Redirect of browsers to the canonical address of a change" },
      404: { description: "Invalid date, or change not found" },
    },
    handle({ query: parameters }, context) {
      const { path: pathname, suffix } = splitSuffix(context.url.pathname);
      const selection = parseChangePath(pathname);
      if (selection === undefined) throw recordNotFound(pathname);
      // Q134: the suffix takes precedence over `Accept`.
      const isPage = suffix === "" && wantsHtml(context.request);
      if (selection.kind === "change") {
        return replyWithChange(selection.id, { path: pathname, suffix, isPage }, context);
      }
      const list = { selection, path: pathname, parameters };
      return isPage ? renderChanges(list, context) : replyWithChanges(list, suffix, context);
    },
  });
}

interface ChangeList {
  /** Path without suffix, and the changes that it selects. */
  path: string;
  selection: ListPath;
  parameters: ListParameters;
}

async function replyWithChanges(
  { selection, parameters }: ChangeList,
  suffix: Suffix,
  context: RequestContext,
): Promise<Reply> {
  const { filter, window } = await readChangesFilter(selection, parameters, context);
  const rows = filter === undefined ? [] : await readChanges(catalogReader(context), filter, window);
  const entries = rows.map((row) => changeEntry(row));
  const more = { cacheControl: NO_STORE, headers: { Vary: "Accept" } };
  const isText = parameters.text === "true";
  if (suffix === ".yml") {
    const contentType = isText ? "text/plain; charset=utf-8" : "text/x-yaml; charset=utf-8";
    return jsonText(renderYaml(entries), { ...more, contentType });
  }
  const body = JSON.stringify(entries);
  return isText ? plain(body, more) : jsonp(body, parameters.callback, more);
}

async function renderChanges(list: ChangeList, context: RequestContext): Promise<Reply> {
  const { path, parameters } = list;
  const filters = { ...parameters, author: authorKey(parameters) };
  const { filter } = await readChangesFilter(withFormFilters(list), filters, context);
  const current = listPageNumber(parameters.page);
  // One more than the page shows, to find out if there is another page.
  const window = { limit: PAGE_CHANGES + 1, offset: (current - 1) * PAGE_CHANGES };
  const visible = { ...filter, notKinds: filter?.kinds === undefined ? HIDDEN_KINDS : undefined };
  const rows = filter === undefined ? [] : await readShortChanges(catalogReader(context), visible, window);
  const changes = rows.slice(0, PAGE_CHANGES);
  const names = await readNames(catalogReader(context), [...new Set(changes.flatMap(recordKeysOf))]);
  const title = titleOf(path, filters);
  const pageAddress = (at: number): string =>
    filteredAddress({ path, parameters: { ...parameters, page: String(at) } });
  const hasFeed = list.selection.begin === undefined;
  return page({
    title,
    ...(hasFeed && { head: feedLinks(addressOf(path)) }),
    body: markup`${writerTabs(list)}${filterForm(formOf(list))}
${rows.length === 0 ? markup`<p>${t("history.none")}</p>` : changesTable(changes, { caption: title, names })}
${pageLinks(
  current > 1 ? pageAddress(current - 1) : undefined,
  rows.length > PAGE_CHANGES && current < LIST_PAGES_MAX ? pageAddress(current + 1) : undefined,
)}`,
  });
}

/** Returns the target of the filter form: `/recentchanges` if the path names a kind, so that another can be chosen. */
function formOf({ path, selection: { changeKind }, parameters }: ChangeList): FilteredList {
  const { kind = changeKind } = parameters;
  return { path: changeKind === undefined ? path : "/recentchanges", parameters: { ...parameters, kind } };
}

function withFormFilters({ selection, parameters }: ChangeList): ListPath {
  const { kind = "" } = parameters;
  return {
    ...selection,
    changeKind: selection.changeKind ?? (kind === "" ? undefined : kind),
    ...intersectPeriods(selection, parseDays(parameters)),
  };
}

function titleOf(path: string, { author, key }: ListParameters): Markup {
  const rest = path.slice("/recentchanges".length).split("/").slice(1).join(" / ");
  const name = markup`${t("history.title")}${key !== undefined && key !== "" && [" ", t("history.of", { what: key })]}${
    author !== undefined && [" ", t("history.by", { who: author })]
  }`;
  return rest === "" ? name : t("list.pair", { name, value: rest });
}

function changesTable(
  rows: readonly ShortChange[],
  { caption, names }: { caption: Piece; names: ReadonlyMap<string, string> },
): Markup {
  return table({
    caption,
    columns: [
      t("history.when"),
      t("history.what"),
      t("history.user"),
      t("history.records"),
      t("history.comment"),
    ],
    rows: rows.map((row) => {
      const { author } = row;
      return [
        link(changeAddress(row), moment(row.created)),
        kindName(row.kind),
        author === null ? "–" : link(addressOf(author), markup`<bdi>${author.replace("/people/", "")}</bdi>`),
        recordLinks(row, names),
        markup`<span dir="auto">${row.comment}</span>`,
      ];
    }),
  });
}

/** Parses the column with the keys of the first records, a JSON array. */
export function recordKeysOf({ size, keys }: ShortChange): string[] {
  return size === null ? [] : (JSON.parse(keys) as string[]);
}

function recordLinks(row: ShortChange, names: ReadonlyMap<string, string>): Piece {
  if (row.size === null) return t("history.load");
  const keys = recordKeysOf(row);
  const more = row.size - keys.length;
  return commas([
    ...keys.map((key) => namedLink(key, names.get(key))),
    ...(more > 0 ? [t("list.more", { count: more })] : []),
  ]);
}

/** Answers with one change by its id. Day and kind in the path, which has no suffix, are ignored. */
async function replyWithChange(
  id: number,
  { path, suffix, isPage }: { path: string; suffix: Suffix; isPage: boolean },
  context: RequestContext,
): Promise<Reply> {
  const row = await readChange(id, context);
  if (row === undefined) throw recordNotFound(path);
  const more = { cacheControl: NO_STORE, headers: { Vary: "Accept" } };
  if (isPage) {
    const address = changeAddress(row);
    // Q126: browsers are redirected to the canonical address.
    if (address !== context.url.pathname) return redirect(301, address + context.url.search);
    return changePage(row, context);
  }
  const entry = changeEntry(row);
  if (suffix !== ".yml") return json(entry, more);
  return jsonText(renderYaml(entry), { ...more, contentType: "text/x-yaml; charset=utf-8" });
}

async function readChange(id: number, context: RequestContext): Promise<ChangeRow | undefined> {
  const [row] = await readChanges(catalogReader(context), { id }, { limit: 1, offset: 0 });
  return row;
}

export const gotoChange = operation({
  id: "gotoChange",
  summary: "Redirect to a change",
  tag: "history",
  path: { id: z.string().describe("Number of the change; a suffix is kept") },
  responses: {
    302: { description: "Redirect to the address of the change" },
    404: { description: "Change not found" },
  },
  async handle(_input, context) {
    const { path, suffix } = splitSuffix(context.url.pathname);
    const id = path.slice(path.lastIndexOf("/") + 1);
    const row = /^\d{1,15}$/.test(id) ? await readChange(Number(id), context) : undefined;
    if (row === undefined) throw recordNotFound(path);
    return redirect(302, changeAddress(row) + suffix, { cacheControl: NO_STORE });
  },
});

/** Records of a change whose names are read; a change can have thousands. */
const NAMED_RECORDS = 200;

async function changePage(row: ChangeRow, context: RequestContext): Promise<Reply> {
  const { id, kind, comment, author, changes, data } = changeEntry(row);
  const known = Object.entries(data).map(([name, value]) => [name, JSON.stringify(value)] as const);
  const keys = (changes ?? []).slice(0, NAMED_RECORDS).map(({ key }) => key);
  const names = await readNames(catalogReader(context), keys);
  const mayUndo = changes !== null && hasRole(await context.actor(), "super-librarian");
  return page({
    title: t("history.change", { id, kind: kindName(kind) }),
    body: markup`${factList([
      [t("history.when"), moment(row.created)],
      [t("history.what"), kindName(kind)],
      [t("history.user"), author === null ? undefined : link(addressOf(author.key), author.key)],
      [t("history.comment"), comment],
      ...known,
    ])}
${changes === null ? markup`<p>${t("history.load")}</p>` : changedRecords(changes, names)}
${
  mayUndo &&
  markup`<form method="post" action="${changeAddress(row)}"><p><button>${t("history.undo")}</button></p></form>`
}`,
  });
}

function changedRecords(
  changes: readonly { key: string; revision: number }[],
  names: ReadonlyMap<string, string>,
): Piece {
  return table({
    caption: t("history.changed_records"),
    columns: [t("history.record"), t("history.revision"), t("history.compare")],
    rows: changes.map(({ key, revision }) => {
      const address = addressOf(key);
      const compared = `${address}?m=diff&a=${revision - 1}&b=${revision}`;
      return [
        namedLink(key, names.get(key)),
        link(`${address}?v=${revision}`, number(revision)),
        revision === 1
          ? t("history.created")
          : link(compared, markup`${t("diff.compare")}<span class="unseen"> ${key}</span>`),
      ];
    }),
  });
}
