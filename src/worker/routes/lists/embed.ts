import * as z from "zod";
import { embedPage } from "../../lists/embed-page.ts";
import { type ListFolder, listKey, listPath } from "../../lists/list-path.ts";
import { operation } from "../../operation.ts";

/** `GET <list>/embed`: a list as a small page for the pages of others (patrons.md 14.12). */
export const embedPeopleList = embedOperation("people", "embedPeopleList");
export const embedList = embedOperation("lists", "embedList");
/** There is none of series. */
export const embedSeries = embedOperation("series", "embedSeries");

function embedOperation(folder: ListFolder, id: string) {
  return operation({
    id,
    summary: "A list as a small page for the pages of others",
    tag: "lists",
    path: listPath(folder, "list_id"),
    query: { page: z.string().optional().describe("From 1") },
    responses: {
      200: { description: "A page with ten members", contentType: "text/html" },
      404: { description: "No such list" },
    },
    handle: ({ path, query: { page } }, context) => embedPage(listKey(folder, path, context), page, context),
  });
}
