import { failure } from "../http/failure.ts";
import * as z from "zod";
import { NEW_LIST, buildListChangeData } from "../../catalog/lists/list-change.ts";
import {
  LIST_DESCRIPTION_LENGTH,
  LIST_NAME_LENGTH,
  LIST_SEEDS_MAX,
  LIST_TAGS_MAX,
  LIST_TAG_LENGTH,
  normalizeSeeds,
  seedsOfRecord,
} from "../../catalog/lists/seeds.ts";
import {
  type ListForm,
  buildListRecord,
  distinctTextsOf,
  readListForm,
} from "../../catalog/lists/list-form.ts";
import { type RequestContext, operation } from "../http/operation.ts";
import { NO_STORE, json } from "../http/reply.ts";
import { type Saved, createRecords, saveChange } from "../editing/save-change.ts";
import {
  followSeedInputs,
  requireListOwner,
  withListErrors,
  LIST_BODY_BYTES,
  asJson,
  seedsSchema,
  username,
  listDenied,
  listId,
} from "./write-request.ts";
import { isObject, typeKeyOf } from "../../catalog/record.ts";
import { takeControlMembers } from "../../catalog/editing/write-request.ts";
import { readLatest, editRecords } from "../editing/edit-records.ts";
import { canWriteLists, ownerOfList } from "../http/access.ts";
import { isWriter, hasRole } from "../../catalog/roles.ts";
import { requestJson } from "../http/request-body.ts";
import { readExpectedRevision, putRecordDocument } from "../editing/put-record.ts";
import { revisionSchema } from "../history/change-entry.ts";
import { writeError } from "../editing/edit-desk.ts";
import { inFolders, listKeyOf, listNotFound, pathParametersIn } from "./list-operations.ts";
import { tombstone } from "../editing/deletion.ts";
import { command } from "../ui/command.ts";
import { FOLDERS } from "./folders.ts";

const body = z
  .object({
    name: z.string().max(LIST_NAME_LENGTH).default(""),
    description: z.string().max(LIST_DESCRIPTION_LENGTH).default(""),
    tags: z.array(z.string().max(LIST_TAG_LENGTH)).max(LIST_TAGS_MAX).default([]),
    seeds: seedsSchema.max(LIST_SEEDS_MAX).default([]),
  })
  .meta({ id: "CreateListBody" });

export const createListOperation = operation({
  id: "createList",
  summary: "Create a list",
  tag: "lists",
  path: { username },
  json: body,
  bodyBytes: LIST_BODY_BYTES,
  needsActor: true,
  responses: {
    200: {
      description: "Key and revision of the new list",
      schema: z.object({ key: z.string(), revision: z.int() }).meta({ id: "CreateListResponse" }),
    },
    400: { description: "Invalid seed, or a seed that is not in the catalog" },
    403: { description: "List of another user, or spam" },
  },
  async handle({ path, json: { name, description, tags, seeds } }, context) {
    const owner = await requireListOwner(context, path.username);
    const normalized = normalizeSeeds(asJson(seeds), context.settings.RECORD_PREFIX);
    if ("failure" in normalized) throw failure(normalized.failure.key, normalized.failure.values);
    const form = { name, description, tags: distinctTextsOf(tags), seeds: normalized.seeds };
    const { saved } = await withListErrors(owner, () => createList(context, { owner, form }));
    return json(saved[0] ?? {}, { cacheControl: NO_STORE });
  },
});

/** Creates a list of a patron, or of the community (null), as one change. Throws `writeError`. */
export async function createList(
  context: RequestContext,
  {
    owner,
    form,
    comment = "Created new list.",
  }: { owner: string | null; form: ListForm; comment?: string | undefined },
): Promise<Saved> {
  const seeds = await followSeedInputs(context, form.seeds);
  return createRecords(context, {
    documents: [buildListRecord("/type/list", { ...form, seeds })],
    kind: "create-list",
    comment,
    data: buildListChangeData(NEW_LIST, { seeds }),
    owner,
    suspectsAll: true,
  });
}

