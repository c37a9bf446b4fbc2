import * as z from "zod";
import { latestText } from "../../catalog/document.ts";
import { revisionsEtag } from "../../catalog/etag.ts";
import { listName, listView } from "../../catalog/lists/view.ts";
import { authorKeysOf } from "../../catalog/lists/seed-entry.ts";
import { percentEncodedSlug, recordSlug } from "../../catalog/slug.ts";
import { readList, readNames } from "../../db/lists/read.ts";
import { readListSeeds } from "../../db/lists/seeds.ts";
import { readRecord } from "../../db/records/read.ts";
import { wantsHtml } from "../http/accept.ts";
import { type RequestContext, catalogReader, operation } from "../http/operation.ts";
import { boolean } from "../http/parameters.ts";
import { type Reply, json, jsonText, redirect } from "../http/reply.ts";
import { pageNumber } from "../history/recent-changes.ts";
import { recordPath, sluggedPath } from "../records/record-path.ts";
import { type RecordParameters, RECORD_KEEP, recordParameters, recordReply } from "../records/record.ts";
import { RECORD_FORMS, recordAnswer } from "../records/record-answer.ts";
import { addressOf } from "../ui/markup.ts";
import { listSeedsPage } from "./list-page.ts";
import { type ListFolder, LISTS_CACHE_CONTROL, listNotFound, listOperation } from "./operation.ts";

const LIST_TYPES: ReadonlySet<string> = new Set(["/type/list", "/type/series"]);

/** A list or series as JSON: what it is, or with `raw` its record; 404 for all else. */
function listReply(key: string, raw: boolean, context: RequestContext): Promise<Reply> {
  return raw ? rawReply(key, context) : viewReply(key, context);
}

async function viewReply(key: string, context: RequestContext): Promise<Reply> {
  const list = await readList(catalogReader(context), key);
  if (list === undefined) throw listNotFound();
  return json(listView(list), {
    etag: revisionsEtag([list], String(list.seedCount)),
    cacheControl: LISTS_CACHE_CONTROL,
    headers: { Vary: "Accept" },
    records: [key],
  });
}

async function rawReply(key: string, context: RequestContext): Promise<Reply> {
  const row = await readRecord(catalogReader(context), key);
  if (row === undefined || !LIST_TYPES.has(row.type)) throw listNotFound();
  return jsonText(latestText(row), {
    etag: String(row.revision),
    lastModified: row.lastModified,
    cacheControl: LISTS_CACHE_CONTROL,
    headers: { Vary: "Accept" },
    records: [key],
  });
}

const answer = z.looseObject({
  links: z.record(z.string(), z.string()).describe("self, seeds, and of lists subjects and editions"),
  name: z.string().nullable(),
  type: z.object({ key: z.string() }),
  description: z.string().nullable(),
  seed_count: z.int(),
  meta: z.object({ revision: z.int(), created: z.string(), last_modified: z.string() }),
});

/** `GET /people/<u>/lists/<id>.json`: a list of a patron. */
export const readPeopleList = readingOperation("people", "readPeopleList", "A list of a patron");
/** `GET /lists/<id>.json`: a list of nobody. */
export const readCommunityList = readingOperation("lists", "readList", "A list of the community");
/** `GET /series/<id>.json`. */
export const readSeries = readingOperation("series", "readSeries", "A series");

function readingOperation(folder: ListFolder, id: string, summary: string) {
  return listOperation({
    id,
    summary,
    folder,
    number: "list_id",
    query: {
      _raw: boolean().default(false).describe("The stored record instead"),
      ...recordParameters,
    },
    keep: RECORD_KEEP,
    responses: {
      200: {
        description: "What the list is, without its members; with `v` or `m` as of a record",
        schema: z.union([answer, recordAnswer]),
        also: RECORD_FORMS,
      },
      303: { description: "The same without a mode that does not exist; the form of the list" },
    },
    handle(key, { _raw: raw, ...parameters }, context) {
      const { v, m = "" } = parameters;
      // Q246: revisions and history are those of the record.
      if (v !== undefined || (m !== "" && m !== "view")) return recordReply(parameters, context);
      return listReply(key, raw, context);
    },
  });
}

/** Members on a page of a list for people. */
const LIST_PAGE_SEEDS = 50;

/** The page of a list or series, at its readable address; what is none is answered as records are. */
async function listPage(key: string, pageText: string | undefined, context: RequestContext): Promise<Reply> {
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
  return listSeedsPage({ list, seeds, authors, number, size: LIST_PAGE_SEEDS, address });
}

const listId = z.string().describe("The digits of the list's number");

/**
 * `GET <list>` and `<list>/<slug>`: a page for people; programs that ask for JSON get what `<list>.json` says
.
 */
export const peopleListPage = pageOperation("peopleListPage", "The page of a patron's list", {
  username: z.string(),
  list_id: listId,
});
export const communityListPage = pageOperation("listPage", "The page of a list", { list_id: listId });
export const seriesPage = pageOperation("seriesPage", "The page of a series", { list_id: listId });

function pageOperation(id: string, summary: string, path: Record<string, z.ZodString>) {
  return operation({
    id,
    summary,
    tag: "lists",
    path,
    query: {
      _raw: boolean().default(false).describe("As JSON: the stored record"),
      ...recordParameters,
      page: z.string().optional().describe("Page of the members, from 1; of a history"),
    },
    keep: RECORD_KEEP,
    responses: {
      200: { description: "A page, or the record", schema: recordAnswer, also: RECORD_FORMS },
      301: { description: "The list's own address" },
      303: { description: "The same without a mode that does not exist; the form of the list" },
      404: { description: "No such list or series, or it was deleted" },
    },
    handle: ({ query: { _raw: raw, ...parameters } }, context) => pageReply(raw, parameters, context),
  });
}

function pageReply(
  raw: boolean,
  parameters: RecordParameters,
  context: RequestContext,
): Promise<Reply> | Reply {
  const { encoding, key: path } = recordPath(context.url.pathname, context.request.headers.get("Accept"));
  const key = sluggedPath(path, context.settings.RECORD_PREFIX)?.key;
  const { v, m = "", page } = parameters;
  const isLatest = v === undefined && (m === "" || m === "view");
  if (key === undefined || !isLatest) return recordReply(parameters, context);
  if (encoding === "json") return listReply(key, raw, context);
  return encoding === undefined && wantsHtml(context.request)
    ? listPage(key, page, context)
    : recordReply(parameters, context);
}

/** The JSON answer; people who ask without a suffix get the page of the list, which shows the same. */
export function jsonOrListPage(
  key: string,
  context: RequestContext,
  reply: () => Promise<Reply>,
): Promise<Reply> {
  const isPage = !context.url.pathname.endsWith(".json") && wantsHtml(context.request);
  return isPage ? listPage(key, undefined, context) : reply();
}
