import * as z from "zod";
import { deleteList } from "../../lists-write/delete-list.ts";
import { listKey } from "../../lists/list-path.ts";
import { type AnyOperation, operation } from "../../operation.ts";
import { NO_STORE, json, redirect } from "../../reply.ts";
import { wantsHtml } from "../../wants-html.ts";
import { listId, username } from "./schemas.ts";

/** `POST /people/<username>/lists/OL1L/delete.json` (patrons.md 14.10). */
export const deleteListOperation = deleteOperation("deleteList", "people");
/** `POST /lists/OL1L/delete.json` */
export const deleteCommunityList = deleteOperation("deleteCommunityList", "lists");

function deleteOperation(id: string, folder: "people" | "lists"): AnyOperation {
  const path: Record<string, z.ZodString> =
    folder === "people" ? { username, list_id: listId } : { list_id: listId };
  return operation({
    id,
    summary: "Delete a list; those of the community are deleted by administrators only",
    tag: "lists",
    path,
    responses: {
      200: { description: "Deleted", schema: z.object({ status: z.literal("ok") }) },
      303: { description: "People go to the lists that are left" },
      401: { description: "Not logged in" },
      403: { description: "Somebody else's list" },
      404: { description: "No such list" },
    },
    async handle({ path: names }, context) {
      const key = listKey(folder, names, context);
      await deleteList(context, key);
      if (!wantsHtml(context.request)) return json({ status: "ok" }, { cacheControl: NO_STORE });
      return redirect(303, key.slice(0, key.lastIndexOf("/")), { cacheControl: NO_STORE });
    },
  });
}
