import * as z from "zod";
import { renderYaml } from "../../catalog/yaml.ts";
import { type ShortChange, readChanges, readShortChanges } from "../../db/history/changes.ts";
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
import { type Markup, addressOf, markup } from "../ui/markup.ts";
import { pageLinks } from "../ui/pager.ts";
import { link } from "../ui/parts.ts";
import { changeAddress, changeEntry, revisionSchema } from "./change-entry.ts";
import {
  type ListParameters,
  type ListPath,
  type Suffix,
  changePath,
  changesFilter,
  listParameters,
  withoutSuffix,
} from "./recent-query.ts";
import { singleChange } from "./single-change.ts";
import { LIST_PAGES_MAX, listPage } from "../http/parameters.ts";
import { table } from "../ui/table.ts";
import { moment } from "../ui/words.ts";

/** Changes on one page for people. */
const PAGE_CHANGES = 50;

/** What people are not bothered with unless they ask for it. */
const HIDDEN_KINDS = ["new-account"];

const TABS = [
  { name: "All", bot: undefined },
  { name: "Humans", bot: "false" },
  { name: "Bots", bot: "true" },
] as const;

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

/** `GET /recentchanges.json`: what was changed in the catalog, newest first. */
export const recentChanges = listOperation("recentChanges", "Recent changes, newest first", {});
/** The same by kind, or of a year. */
export const recentChangesBy = listOperation("recentChangesBy", "Changes of one kind, or of one year", {
  kind_or_year: z.string().describe("A kind such as `edit-book`, or four digits"),
});
/** The same of one day and kind. */
export const recentChangesOfDay = listOperation("recentChangesOfDay", "Changes of one kind on one day", {
  year: z.string().describe("Four digits"),
  month: z.string().describe("Two digits"),
  day: z.string().describe("Two digits"),
  kind: z.string().describe("Kind of the change"),
});
/** All other forms: of a month, a day, of one kind in a year; one change by its number. */
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
      const { path: place, suffix } = withoutSuffix(context.url.pathname);
      const meant = changePath(place);
      if (meant === undefined) throw recordNotFound(place);
      // Q134: the suffix before `Accept`.
      const isPage = suffix === "" && wantsHtml(context.request);
      if (meant.kind === "change") return singleChange(meant.id, { path: place, suffix, isPage }, context);
      const list = { place: meant, path: place, parameters };
      return isPage ? changesPage(list, context) : listReply(list, suffix, context);
    },
  });
}

/** A list of changes that is asked for. */
interface ChangeList {
  /** The path without suffix, and the changes that it means. */
  readonly path: string;
  readonly place: ListPath;
  readonly parameters: ListParameters;
}

async function listReply(
  { place, parameters }: ChangeList,
  suffix: Suffix,
  context: RequestContext,
): Promise<Reply> {
  const { filter, slice } = await changesFilter(place, parameters, context);
  const rows = filter === undefined ? [] : await readChanges(catalogReader(context), filter, slice);
  const entries = rows.map((row) => changeEntry(row));
  const more = { cacheControl: NO_STORE, headers: { Vary: "Accept" } };
  if (suffix === ".yml") {
    const contentType =
      parameters.text === "true" ? "text/plain; charset=utf-8" : "text/x-yaml; charset=utf-8";
    return jsonText(renderYaml(entries), { ...more, contentType });
  }
  const body = JSON.stringify(entries);
  return parameters.text === "true" ? plain(body, more) : jsonp(body, parameters.callback, more);
}

/** The list of changes as a page for people. */
async function changesPage(list: ChangeList, context: RequestContext): Promise<Reply> {
  const { place, parameters } = list;
  const { filter } = await changesFilter(place, parameters, context);
  const number = listPage(parameters.page);
  // One more than is shown tells whether there is another page.
  const slice = { limit: PAGE_CHANGES + 1, offset: (number - 1) * PAGE_CHANGES };
  const shown = { ...filter, notKinds: filter?.kinds === undefined ? HIDDEN_KINDS : undefined };
  const rows = filter === undefined ? [] : await readShortChanges(catalogReader(context), shown, slice);
  const title = titleOf(list);
  return page({
    title,
    body: markup`${tabs(list)}
${rows.length === 0 ? markup`<p>There are no changes here.</p>` : changesTable(rows.slice(0, PAGE_CHANGES), title)}
${pageLinks(
  number > 1 ? address(list, { page: String(number - 1) }) : undefined,
  rows.length > PAGE_CHANGES && number < LIST_PAGES_MAX
    ? address(list, { page: String(number + 1) })
    : undefined,
)}`,
  });
}

function titleOf({ path, parameters: { author, key } }: ChangeList): string {
  const rest = path.slice("/recentchanges".length).split("/").slice(1).join(" / ");
  const by = author === undefined ? "" : ` by ${author}`;
  const of = key === undefined ? "" : ` of ${key}`;
  return `Recent changes${of}${by}${rest === "" ? "" : `: ${rest}`}`;
}

function tabs(list: ChangeList): Markup {
  const { bot } = list.parameters;
  const current = bot === "true" || bot === "false" ? bot : undefined;
  const links = TABS.map(({ name, bot: own }) =>
    link(address(list, { bot: own, page: undefined }), name, own === current),
  );
  return markup`<nav class="pages" aria-label="By whom">${links}</nav>`;
}

/** The address of the list with some parameters changed. */
function address({ path, parameters }: ChangeList, changed: ListParameters): string {
  const merged = { ...parameters, ...changed };
  const entries = Object.entries(merged).flatMap(([name, value]) =>
    value === undefined ? [] : [[name, value]],
  );
  const query = new URLSearchParams(entries).toString();
  return addressOf(path) + (query === "" ? "" : `?${query}`);
}

function changesTable(rows: readonly ShortChange[], caption: string): Markup {
  return table({
    caption,
    columns: ["When", "What", "Who", "Records", "Comment"],
    rows: rows.map((row) => {
      const { author } = row;
      return [
        link(changeAddress(row), moment(row.created)),
        row.kind,
        author === null ? "–" : link(addressOf(author), author.replace("/people/", "")),
        recordLinks(row),
        row.comment,
      ];
    }),
  });
}

function recordLinks({ size, keys }: ShortChange): Markup {
  if (size === null) return markup`a load`;
  // The column is a JSON list of keys.
  const named = JSON.parse(keys) as string[];
  const links = named.map((key, index) => {
    const before = index === 0 ? "" : ", ";
    return markup`${before}${link(addressOf(key), key)}`;
  });
  const more = size - named.length;
  return markup`${links}${more > 0 && ` and ${more} more`}`;
}
