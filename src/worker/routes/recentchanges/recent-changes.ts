import * as z from "zod";
import { renderYaml } from "../../../catalog/yaml.ts";
import { readChanges } from "../../../db/changes/read-changes.ts";
import { type RequestContext, catalogReader } from "../../context.ts";
import { recordNotFound } from "../../errors.ts";
import { type ListParameters, askedChanges, listParameters } from "../../history/asked-changes.ts";
import { changeEntry } from "../../history/change-entry.ts";
import { type ChangePath, type Suffix, changePath, withoutSuffix } from "../../history/change-path.ts";
import { type AnyOperation, type Parameters, operation } from "../../operation.ts";
import { NO_STORE, type Reply, jsonp, jsonText, plain } from "../../reply.ts";
import { wantsHtml } from "../../wants-html.ts";
import { changesPage } from "./changes-page.ts";
import { singleChange } from "./single-change.ts";

const change = z.object({
  id: z.string().describe("Digits"),
  kind: z.string(),
  timestamp: z.string().describe("Naive UTC time"),
  comment: z.string().nullable(),
  changes: z
    .array(z.object({ key: z.string(), revision: z.int() }))
    .nullable()
    .describe("In order of saving; null for a load of a dump"),
  author: z.object({ key: z.string() }).nullable(),
  ip: z.null(),
  data: z.record(z.string(), z.unknown()),
});

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
      const { path: asked, suffix } = withoutSuffix(context.url.pathname);
      const wanted = changePath(asked);
      if (wanted === undefined) throw recordNotFound(asked);
      // Q134: the suffix before `Accept`.
      const isPage = suffix === "" && wantsHtml(context.request);
      if (wanted.kind === "change") return singleChange(wanted.id, { path: asked, suffix, isPage }, context);
      return isPage
        ? changesPage({ list: wanted, path: asked, parameters }, context)
        : list(wanted, { parameters, suffix }, context);
    },
  });
}

async function list(
  wanted: ChangePath & { kind: "list" },
  { parameters, suffix }: { parameters: ListParameters; suffix: Suffix },
  context: RequestContext,
): Promise<Reply> {
  const { filter, slice } = await askedChanges(wanted, parameters, context);
  const rows = filter === undefined ? [] : await readChanges(catalogReader(context), filter, slice);
  const entries = rows.map((row) => changeEntry(row));
  const more = { cacheControl: NO_STORE, headers: { Vary: "Accept" } };
  if (suffix === ".yml") {
    const contentType =
      parameters.text === "true" ? "text/plain; charset=utf-8" : "text/x-yaml; charset=utf-8";
    return jsonText(renderYaml(JSON.parse(JSON.stringify(entries))), { ...more, contentType });
  }
  const body = JSON.stringify(entries);
  return parameters.text === "true" ? plain(body, more) : jsonp(body, parameters.callback, more);
}
