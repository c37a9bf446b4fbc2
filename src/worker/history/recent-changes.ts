import * as z from "zod";
import { renderYaml } from "../../catalog/yaml.ts";
import { type ChangeRow, readChanges, readShortChanges } from "../../db/history/changes.ts";
import { readNames } from "../../db/records/titles.ts";
import { recordNotFound } from "../http/errors.ts";
import {
  type AnyOperation,
  type Parameters,
  type RequestContext,
  catalogReader,
  operation,
} from "../http/operation.ts";
import { type Reply, NO_STORE, jsonText, jsonp, plain, json, redirect } from "../http/reply.ts";
import { resource } from "../http/views.ts";
import { changeAddress, changeEntry, recordKeysOf, revisionSchema } from "./change-entry.ts";
import { authorKey } from "./filter-form.ts";
import { type ChangeList, changePage, changesPage } from "./recent-changes-page.ts";
import {
  type Suffix,
  parseDays,
  intersectPeriods,
  listParameters,
  parseChangePath,
  readChangesFilter,
  splitSuffix,
} from "./change-query.ts";
import { LIST_PAGES_MAX, listPageNumber } from "../http/parameters.ts";
import { hasRole } from "../../catalog/roles.ts";

const PAGE_CHANGES = 50;
/** Records of a change whose names are read; a change can have thousands. */
const NAMED_RECORDS = 200;

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
  return resource({
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
    async read({ query: parameters }, context) {
      const { path: pathname, suffix } = splitSuffix(context.url.pathname);
      const selection = parseChangePath(pathname);
      if (selection === undefined) throw recordNotFound(pathname);
      if (selection.kind === "list") return { list: { selection, path: pathname, parameters }, suffix };
      // Day and kind in the path are ignored.
      const row = await readChange(selection.id, context);
      if (row === undefined) throw recordNotFound(pathname);
      return { row, suffix };
    },
    async asJson({ list, row, suffix }, context) {
      if (list !== undefined) return sendChanges(list, suffix, context);
      const entry = changeEntry(row);
      if (suffix !== ".yml") return json(entry, { cacheControl: NO_STORE });
      return jsonText(renderYaml(entry), {
        cacheControl: NO_STORE,
        contentType: "text/x-yaml; charset=utf-8",
      });
    },
    async page({ list, row }, _input, context) {
      if (list !== undefined) return showChanges(list, context);
      // Q126: browsers are redirected to the canonical address.
      const address = changeAddress(row);
      if (address !== context.url.pathname) return redirect(301, address + context.url.search);
      const entry = changeEntry(row);
      const keys = (entry.changes ?? []).slice(0, NAMED_RECORDS).map(({ key }) => key);
      const names = await readNames(catalogReader(context), keys);
      const mayUndo = entry.changes !== null && hasRole(await context.actor(), "super-librarian");
      return changePage(row, { entry, names, mayUndo });
    },
  });
}

async function sendChanges(
  { selection, parameters }: ChangeList,
  suffix: Suffix,
  context: RequestContext,
): Promise<Reply> {
  const { filter, window } = await readChangesFilter(selection, parameters, context);
  const rows = filter === undefined ? [] : await readChanges(catalogReader(context), filter, window);
  const entries = rows.map((row) => changeEntry(row));
  const more = { cacheControl: NO_STORE };
  const isText = parameters.text === "true";
  if (suffix === ".yml") {
    const contentType = isText ? "text/plain; charset=utf-8" : "text/x-yaml; charset=utf-8";
    return jsonText(renderYaml(entries), { ...more, contentType });
  }
  const body = JSON.stringify(entries);
  return isText ? plain(body, more) : jsonp(body, parameters.callback, more);
}

async function showChanges(list: ChangeList, context: RequestContext): Promise<Reply> {
  const { selection, parameters } = list;
  const { kind = "" } = parameters;
  const narrowed = {
    ...selection,
    changeKind: selection.changeKind ?? (kind === "" ? undefined : kind),
    ...intersectPeriods(selection, parseDays(parameters)),
  };
  const filters = { ...parameters, author: authorKey(parameters) };
  const { filter } = await readChangesFilter(narrowed, filters, context);
  const current = listPageNumber(parameters.page);
  // One more than the page shows, to find out if there is another page.
  const window = { limit: PAGE_CHANGES + 1, offset: (current - 1) * PAGE_CHANGES };
  const visible = { ...filter, notKinds: filter?.kinds === undefined ? HIDDEN_KINDS : undefined };
  const rows = filter === undefined ? [] : await readShortChanges(catalogReader(context), visible, window);
  const changes = rows.slice(0, PAGE_CHANGES);
  const names = await readNames(catalogReader(context), [...new Set(changes.flatMap(recordKeysOf))]);
  const hasNext = rows.length > PAGE_CHANGES && current < LIST_PAGES_MAX;
  return changesPage(list, { changes, names, current, hasNext });
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
