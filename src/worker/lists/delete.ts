import * as z from "zod";
import { typeKey } from "../../catalog/record.ts";
import { tombstone } from "../editing/deletion.ts";
import { wantsHtml } from "../http/accept.ts";
import { mayWriteLists, ownerOfList } from "../http/access.ts";
import { hasRole } from "../../catalog/roles.ts";
import { CarrelError } from "../http/errors.ts";
import { NO_STORE, json, redirect } from "../http/reply.ts";
import { editRecords } from "../history/edit.ts";
import { listOperations } from "./operation.ts";
import { notify } from "../ui/notice.ts";
import { listDenied, withListErrors } from "./rights.ts";
import { listId, username } from "./write-request.ts";

/** `POST <list>/delete.json`: the history stays. Owners delete their own lists, administrators any. */
export const deleteList = listOperations({
  ids: { people: "deleteList", lists: "deleteCommunityList" },
  summary: "Delete a list; those of the community are deleted by administrators only",
  path: { username, list_id: listId },
  responses: {
    200: { description: "Deleted", schema: z.object({ status: z.literal("ok") }) },
    303: { description: "People go to the lists that are left" },
    401: { description: "Not logged in" },
    403: { description: "List of another user" },
    404: { description: "No such list" },
  },
  async handle({ key }, _input, context) {
    const actor = await context.actor();
    const owner = ownerOfList(key);
    const isOwn = owner !== undefined && owner === actor.key;
    // Whether there is such a list is not told to others.
    if (!mayWriteLists(actor, owner) || !(isOwn || hasRole(actor, "admin"))) throw listDenied();
    await withListErrors(key, () =>
      editRecords(context, [key], (records) => {
        const list = records.get(key);
        if (list === undefined || typeKey(list) !== "/type/list") {
          throw new CarrelError(404, "not_found", { message: "Not found." });
        }
        // Owners may delete no other records, so the service does it for them.
        return {
          documents: [tombstone(key)],
          kind: "delete-list",
          comment: "Deleted list.",
          data: { list: { key } },
          authority: "service",
          author: actor.key ?? "",
        };
      }),
    );
    if (!wantsHtml(context.request)) return json({ status: "ok" }, { cacheControl: NO_STORE });
    notify(context, "notice.list_deleted");
    return redirect(303, key.slice(0, key.lastIndexOf("/")), { cacheControl: NO_STORE });
  },
});
