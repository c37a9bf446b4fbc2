import * as z from "zod";
import { latestText } from "../../catalog/document.ts";
import { revisionsEtag } from "../../catalog/etag.ts";
import { listName, listView } from "../../catalog/lists/list-view.ts";
import { authorKeysOf } from "../../catalog/lists/seed-entry.ts";
import { percentEncodedSlug, recordSlug } from "../../catalog/slug.ts";
import { readList } from "../../db/lists/read-lists.ts";
import { readNames } from "../../db/records/titles.ts";
import { readListSeeds } from "../../db/lists/list-seeds.ts";
import { readRecord } from "../../db/records/records.ts";
import { wantsHtml } from "../http/accept.ts";
import { type RequestContext, baseUrl, catalogReader, operation } from "../http/operation.ts";
import { boolean, digitsOf, listPage as pageNumber, listPageText } from "../http/parameters.ts";
import { type Reply, json, jsonText, redirect } from "../http/reply.ts";
import { recordPath, sluggedPath } from "../records/record-path.ts";
import { recordReply } from "../records/record.ts";
import {
  NO_SUCH_FORM,
  type RecordParameters,
  RECORD_FORMS,
  RECORD_KEEP,
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
  pathIn,
} from "./operation.ts";

const answer = z
  .looseObject({
    links: z.record(z.string(), z.string()).describe("self, seeds, and of lists subjects and editions"),
    name: z.string().nullable(),
    type: z.object({ key: z.string() }),
    description: z.string().nullable(),
    seed_count: z.int(),
    meta: z.object({ revision: z.int(), created: z.string(), last_modified: z.string() }),
  })
  .meta({ id: "List", description: "A list or series, without its members" });

/** `GET <list>.json`: what a list or series is. */
export const readListJson = listOperations({
  ids: { people: "readPeopleList", lists: "readList", series: "readSeries" },
  summary: (folder) =>
    folder === "series" ? "A series" : folder === "people" ? "A list of a patron" : "A list of the community",
  path: LIST_PATH,
  query: {
    _raw: boolean().default(false).describe("The stored record instead"),
    ...recordParameters,
  },
  keep: RECORD_KEEP,
  responses: {
    ...NO_LIST,
    ...NO_SUCH_FORM,
    200: {
      description: "What the list is, without its members; with `v` or `m` as of a record",
      schema: z.union([answer, recordAnswer()]),
      also: RECORD_FORMS,
    },
    303: { description: "The same without a mode that does not exist; the form of the list" },
  },
  // Q246: revisions and history are those of the record.
  handle: ({ key }, { query: { _raw: raw, ...parameters } }, context) =>
    isLatest(parameters) ? listReply(key, raw, context) : recordReply(parameters, context),
});

/** Members on a page of a list for people. */
const LIST_PAGE_SEEDS = 50;

const PAGE_PATH = {
  username: z.string(),
  list_id: digitsOf("list"),
};

/** `GET <list>` and `<list>/<slug>`: a page for people; programs get what `<list>.json` says. */
export const listPage = inFolders(
  { people: "peopleListPage", lists: "listPage", series: "seriesPage" },
  (folder, id) =>
    operation({
      id,
      summary: `The page of a ${folder === "series" ? "series" : folder === "people" ? "patron's list" : "list"}`,
      tag: "lists",
      path: pathIn(folder, PAGE_PATH),
      query: {
        _raw: boolean().default(false).describe("As JSON: the stored record"),
        ...recordParameters,
        page: listPageText("Page of the members, from 1; of a history"),
      },
      keep: RECORD_KEEP,
      responses: {
        200: { description: "A page, or the record", schema: recordAnswer(), also: RECORD_FORMS },
        301: { description: "The list's own address" },
        303: { description: "The same without a mode that does not exist; the form of the list" },
        ...NO_LIST,
        ...NO_SUCH_FORM,
      },
      handle: ({ query: { _raw: raw, ...parameters } }, context) => pageReply(raw, parameters, context),
    }),
);

/** A list or series as JSON: what it is, or with `raw` its record; 404 for all else. */
async function listReply(key: string, raw: boolean, context: RequestContext): Promise<Reply> {
  const common = { cacheControl: LISTS_CACHE_CONTROL, headers: { Vary: "Accept" }, records: [key] };
  if (raw) {
    const row = await readRecord(catalogReader(context), key);
    if (row === undefined || !isListType(row.type)) throw listNotFound();
    const { revision, lastModified } = row;
    return jsonText(latestText(row), { etag: String(revision), lastModified, ...common });
  }
  const list = await readList(catalogReader(context), key);
  if (list === undefined) throw listNotFound();
  return json(listView(list), { etag: revisionsEtag([list], String(list.seedCount)), ...common });
}

/** The page of a list or series, at its readable address; what is none is answered as records are. */
async function pageOfList(key: string, pageText: string | undefined, context: RequestContext) {
  const number = pageNumber(pageText);
  const database = catalogReader(context);
  const window = { start: (number - 1) * LIST_PAGE_SEEDS, count: LIST_PAGE_SEEDS };
  const found = await readListSeeds(database, key, window);
  if (found === undefined) return recordReply({}, context);
  const { list, seeds } = found;
  const slug = percentEncodedSlug(recordSlug({ type: list.type, name: listName(list) }) ?? "");
  const address = slug === "" ? addressOf(key) : `${addressOf(key)}/${slug}`;
  if (context.url.pathname !== address) return redirect(301, address + context.url.search);
  const authors = await readNames(database, seeds.flatMap(authorKeysOf));
  return listSeedsPage({
    list,
    seeds,
    authors,
    number,
    size: LIST_PAGE_SEEDS,
    address,
    site: baseUrl(context),
  });
}

function pageReply(raw: boolean, parameters: RecordParameters, context: RequestContext) {
  const { encoding, key: path } = recordPath(context.url.pathname, context.request.headers.get("Accept"));
  const key = sluggedPath(path, context.settings.RECORD_PREFIX)?.key;
  if (key === undefined || !isLatest(parameters)) return recordReply(parameters, context);
  if (encoding === "json") return listReply(key, raw, context);
  return encoding === undefined && wantsHtml(context.request)
    ? pageOfList(key, parameters.page, context)
    : recordReply(parameters, context);
}

/** True when the list is asked for as it is now, and not its history or an older revision. */
function isLatest({ v, m = "" }: RecordParameters): boolean {
  return v === undefined && (m === "" || m === "view");
}

/** The JSON answer; people who ask without a suffix get the page of the list, which shows the same. */
export function jsonOrListPage(
  key: string,
  context: RequestContext,
  reply: () => Promise<Reply>,
): Promise<Reply> {
  const isPage = !context.url.pathname.endsWith(".json") && wantsHtml(context.request);
  return isPage ? pageOfList(key, undefined, context) : reply();
}
