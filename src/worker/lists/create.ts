import * as z from "zod";
import { listChangeData } from "../../catalog/lists/list-change.ts";
import {
  LIST_DESCRIPTION_LENGTH,
  LIST_NAME_LENGTH,
  LIST_SEEDS_MAX,
  LIST_TAGS_MAX,
  LIST_TAG_LENGTH,
  normalizeSeeds,
} from "../../catalog/lists/seeds.ts";
import { type ListForm, listRecord, withoutBlanks } from "../../catalog/lists/list-form.ts";
import { type RequestContext, operation } from "../http/operation.ts";
import { NO_STORE, json } from "../http/reply.ts";
import { type Saved, createRecords } from "../history/save.ts";
import { badList, requireOwner, withListErrors } from "./rights.ts";
import { LIST_BODY_BYTES, asJson, typedSeeds, username } from "./write-request.ts";

/** The key that the first new record of a change gets, wherever it is named. */
export const NEW_LIST = "/__new__/0";

const body = z
  .object({
    name: z.string().max(LIST_NAME_LENGTH).default(""),
    description: z.string().max(LIST_DESCRIPTION_LENGTH).default(""),
    tags: z.array(z.string().max(LIST_TAG_LENGTH)).max(LIST_TAGS_MAX).default([]),
    seeds: typedSeeds.max(LIST_SEEDS_MAX).default([]),
  })
  .meta({ id: "CreateListBody" });

/** `POST /people/<username>/lists.json`: makes a list. */
export const createListOperation = operation({
  id: "createList",
  summary: "Make a list",
  tag: "lists",
  path: { username },
  json: body,
  bodyBytes: LIST_BODY_BYTES,
  responses: {
    200: {
      description: "Made",
      schema: z.object({ key: z.string(), revision: z.int() }).meta({ id: "CreateListResponse" }),
    },
    400: { description: "A seed is none, or is not in the catalog" },
    401: { description: "Not logged in" },
    403: { description: "Somebody else's lists, or the list looks like spam" },
    404: { description: "No such patron" },
  },
  async handle({ path, json: sent }, context) {
    const owner = await requireOwner(context, path.username);
    const normalized = normalizeSeeds(asJson(sent.seeds), context.settings.RECORD_PREFIX);
    if ("failure" in normalized) throw badList(normalized.failure);
    const { name, description } = sent;
    const form = { name, description, tags: withoutBlanks(sent.tags), seeds: normalized.seeds };
    const { saved } = await withListErrors(owner, () => createList(context, { owner, form }));
    return json(saved[0] ?? {}, { cacheControl: NO_STORE });
  },
});

/** Makes a list of a patron, or of the community (null), as one change. Throws `writeError`. */
export async function createList(
  context: RequestContext,
  {
    owner,
    form,
    comment = "Created new list.",
  }: { readonly owner: string | null; readonly form: ListForm; readonly comment?: string | undefined },
): Promise<Saved> {
  return createRecords(context, {
    documents: [listRecord("/type/list", form)],
    kind: "create-list",
    comment,
    data: listChangeData(NEW_LIST, { seeds: [...form.seeds] }),
    owner,
    suspectsAll: true,
  });
}