const LIST = "/type/list";

/** `PUT /people/<username>/lists/OL1L.json` (Q260). For accounts with access to the record API, the PUT of any record. */
export const putList = operation({
  id: "putList",
  summary: "Replace a list",
  tag: "lists",
  path: { username, list_id: listId },
  body: {
    contentType: "application/json",
    description:
      "Record as returned with `?_raw=true`, with your changes and the `revision` that you changed",
  },
  needsActor: true,
  responses: {
    200: { description: "Key and new revision", schema: revisionSchema },
    400: { description: "Invalid record, or no revision" },
    403: { description: "List of another user" },
    409: { description: "Revision other than the current one" },
  },
  async handle({ path }, context) {
    const actor = await context.actor();
    const key = listKeyOf("people", path, context);
    if (isWriter(actor)) return putRecordDocument(context, key);
    if (!canWriteLists(actor, ownerOfList(key))) throw listDenied();
    return withListErrors(key, async () => {
      const value = await requestJson(context, LIST_BODY_BYTES);
      if (!isObject(value)) throw failure("bad_data.json_object");
      const { document, comment } = takeControlMembers(value);
      const stored = (await readLatest(context, [key])).get(key);
      if (stored === undefined || typeKeyOf(stored.document) !== LIST) throw listNotFound();
      const { type = { key: LIST }, revision: base } = document;
      let expected = await readExpectedRevision(context, key);
      if (Object.keys(expected).length === 0) {
        if (typeof base !== "number") throw failure("bad_data.list_revision");
        expected = { [key]: base };
      }
      if (typeKeyOf({ type }) !== LIST) throw failure("bad_data.list_type");
      const { form, failures } = readListForm(document, {
        key,
        type: LIST,
        prefix: context.settings.RECORD_PREFIX,
        stored: seedsOfRecord(stored.document),
        // A list may lose its name here. All other limits apply.
        mayBeNameless: true,
      });
      if (failures.length > 0) throw writeError(failures);
      const seeds = await followSeedInputs(context, form.seeds);
      const tags = form.tags === undefined ? {} : { tags: [...form.tags] };
      const { saved } = await saveChange(context, {
        documents: [{ ...document, seeds, ...tags, key, type: { key: LIST } }],
        expected,
        kind: "edit-list",
        comment: comment ?? null,
        suspectsAll: true,
      });
      const [{ revision = stored.revision } = {}] = saved;
      return json({ key, revision }, { cacheControl: NO_STORE });
    });
  },
});

/** `POST <list>/delete.json`: deletes a list, but not its history. For its owner and administrators. */
export const deleteList = inFolders({ people: "deleteList", lists: "deleteCommunityList" }, (folder, id) =>
  command({
    id,
    summary: "Delete a list; community lists require an administrator",
    tag: "lists",
    needsActor: true,
    path: pathParametersIn(folder, { username, list_id: listId }),
    responses: {
      200: { description: "Deleted", schema: z.object({ status: z.literal("ok") }) },
      303: { description: "Redirect to the lists, for browsers" },
      403: { description: "List of another user" },
    },
    async submit({ path }, context) {
      const key = listKeyOf(folder, path, context);
      const actor = await context.actor();
      const owner = ownerOfList(key);
      const isOwn = owner !== undefined && owner === actor.key;
      // Before reading: other users do not learn if there is such a list.
      if (!canWriteLists(actor, owner) || !(isOwn || hasRole(actor, "admin"))) throw listDenied();
      await withListErrors(key, () =>
        editRecords(context, [key], (records) => {
          const list = records.get(key);
          if (list === undefined || typeKeyOf(list) !== LIST) throw failure("not_found.list_to_delete");
          // Owners have no permission to delete records, so the service saves the change for them.
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
      return { status: "ok" };
    },
    asJson: (deleted) => json(deleted, { cacheControl: NO_STORE }),
    done: {
      to: ({ path }) => FOLDERS[folder].replace("{username}", () => path["username"] ?? ""),
      notice: "notice.list_deleted",
    },
  }),
);
