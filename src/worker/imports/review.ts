import { MIB } from "../../catalog/units.ts";
import { failure } from "../http/failure.ts";
import * as z from "zod";
import { readPendingBatches, openBatch } from "../../db/imports/batches.ts";
import { type AnyOperation, operation } from "../http/operation.ts";
import { lenientInteger } from "../http/parameters.ts";
import { type Reply, PRIVATE, privateJson, redirect } from "../http/reply.ts";
import { page as htmlPage } from "../ui/layout.ts";
import { type Markup, markup } from "../ui/markup.ts";
import { BATCH_PAGES_MAX, requireBatch, pageOrData, wantsBatchPage } from "./batch-view.ts";
import { STATUS_WORDS, batchLink, pageTurnLinks } from "./import-tables.ts";
import { table } from "../ui/table.ts";
import { moment, t } from "../ui/words.ts";
import { formatDatetime } from "../../catalog/datetime.ts";
import { approveItems, addItems } from "../../db/imports/items.ts";
import { READ_ONLY_GROUP, hasRole } from "../../catalog/roles.ts";
import { methodNotAllowed } from "../http/errors.ts";
import { isOwnLink } from "../http/redirect-target.ts";
import { notify } from "../ui/notice.ts";
import { queueItems } from "./import-queue.ts";
import { answerDone } from "../ui/action-answer.ts";
import { adminPage, doneSchema } from "../admin/admin-page.ts";
import { form } from "../ui/form.ts";
import { addedSchema } from "./schemas.ts";

function pendingPage({ batches, page, next }: z.output<typeof pendingPageSchema>): Reply {
  const body = markup`${batches.length === 0 ? markup`<p>${t("imports.pending_none")}</p>` : pendingTable(batches)}
${pageTurnLinks("/import/batch/pending", page, next)}`;
  return htmlPage({ title: t("imports.pending_batches"), body });
}

function pendingTable(batches: z.output<typeof pendingPageSchema>["batches"]): Markup {
  return table({
    caption: t("imports.pending_batches"),
    columns: [
      t("imports.batch"),
      t("imports.added"),
      t("imports.status"),
      t("desk.by"),
      t("imports.comments"),
    ],
    rows: batches.map((batch) => [
      batchLink(batch.batch_id),
      moment(batch.added_time),
      t(STATUS_WORDS[batch.status]),
      batch.submitter,
      batch.comments,
    ]),
  });
}

const pendingBatchSchema = z.object({
  batch_id: z.int(),
  added_time: z.string(),
  status: z.literal("needs_review"),
  submitter: z.string().nullable(),
  comments: z.string().nullable(),
});
const pendingPageSchema = z.object({
  batches: z.array(pendingBatchSchema),
  page: z.int(),
  next: z.int().nullable(),
});

const PENDING_BATCHES_LIMIT = 50;

export const pendingImportBatches = operation({
  id: "pendingBatches",
  summary: "List batches that wait for approval",
  tag: "import",
  query: { page: lenientInteger(1, { min: 1, max: BATCH_PAGES_MAX }) },
  responses: {
    200: { description: "Page of batches, oldest first", schema: pendingPageSchema },
  },
  async handle({ query: { page } }, context) {
    const limit = PENDING_BATCHES_LIMIT;
    const batches = await readPendingBatches(context.stores.catalog, { limit, offset: (page - 1) * limit });
    const next = batches.length < limit ? null : page + 1;
    return pageOrData(context, { batches, page, next }, pendingPage);
  },
});

export const approveBatchLink = approveOperation(
  "approveBatchLink",
  "Approve a batch by a link on this site",
);
export const approveBatch = approveOperation("approveBatch", "Approve a batch");

