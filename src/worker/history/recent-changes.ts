import * as z from "zod";
import { renderYaml } from "../../catalog/yaml.ts";
import { type ShortChange, readChanges, readShortChanges } from "../../db/history/changes.ts";
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
import { type Reply, NO_STORE, jsonText, jsonp, plain } from "../http/reply.ts";
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
import { replyWithChange } from "./single-change.ts";
import { LIST_PAGES_MAX, listPage } from "../http/parameters.ts";
import { table } from "../ui/table.ts";
import { moment, say } from "../ui/words.ts";

const PAGE_CHANGES = 50;

/** Kinds that pages hide unless they are selected. */
const HIDDEN_KINDS = ["new-account"];

const change = z
  .object({
    id: z.string().describe("Digits"),
    kind: z.string(),
    timestamp: z.string().describe("Naive UTC time"),
    comment: z.string().nullable(),
    changes: z.array(revisionSchema).nullable().describe("In order of saving; null for a load of a dump"),
    author: z.object({ key: z.string() }).nullable(),
    ip: z.null(),
    data: z.record(z.string(), z.unknown()),
  })
  .meta({ id: "Change" });

export const recentChanges = listOperation("recentChanges", "Recent changes, newest first", {});
export const recentChangesBy = listOperation("recentChangesBy", "Changes of one kind, or of one year", {
  kind_or_year: z.string().describe("A kind such as `edit-book`, or four digits"),
});
export const recentChangesOfDay = listOperation("recentChangesOfDay", "Changes of one kind on one day", {
  year: z.string().describe("Four digits"),
  month: z.string().describe("Two digits"),
  day: z.string().describe("Two digits"),
  kind: z.string().describe("Kind of the change"),
});
/** All other paths: changes of a month, of a day, or of a kind in a year, and single changes by id. */
export const recentChangesRest = listOperation("recentChangesRest", "Changes of a period, or one change", {
  rest: z.string().describe("`yyyy[/mm[/dd]][/kind]`, or `yyyy/mm/dd/kind/id`"),
});

function listOperation(id: string, summary: string, path: Parameters): AnyOperation {
  return operation({
    id,
    summary,
    tag: "history",
    path,
    query: listParameters,
    responses: {
      200: {
        description: "Changes, or the one that the path names",
        schema: z.union([z.array(change), change]),
        also: ["text/html", "text/plain", "text/x-yaml"],
      },
      301: { description: "For people: the one right address of a change" },
      404: { description: "No such day, or no such change" },
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
  const number = listPage(parameters.page);
  // One more than the page shows, to find out if there is another page.
  const window = { limit: PAGE_CHANGES + 1, offset: (number - 1) * PAGE_CHANGES };
  const visible = { ...filter, notKinds: filter?.kinds === undefined ? HIDDEN_KINDS : undefined };
  const rows = filter === undefined ? [] : await readShortChanges(catalogReader(context), visible, window);
  const changes = rows.slice(0, PAGE_CHANGES);
  const names = await readNames(catalogReader(context), [...new Set(changes.flatMap(recordKeysOf))]);
  const title = titleOf(path, filters);
  const pageAddress = (at: number): string =>
    filteredAddress({ path, parameters: { ...parameters, page: String(at) } });
  return page({
    title,
    body: markup`${writerTabs(list)}${filterForm(formOf(list))}
${rows.length === 0 ? markup`<p>${say("history.none")}</p>` : changesTable(changes, { caption: title, names })}
${pageLinks(
  number > 1 ? pageAddress(number - 1) : undefined,
  rows.length > PAGE_CHANGES && number < LIST_PAGES_MAX ? pageAddress(number + 1) : undefined,
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
  return markup`${say("history.title")}${key !== undefined && key !== "" && [" ", say("history.of", { what: key })]}${
    author !== undefined && [" ", say("history.by", { who: author })]
  }${rest !== "" && `: ${rest}`}`;
}

function changesTable(
  rows: readonly ShortChange[],
  { caption, names }: { caption: Piece; names: ReadonlyMap<string, string> },
): Markup {
  return table({
    caption,
    columns: [
      say("history.when"),
      say("history.what"),
      say("history.user"),
      say("history.records"),
      say("history.comment"),
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
function recordKeysOf({ size, keys }: ShortChange): string[] {
  return size === null ? [] : (JSON.parse(keys) as string[]);
}

function recordLinks(row: ShortChange, names: ReadonlyMap<string, string>): Piece {
  if (row.size === null) return say("history.load");
  const keys = recordKeysOf(row);
  const more = row.size - keys.length;
  return commas([
    ...keys.map((key) => namedLink(key, names.get(key))),
    ...(more > 0 ? [say("list.more", { count: more })] : []),
  ]);
}
