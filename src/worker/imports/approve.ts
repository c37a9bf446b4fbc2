import * as z from "zod";
import { datetimeText } from "../../catalog/datetime.ts";
import { approveItems } from "../../db/imports/items.ts";
import { READ_ONLY_GROUP, hasRole } from "../../catalog/roles.ts";
import { forbidden, methodNotAllowed } from "../http/errors.ts";
import { type AnyOperation, operation } from "../http/operation.ts";
import { isOwnLink } from "../http/same-origin.ts";
import { type Reply, PRIVATE, privateJson, redirect } from "../http/reply.ts";
import { notify } from "../ui/notice.ts";
import { batchAt, wantsPage } from "./batch-view.ts";
import { queueItems } from "./queue.ts";

/** `GET` and `POST /import/batch/approve/<id>`: approves the items of a batch for import. */
export const approveBatchLink = approving("approveBatchLink", "Approve a batch by a link of this site");
export const approveBatch = approving("approveBatch", "Approve a batch");

function approving(id: string, summary: string): AnyOperation {
  return operation({
    id,
    summary,
    tag: "import",
    path: { id: z.string().describe("Number of the batch") },
    // Q353: GET changes state as well.
    inReadOnly: false,
    responses: {
      200: { description: "For programs", schema: z.object({ batch: z.int(), approved: z.int() }) },
      302: { description: "For people: to the batch" },
      403: { description: "Not an administrator, or a link elsewhere" },
      404: { description: "No such batch" },
      405: { description: "HEAD" },
    },
    async handle({ path }, context): Promise<Reply> {
      const { request, stores, now: time } = context;
      if (request.method === "HEAD") throw methodNotAllowed(["GET", "POST"]);
      const actor = await context.actor();
      if (!hasRole(actor, "admin") || actor.groups.has(READ_ONLY_GROUP))
        throw forbidden("Permission Denied.");
      if (request.method === "GET" && !isOwnLink(context)) throw forbidden("A link elsewhere cannot approve");
      const { id: batch } = await batchAt(context, path.id);
      const pending = await approveItems(stores.catalog, { batch, now: datetimeText(time) });
      await queueItems(stores.importQueue, pending);
      if (!wantsPage(context)) return privateJson({ batch, approved: pending.length });
      notify(context, "imports.approved");
      return redirect(302, `/import/batch/${batch}`, { cacheControl: PRIVATE });
    },
  });
}
