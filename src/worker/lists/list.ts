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
import {
  type CachePolicy,
  type Parameters,
  type RequestContext,
  type ResponseSpec,
  type Values,
  catalogReader,
} from "../http/operation.ts";
import { boolean, digitsOf, listPageNumber as pageNumber, listPageText } from "../http/parameters.ts";
import { type Reply, json, jsonText, redirect } from "../http/reply.ts";
import { recordPath, sluggedPath } from "../http/paths.ts";
import { showRecordPage, recordReply } from "../records/record.ts";
import {
  NO_SUCH_FORM,
  type RecordParameters,
  RECORD_FORMS,
  RECORD_CACHE,
  recordAnswer,
  recordParameters,
} from "../records/record-answer.ts";
import { addressOf } from "../ui/markup.ts";
import { twoViews } from "../http/views.ts";
import type { ListFolder } from "./folders.ts";
import { listSeedsPage } from "./list-page.ts";
import {
  LISTS_CACHE_CONTROL,
  LIST_PATH,
  NO_LIST,
  OLID_PATH,
  inFolders,
  isListType,
  listKeyOf,
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

/** `GET <list>` and `<list>/<slug>`: a page. Programs get the response of `<list>.json`. */
export const listPage = inFolders(
  { people: "peopleListPage", lists: "listPage", series: "seriesPage" },
  (folder, id) =>
    twoViews({
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
      asPage({ query }, context) {
        const { key, encoding } = readListAddress(query, context);
        const isPage = key !== undefined && encoding === undefined;
        return isPage ? renderListPage(key, query.page, context) : showRecordPage(query, context);
      },
      asJson({ query }, context) {
        const { key, encoding } = readListAddress(query, context);
        const isList = key !== undefined && encoding === "json";
        return isList ? replyWithList(key, query._raw, context) : recordReply(query, context);
      },
    }),
);

/** Reads key and form from the address. Returns no key for history and revisions, which are those of the record. */
function readListAddress(parameters: RecordParameters, { url, request, settings }: RequestContext) {
  const { encoding, key } = recordPath(url.pathname, request.headers.get("Accept"));
  return isLatest(parameters) ? { encoding, key: sluggedPath(key, settings.RECORD_PREFIX)?.key } : {};
}

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

const LIST_PAGE_SEEDS = 50;

/** Renders the page of a list or series. Redirects to its readable address. Other keys are answered as records. */
async function renderListPage(key: string, pageText: string | undefined, context: RequestContext) {
  const number = pageNumber(pageText);
  const database = catalogReader(context);
  const window = { start: (number - 1) * LIST_PAGE_SEEDS, count: LIST_PAGE_SEEDS };
  const members = await readListSeeds(database, key, window);
  if (members === undefined) return showRecordPage({}, context);
  const { list, seeds } = members;
  const slug = encodeSlug(recordSlugOf({ type: list.type, name: listNameOf(list) }) ?? "");
  const address = slug === "" ? addressOf(key) : `${addressOf(key)}/${slug}`;
  if (context.url.pathname !== address) return redirect(301, address + context.url.search);
  const authors = await readNames(database, seeds.flatMap(authorKeysOf));
  return listSeedsPage({ list, seeds, authors, number, size: LIST_PAGE_SEEDS, address });
}

/** Returns true unless the parameters select the history or an older revision. */
function isLatest({ v, m = "" }: RecordParameters): boolean {
  return v === undefined && (m === "" || m === "view");
}

/** Creates the operations for members of a list: JSON, and for people the page of the list. */
export function listMembers<Folder extends ListFolder, Q extends Parameters>({
  ids,
  asJson,
  ...fields
}: {
  ids: Readonly<Record<Folder, string>>;
  summary: string;
  query: Q;
  cache?: CachePolicy;
  shown: ResponseSpec;
  asJson(key: string, query: Values<Q>, context: RequestContext): Promise<Reply>;
}) {
  const { shown, ...rest } = fields;
  return inFolders(ids, (folder, id) =>
    twoViews({
      ...rest,
      id,
      tag: "lists",
      path: pathParametersIn(folder, OLID_PATH),
      responses: { 200: shown, ...NO_LIST },
      asJson: ({ path, query }, context) => asJson(listKeyOf(folder, path, context), query, context),
      asPage: ({ path }, context) => renderListPage(listKeyOf(folder, path, context), undefined, context),
    }),
  );
}
