import * as z from "zod";
import { embedPage } from "../../lists/embed-page.ts";
import { listOperation } from "../../lists/list-operation.ts";
import type { ListFolder } from "../../lists/list-path.ts";

/** `GET <list>/embed`: a list as a small page for the pages of others (patrons.md 14.12). */
export const embedPeopleList = embedOperation("people", "embedPeopleList");
export const embedList = embedOperation("lists", "embedList");
/** There is none of series. */
export const embedSeries = embedOperation("series", "embedSeries");

function embedOperation(folder: ListFolder, id: string) {
  return listOperation({
    id,
    summary: "A list as a small page for the pages of others",
    folder,
    number: "list_id",
    query: { page: z.string().optional().describe("From 1") },
    responses: {
      200: { description: "A page with ten members", contentType: "text/html" },
      404: { description: "No such list" },
    },
    handle: (key, { page }, context) => embedPage(key, page, context),
  });
}
