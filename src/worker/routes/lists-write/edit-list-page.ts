import * as z from "zod";
import { editAddress } from "../../forms/edit-address.ts";
import { editFormPage } from "../../lists-write/edit-form-page.ts";
import { type ListFolder, listKey } from "../../lists/list-path.ts";
import { type AnyOperation, operation } from "../../operation.ts";
import { formPath, typeIn } from "./schemas.ts";

/** `GET /people/<username>/lists/OL1L/edit`, with or without the readable part: the form of a list (patrons.md 14.11). */
export const editListForm = pageOperation("editListForm", "people");
export const editListFormAtPage = pageOperation("editListFormAtPage", "people", true);
/** `GET /lists/OL1L/edit` */
export const editCommunityListForm = pageOperation("editCommunityListForm", "lists");
export const editCommunityListFormAtPage = pageOperation("editCommunityListFormAtPage", "lists", true);
/** `GET /series/OL1L/edit` */
export const editSeriesForm = pageOperation("editSeriesForm", "series");
export const editSeriesFormAtPage = pageOperation("editSeriesFormAtPage", "series", true);

function pageOperation(id: string, folder: ListFolder, hasSlug = false): AnyOperation {
  const type = typeIn(folder);
  return operation({
    id,
    summary: `The form of a ${folder === "series" ? "series" : "list"}`,
    tag: "forms",
    path: formPath(folder, hasSlug),
    query: { v: z.string().optional().describe("Number of a revision to fill the form with") },
    responses: {
      200: {
        description: "A page for people",
        schema: z.object({ key: z.string(), revision: z.int() }),
        also: ["text/html"],
      },
      301: { description: "The record's own address" },
      303: { description: "People who are to log in first" },
      401: { description: "Not logged in" },
      403: { description: "Somebody else's list" },
      404: { description: "No such list or series" },
    },
    handle({ path: names, query: { v: revision } }, context) {
      const key = listKey(folder, names, context);
      return editAddress(context, { key, type, slug: names["slug"], revision }, () =>
        editFormPage(context, { key, type, revision }),
      );
    },
  });
}
