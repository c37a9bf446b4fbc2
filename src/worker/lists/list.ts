import * as z from "zod";
import { latestTextOf } from "../../catalog/document.ts";
import { computeRevisionsEtag } from "../../catalog/etag.ts";
import { listNameOf, toListView } from "../../catalog/lists/list-view.ts";
import { authorKeysOf } from "../../catalog/lists/seed-entry.ts";
import { encodeSlug, recordSlugOf } from "../../catalog/slug.ts";
import { readList } from "../../db/lists/read-lists.ts";
import { readNames } from "../../db/records/titles.ts";
import { readListSeeds } from "../../db/lists/list-contents.ts";
import { readRecord } from "../../db/records/records.ts";
import { wantsHtml } from "../http/accept.ts";
import { type RequestContext, baseUrl, catalogReader, operation } from "../http/operation.ts";
import { boolean, digitsOf, listPageNumber as pageNumber, listPageText } from "../http/parameters.ts";
import { type Reply, json, jsonText, redirect } from "../http/reply.ts";
import { recordPath, sluggedPath } from "../http/paths.ts";
import { recordReply } from "../records/record.ts";
import {
  NO_SUCH_FORM,
  type RecordParameters,
  RECORD_FORMS,
  RECORD_CACHE,
  recordAnswer,
  recordParameters,
} from "../records/record-answer.ts";
import { addressOf } from "../ui/markup.ts";
import { listSeedsPage } from "./list-page.ts";
import {
  LISTS_CACHE_CONTROL,
  LIST_PATH,
  NO_LIST,
  inFolders,
  isListType,
  listNotFound,
  listOperations,
  pathParametersIn,
} from "./list-operations.ts";

const answer = z
  .looseObject({
    links: z
      .record(z.string(), z.string())
      .describe("URLs of the list and its seeds; for lists also of subjects and editions"),
    name: z.string().nullable(),
    type: z.object({ key: z.string() }),
    description: z.string().nullable(),
    seed_count: z.int(),
    meta: z.object({ revision: z.int(), created: z.string(), last_modified: z.string() }),
  })
  .meta({ id: "List", description: "List or series, without its members" });

export const readListJson = listOperations({
  ids: { people: "readPeopleList", lists: "readList", series: "readSeries" },
  summary: (folder) =>
    folder === "series"
      ? "Get a series"
      : folder === "people"
        ? "Get a list of a patron"
        : "Get a community list",
  path: LIST_PATH,
  query: { _raw: boolean().default(false).describe("True for the stored record"), ...recordParameters },
  cache: RECORD_CACHE,
  responses: {
    ...NO_LIST,
    ...NO_SUCH_FORM,
    200: {
      description: "List without its members; with `v` or `m` a revision or the history of the record",
      schema: z.union([answer, recordAnswer()]),
      also: RECORD_FORMS,
    },
    303: { description: "Redirect to the same URL without an unknown mode, or to the form" },
  },
  // Q246: revisions and history are those of the record.
  handle: ({ key }, { query: { _raw: raw, ...parameters } }, context) =>
    isLatest(parameters) ? replyWithList(key, raw, context) : recordReply(parameters, context),
});

const LIST_PAGE_SEEDS = 50;

/** `GET <list>` and `<list>/<slug>`: a page. Programs get the response of `<list>.json`. */
export const listPage = inFolders(
  { people: "peopleListPage", lists: "listPage", series: "seriesPage" },
  (folder, id) =>
    operation({
      id,
      summary: `Show the page of a ${folder === "series" ? "series" : folder === "people" ? "patron's list" : "list"}`,
      tag: "lists",
      path: pathParametersIn(folder, { username: z.string(), list_id: digitsOf("list") }),
      query: {
        _raw: boolean().default(false).describe("True for the stored record as JSON"),
        ...recordParameters,
        page: listPageText("Page of the members, from 1; of a history"),
      },
      cache: RECORD_CACHE,
      responses: {
        200: { description: "HTML page, or the record", schema: recordAnswer(), also: RECORD_FORMS },
        301: { description: "Redirect to the canonical URL" },
        303: { description: "Redirect to the same URL without an unknown mode, or to the form" },
        ...NO_LIST,
        ...NO_SUCH_FORM,
      },
      handle: ({ query: { _raw: raw, ...parameters } }, context) => replyAtAddress(raw, parameters, context),
    }),
);

/** Answers with a list or series as JSON, with `raw` as its stored record. Throws 404 for other records. */
async function replyWithList(key: string, raw: boolean, context: RequestContext): Promise<Reply> {
  const common = { cacheControl: LISTS_CACHE_CONTROL, headers: { Vary: "Accept" }, records: [key] };
  if (raw) {
    const row = await readRecord(catalogReader(context), key);
    if (row === undefined || !isListType(row.type)) throw listNotFound();
    const { revision, lastModified } = row;
    return jsonText(latestTextOf(row), { etag: String(revision), lastModified, ...common });
  }
  const list = await readList(catalogReader(context), key);
  if (list === undefined) throw listNotFound();
  return json(toListView(list), { etag: computeRevisionsEtag([list], String(list.seedCount)), ...common });
}

/** Renders the page of a list or series. Redirects to its readable address. Other keys are answered as records. */
async function renderListPage(key: string, pageText: string | undefined, context: RequestContext) {
  const number = pageNumber(pageText);
  const database = catalogReader(context);
  const window = { start: (number - 1) * LIST_PAGE_SEEDS, count: LIST_PAGE_SEEDS };
  const members = await readListSeeds(database, key, window);
  if (members === undefined) return recordReply({}, context);
  const { list, seeds } = members;
  const slug = encodeSlug(recordSlugOf({ type: list.type, name: listNameOf(list) }) ?? "");
  const address = slug === "" ? addressOf(key) : `${addressOf(key)}/${slug}`;
  if (context.url.pathname !== address) return redirect(301, address + context.url.search);
  const authors = await readNames(database, seeds.flatMap(authorKeysOf));
  const site = baseUrl(context);
  return listSeedsPage({ list, seeds, authors, number, size: LIST_PAGE_SEEDS, address, site });
}

function replyAtAddress(raw: boolean, parameters: RecordParameters, context: RequestContext) {
  const { encoding, key: path } = recordPath(context.url.pathname, context.request.headers.get("Accept"));
  const key = sluggedPath(path, context.settings.RECORD_PREFIX)?.key;
  if (key === undefined || !isLatest(parameters)) return recordReply(parameters, context);
  if (encoding === "json") return replyWithList(key, raw, context);
  return encoding === undefined && wantsHtml(context.request)
    ? renderListPage(key, parameters.page, context)
    : recordReply(parameters, context);
}

/** Returns true unless the parameters select the history or an older revision. */
function isLatest({ v, m = "" }: RecordParameters): boolean {
  return v === undefined && (m === "" || m === "view");
}

/** Answers with JSON from `reply`, or with the page of the list for browsers at an address without a suffix. */
export function jsonOrListPage(
  key: string,
  context: RequestContext,
  reply: () => Promise<Reply>,
): Promise<Reply> {
  const isPage = !context.url.pathname.endsWith(".json") && wantsHtml(context.request);
  return isPage ? renderListPage(key, undefined, context) : reply();
}
