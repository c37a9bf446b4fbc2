import { MIB } from "../../catalog/units.ts";
import { type Failure, failure } from "../http/failure.ts";
import * as z from "zod";
import { readPendingBatches, openBatch } from "../../db/imports/batches.ts";
import { type AnyOperation, operation } from "../http/operation.ts";
import { lenientInteger } from "../http/parameters.ts";
import { type Reply, NO_STORE, PRIVATE, json, redirect } from "../http/reply.ts";
import { adminPage, dataTable } from "../ui/data-page.ts";
import { page as htmlPage } from "../ui/layout.ts";
import { command } from "../ui/command.ts";
import { BATCH_PAGES_MAX, requireBatch, wantsBatchPage } from "./batch-view.ts";
import { STATUS_WORDS, batchLink, pageTurnLinks } from "./items-page.ts";
import { t } from "../ui/words.ts";
import { formatDatetime } from "../../catalog/datetime.ts";
import { approveItems, addItems } from "../../db/imports/items.ts";
import { READ_ONLY_GROUP, hasRole } from "../../catalog/roles.ts";
import { methodNotAllowed } from "../http/errors.ts";
import { isOwnLink } from "../http/redirect-target.ts";
import { resource } from "../http/views.ts";
import { notify } from "../ui/notice.ts";
import { queueItems } from "./import-queue.ts";
import { doneSchema, okJson } from "../admin/admin-form.ts";
import { form } from "../ui/form.ts";
import { addedSchema } from "./schemas.ts";

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

export const pendingImportBatches = resource({
  id: "pendingBatches",
  summary: "List batches that wait for approval",
  tag: "import",
  query: { page: lenientInteger(1, { min: 1, max: BATCH_PAGES_MAX }) },
  responses: {
    200: { description: "Page of batches, oldest first", schema: pendingPageSchema },
  },
  isPageByDefault: true,
  async read({ query: { page } }, context) {
    const limit = PENDING_BATCHES_LIMIT;
    const batches = await readPendingBatches(context.stores.catalog, { limit, offset: (page - 1) * limit });
    const next = batches.length < limit ? null : page + 1;
    return { batches, page, next };
  },
  asJson: (batches) => json(batches, { cacheControl: NO_STORE }),
  page({ batches, page, next }) {
    const title = t("imports.pending_batches");
    const table = dataTable({
      caption: title,
      members: {
        batch_id: ["imports.batch", (id) => batchLink(id)],
        added_time: "imports.added",
        status: ["imports.status", (status) => t(STATUS_WORDS[status])],
        submitter: "desk.by",
        comments: "imports.comments",
      },
      rows: batches,
      none: "imports.pending_none",
    });
    return htmlPage({ title, body: [table, pageTurnLinks("/import/batch/pending", page, next)] });
  },
});

export const approveBatchLink = approveOperation(
  "approveBatchLink",
  "Approve a batch by a link on this site",
);
export const approveBatch = approveOperation("approveBatch", "Approve a batch");

function approveOperation(id: string, summary: string): AnyOperation {
  return command({
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
    showsPage: wantsBatchPage,
    async load({ path }, context) {
      const { request } = context;
      if (request.method === "HEAD") throw methodNotAllowed(["GET", "POST"]);
      const actor = await context.actor();
      if (!hasRole(actor, "admin") || actor.groups.has(READ_ONLY_GROUP)) throw failure("forbidden.approve");
      if (request.method === "GET" && !isOwnLink(context)) throw failure("forbidden.cross_site");
      return requireBatch(context, path.id);
    },
    async submit({ loaded: { id: batch } }, { stores, now }) {
      const ids = await approveItems(stores.catalog, { batch, now: formatDatetime(now) });
      await queueItems(stores.importQueue, ids);
      return { batch, approved: ids.length };
    },
    page({ batch }, _input, context) {
      notify(context, "imports.approved");
      return redirect(302, `/import/batch/${batch}`, { cacheControl: PRIVATE });
    },
  });
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

export const adminImportsAdd = command({
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
  async submit({ form: { identifiers } }, context) {
    const { stores } = context;
    const field = "identifiers";
    const ids = identifiers.split(/\r\n|[\r\n]/).flatMap((line) => line.trim() || []);
    if (ids.length === 0) throw failure("bad_data.no_ids", {}, { field });
    if (ids.length > ADDED_IDS_MAX) throw failure("bad_data.too_many", { most: ADDED_IDS_MAX }, { field });
    if (ids.some((id) => id.length > ID_LENGTH))
      throw failure("bad_data.id_length", { most: ID_LENGTH }, { field });
    const { username } = await context.actor();
    const now = formatDatetime(context.now);
    const { batch } = await openBatch(stores.catalog, { name: ADMIN_BATCH, submitter: username, now });
    const items = ids.map((id) => ({ ia_id: id, submitter: username }));
    const { pending, ...added } = await addItems(stores.catalog, items, { batch: batch.id, now });
    await queueItems(stores.importQueue, pending);
    return added;
  },
  asJson: okJson,
  done: { to: "/admin/imports", notice: "imports.queued" },
  again: (refusal, { form: { identifiers } }) => addPage(identifiers, refusal),
});

function addPage(value?: string, refusal?: Failure): Reply {
  const label = t("imports.ids");
  const hint = t("imports.ids_hint");
  const fields = [{ name: "identifiers", label, type: "textarea", hint, required: true, value }] as const;
  return adminPage({
    title: t("imports.by_ids"),
    parts: [form({ action: "/admin/imports/add", fields, submit: t("imports.queue"), refusal })],
  });
}
