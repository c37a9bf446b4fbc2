import * as z from "zod";
import type { RequestContext } from "../../context.ts";
import { listPage } from "../../lists/list-page.ts";
import { listReply } from "../../lists/list-reply.ts";
import { operation } from "../../operation.ts";
import type { Reply } from "../../reply.ts";
import { boolean } from "../../validation/parameters.ts";
import { wantsHtml } from "../../wants-html.ts";
import { recordPath } from "../records/encoding.ts";
import { RECORD_KEEP, type RecordParameters, recordParameters, recordReply } from "../records/read-record.ts";
import { sluggedPath } from "../records/slug-path.ts";
import { RECORD_FORMS, recordAnswer } from "../records/record-answers.ts";

const listId = z.string().describe("The digits of the list's number");

/**
 * `GET <list>` and `<list>/<slug>`: a page for people; programs that ask for JSON get what `<list>.json` says
 * (patrons.md 0.5, 14.12).
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
