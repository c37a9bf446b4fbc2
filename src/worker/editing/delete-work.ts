import * as z from "zod";
import { formText, nestedFields } from "../../catalog/editing/form-fields.ts";
import { numberedKey } from "../../catalog/keys.ts";
import { denied } from "../../catalog/editing/failure.ts";
import { readEditionKeys } from "../../db/records/members.ts";
import { writeError } from "../history/edit-desk.ts";
import { saveChange } from "../history/save.ts";
import { hasRole } from "../../catalog/roles.ts";
import { CarrelError } from "../http/errors.ts";
import { type RequestContext, operation } from "../http/operation.ts";
import { digitsOf, slug } from "../http/parameters.ts";
import { json } from "../http/reply.ts";
import { tombstone } from "./deletion.ts";
import { readForm } from "./sent-form.ts";
import { latestOfType } from "./save-form.ts";

/** Number of editions from which on `bulk` is required, and most documents of one change here. */
const BULK_EDITIONS = 1000;
/** Changes that one request makes; the next request continues. */
const BULK_CHANGES_MAX = 100;
const KIND = "bulk-delete-books";

/** `POST /works/OL1W/delete`: deletes a work with all its editions. */
export const deleteWork = operation({
  id: "deleteWork",
  summary: "Deletes a work with all its editions; administrators only",
  tag: "records",
  path: { work_id: digitsOf("work"), slug },
  body: {
    contentType: "application/x-www-form-urlencoded",
    description: "`comment`; `bulk` when there are 1000 editions or more",
  },
  responses: {
    200: { description: "Deleted", schema: z.object({ status: z.literal("ok") }) },
    400: { description: "There are 1000 editions or more, and `bulk` was not said" },
    403: { description: "Not an administrator" },
    404: { description: "No such work" },
    503: { description: "There is more to delete: ask again" },
  },
  async handle({ path: { work_id: number } }, context) {
    const key = numberedKey("work", number, context.settings.RECORD_PREFIX);
    if (!hasRole(await context.actor(), "admin")) {
      throw writeError([denied(`Permission denied to delete '${key}'`, { key })]);
    }
    const { form } = nestedFields(await readForm(context));
    await latestOfType(context, key, "/type/work");
    // `bulk` without a value means yes too.
    const isBulk = !["false", "0", "no"].includes(formText(form, "bulk")?.toLowerCase() ?? "no");
    await deleteAll(context, key, { comment: formText(form, "comment") ?? null, isBulk });
    return json({ status: "ok" });
  },
});

/** Deletes editions, a change for each thousand, and with the last of them the work. */
async function deleteAll(
  context: RequestContext,
  work: string,
  { comment, isBulk }: { readonly comment: string | null; readonly isBulk: boolean },
): Promise<void> {
  for (let change = 0; change < BULK_CHANGES_MAX; change += 1) {
    const database = context.stores.catalog.withSession("first-primary");
    const editions = await readEditionKeys(database, work, BULK_EDITIONS);
    // Q113: the work is deleted with the last editions, so that an interrupted request can be repeated.
    const isMore = editions.length >= BULK_EDITIONS;
    if (isMore && !isBulk) {
      const error = "API can only delete 1000 editions per work.";
      throw new CarrelError(400, "too_many_editions", { message: error, body: { error } });
    }
    const keys = isMore ? editions : [...editions, work];
    await saveChange(context, { documents: keys.map(tombstone), kind: KIND, comment });
    if (!isMore) return;
  }
  const message = "The work has more editions; repeat the request to delete them";
  throw new CarrelError(503, "unfinished", {
    message,
    body: { error: "busy", message },
    headers: { "Retry-After": "1" },
  });
}
