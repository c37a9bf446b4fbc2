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
import { kindName } from "../ui/kind-name.ts";
import { type Markup, type Piece, addressOf, markup } from "../ui/markup.ts";
import { namedLink } from "../ui/names.ts";
import { pageLinks } from "../ui/pager.ts";
import { commas, link } from "../ui/parts.ts";
import { changeAddress, changeEntry, revisionSchema } from "./change-entry.ts";
import { type Narrowed, authorKey, filterForm, narrowedAddress, writerTabs } from "./narrowing.ts";
import {
  type ListParameters,
  type ListPath,
  type Suffix,
  changePath,
  changesFilter,
  chosenDays,
  listParameters,
  withoutSuffix,
} from "./recent-query.ts";
import { singleChange } from "./single-change.ts";
import { LIST_PAGES_MAX, listPage } from "../http/parameters.ts";
import { table } from "../ui/table.ts";
import { moment, say } from "../ui/words.ts";

/** Changes on one page for people. */
const PAGE_CHANGES = 50;

/** Kinds that pages hide unless people select them. */
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

/** `GET /recentchanges.json`: changes of the catalog, newest first. */
export const recentChanges = listOperation("recentChanges", "Recent changes, newest first", {});
/** Recent changes of a kind, or of a year. */
export const recentChangesBy = listOperation("recentChangesBy", "Changes of one kind, or of one year", {
  kind_or_year: z.string().describe("A kind such as `edit-book`, or four digits"),
});
/** Recent changes of one day and kind. */
export const recentChangesOfDay = listOperation("recentChangesOfDay", "Changes of one kind on one day", {
  year: z.string().describe("Four digits"),
  month: z.string().describe("Two digits"),
  day: z.string().describe("Two digits"),
  kind: z.string().describe("Kind of the change"),
});
/** All other forms: changes of a month, a day, of one kind in a year; one change by its number. */
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

interface ChangeList {
  /** Path without suffix, and the changes that it selects. */
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

async function changesPage(list: ChangeList, context: RequestContext): Promise<Reply> {
  const { parameters } = list;
  const asked = {
    ...list,
    place: narrowed(list),
    parameters: { ...parameters, author: authorKey(parameters) },
  };
  const { filter } = await changesFilter(asked.place, asked.parameters, context);
  const number = listPage(parameters.page);
  // One more than the page shows, to find out if there is another page.
  const slice = { limit: PAGE_CHANGES + 1, offset: (number - 1) * PAGE_CHANGES };
  const shown = { ...filter, notKinds: filter?.kinds === undefined ? HIDDEN_KINDS : undefined };
  const rows = filter === undefined ? [] : await readShortChanges(catalogReader(context), shown, slice);
  const changes = rows.slice(0, PAGE_CHANGES);
  const names = await readNames(catalogReader(context), [...new Set(changes.flatMap(namedKeys))]);
  const title = titleOf(asked);
  const pageAddress = (one: number): string =>
    narrowedAddress({ path: list.path, parameters: { ...parameters, page: String(one) } });
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

/** Returns the parameters of the form. Choosing another kind leaves a path with a kind. */
function formOf({ path, place: { changeKind }, parameters }: ChangeList): Narrowed {
  const { kind = changeKind } = parameters;
  return { path: changeKind === undefined ? path : "/recentchanges", parameters: { ...parameters, kind } };
}

/** Combines the path's period and kind with those chosen on the page. */
function narrowed({ place, parameters }: ChangeList): ListPath {
  const { begin, end } = chosenDays(parameters);
  const { kind = "" } = parameters;
  return {
    ...place,
    changeKind: place.changeKind ?? (kind === "" ? undefined : kind),
    begin: [place.begin, begin]
      .filter((time) => time !== undefined)
      .toSorted()
      .at(-1),
    end: [place.end, end].filter((time) => time !== undefined).toSorted()[0],
  };
}

function titleOf({ path, parameters: { author, key } }: ChangeList): Markup {
  const rest = path.slice("/recentchanges".length).split("/").slice(1).join(" / ");
  return markup`${say("history.title")}${key !== undefined && key !== "" && [" ", say("history.of", { what: key })]}${
    author !== undefined && [" ", say("history.by", { who: author })]
  }${rest !== "" && `: ${rest}`}`;
}

interface ChangesTable {
  readonly caption: Piece;
  /** Names of records, by their keys. */
  readonly names: ReadonlyMap<string, string>;
}

function changesTable(rows: readonly ShortChange[], { caption, names }: ChangesTable): Markup {
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

/** Parses the column, a JSON list of keys. */
function namedKeys({ size, keys }: ShortChange): string[] {
  return size === null ? [] : (JSON.parse(keys) as string[]);
}

function recordLinks(row: ShortChange, names: ChangesTable["names"]): Piece {
  if (row.size === null) return say("history.load");
  const keys = namedKeys(row);
  const more = row.size - keys.length;
  return commas([
    ...keys.map((key) => namedLink(key, names.get(key))),
    ...(more > 0 ? [say("list.more", { count: more })] : []),
  ]);
}
