import * as z from "zod";
import { datetimeText } from "../../catalog/datetime.ts";
import { openBatch } from "../../db/imports/batches.ts";
import { addItems } from "../../db/imports/items.ts";
import { answerDone } from "../ui/action-answer.ts";
import { adminPage, doneSchema } from "../admin/admin-page.ts";
import { badData } from "../http/errors.ts";
import { operation } from "../http/operation.ts";
import type { Reply } from "../http/reply.ts";
import { form } from "../ui/form.ts";
import type { Markup } from "../ui/markup.ts";
import { say } from "../ui/words.ts";
import { queueItems } from "./import-queue.ts";
import { addedSchema } from "./schemas.ts";

function addPage(value?: string, error?: Markup): Reply {
  const identifiers = {
    name: "identifiers",
    label: say("imports.ids"),
    type: "textarea",
    hint: say("imports.ids_hint"),
    required: true,
    value: value,
    ...(error !== undefined && { error }),
  } as const;
  const body = form({ action: "/admin/imports/add", fields: [identifiers], submit: say("imports.queue") });
  return adminPage({ title: say("imports.by_ids"), body });
}

/** Maximum number of ids in one form. `ADD_BODY_BYTES` limits its size. */
const ADDED_IDS_MAX = 10_000;
const ADD_BODY_BYTES = 2 * 1024 * 1024;
const ID_LENGTH = 200;

const ADMIN_BATCH = "admin";

export const adminImportsAddForm = operation({
  id: "adminImportsAddForm",
  summary: "Form for ids of items to be imported",
  tag: "administration",
  responses: { 200: { description: "The page", contentType: "text/html" } },
  handle: () => addPage(),
});

export const adminImportsAdd = operation({
  id: "adminImportsAdd",
  summary: "Queue items by their ids",
  tag: "administration",
  form: { identifiers: z.string().default("").describe("One a line") },
  bodyBytes: ADD_BODY_BYTES,
  responses: {
    200: {
      description: "For programs",
      schema: doneSchema.extend(addedSchema.shape),
    },
    303: { description: "For people: to the state of imports" },
    400: { description: "No ids, or too many, or too long ones" },
  },
  handle: ({ form: { identifiers } }, context) => {
    const showAgain = (problem: Markup) => addPage(identifiers, problem);
    return answerDone(
      context,
      { to: "/admin/imports", words: "imports.queued", again: showAgain },
      async () => {
        const ids = identifiers.split(/\r\n|[\r\n]/).flatMap((line) => line.trim() || []);
        if (ids.length === 0) throw badData("Enter at least one ID.");
        if (ids.length > ADDED_IDS_MAX) throw badData(`There are more than ${ADDED_IDS_MAX} IDs.`);
        if (ids.some((id) => id.length > ID_LENGTH))
          throw badData(`An id is longer than ${ID_LENGTH} characters.`);
        const { stores, now: time } = context;
        const { username } = await context.actor();
        const now = datetimeText(time);
        const { batch } = await openBatch(stores.catalog, { name: ADMIN_BATCH, submitter: username, now });
        const items = ids.map((id) => ({ ia_id: id, submitter: username }));
        const { pending, ...added } = await addItems(stores.catalog, items, { batch: batch.id, now });
        await queueItems(stores.importQueue, pending);
        return added;
      },
    );
  },
});