function approveOperation(id: string, summary: string): AnyOperation {
  return operation({
    id,
    summary,
    tag: "import",
    path: { id: z.string().describe("Number of the batch") },
    // Q353: GET changes state as well.
    inReadOnly: false,
    responses: {
      200: {
        description: "Number of the batch and of the approved items",
        schema: z.object({ batch: z.int(), approved: z.int() }),
      },
      302: { description: "Redirect to the batch, for browsers" },
      403: { description: "Not an administrator, or a link from another site" },
      405: { description: "HEAD is not allowed" },
    },
    async handle({ path }, context): Promise<Reply> {
      const { request, stores, now: time } = context;
      if (request.method === "HEAD") throw methodNotAllowed(["GET", "POST"]);
      const actor = await context.actor();
      if (!hasRole(actor, "admin") || actor.groups.has(READ_ONLY_GROUP)) throw failure("forbidden.approve");
      if (request.method === "GET" && !isOwnLink(context)) throw failure("forbidden.cross_site");
      const { id: batch } = await requireBatch(context, path.id);
      const ids = await approveItems(stores.catalog, { batch, now: formatDatetime(time) });
      await queueItems(stores.importQueue, ids);
      if (!wantsBatchPage(context)) return privateJson({ batch, approved: ids.length });
      notify(context, "imports.approved");
      return redirect(302, `/import/batch/${batch}`, { cacheControl: PRIVATE });
    },
  });
}

function addPage(value?: string, error?: Markup): Reply {
  const identifiers = {
    name: "identifiers",
    label: t("imports.ids"),
    type: "textarea",
    hint: t("imports.ids_hint"),
    required: true,
    value: value,
    ...(error !== undefined && { error }),
  } as const;
  const body = form({ action: "/admin/imports/add", fields: [identifiers], submit: t("imports.queue") });
  return adminPage({ title: t("imports.by_ids"), body });
}

/** Maximum number of ids in one form. `ADD_BODY_BYTES` limits its size. */
const ADDED_IDS_MAX = 10_000;
const ADD_BODY_BYTES = 2 * MIB;
const ID_LENGTH = 200;

const ADMIN_BATCH = "admin";

export const adminImportsAddForm = operation({
  id: "adminImportsAddForm",
  summary: "Show the form to queue items by their IDs",
  tag: "administration",
  responses: { 200: { description: "HTML form", contentType: "text/html" } },
  handle: () => addPage(),
});

export const adminImportsAdd = operation({
  id: "adminImportsAdd",
  summary: "Queue items by their IDs",
  tag: "administration",
  form: { identifiers: z.string().default("").describe("IDs of items, one per line") },
  bodyBytes: ADD_BODY_BYTES,
  responses: {
    200: {
      description: "Number of submitted, queued and skipped items",
      schema: doneSchema.extend(addedSchema.shape),
    },
    303: { description: "Redirect to the state of imports, for browsers" },
    400: { description: "IDs missing, too many or too long" },
  },
  handle: ({ form: { identifiers } }, context) => {
    const showAgain = (problem: Markup) => addPage(identifiers, problem);
    return answerDone(
      context,
      { to: "/admin/imports", words: "imports.queued", again: showAgain },
      async () => {
        const ids = identifiers.split(/\r\n|[\r\n]/).flatMap((line) => line.trim() || []);
        if (ids.length === 0) throw failure("bad_data.no_ids");
        if (ids.length > ADDED_IDS_MAX) throw failure("bad_data.too_many", { most: ADDED_IDS_MAX });
        if (ids.some((id) => id.length > ID_LENGTH)) throw failure("bad_data.id_length", { most: ID_LENGTH });
        const { stores, now: time } = context;
        const { username } = await context.actor();
        const now = formatDatetime(time);
        const { batch } = await openBatch(stores.catalog, { name: ADMIN_BATCH, submitter: username, now });
        const items = ids.map((id) => ({ ia_id: id, submitter: username }));
        const { pending, ...added } = await addItems(stores.catalog, items, { batch: batch.id, now });
        await queueItems(stores.importQueue, pending);
        return added;
      },
    );
  },
});
