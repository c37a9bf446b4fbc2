import * as z from "zod";
import {
  LIST_DESCRIPTION_LENGTH,
  LIST_NAME_LENGTH,
  LIST_SEEDS_MAX,
  LIST_TAGS_MAX,
  LIST_TAG_LENGTH,
} from "../../../catalog/lists/limits.ts";
import { withoutBlanks } from "../../../catalog/lists/list-form.ts";
import { normalizeSeeds } from "../../../catalog/lists/normalize-seeds.ts";
import { createList } from "../../lists-write/create-list.ts";
import { badList, withListErrors } from "../../lists-write/list-errors.ts";
import { requireOwner } from "../../lists-write/rights.ts";
import { LIST_BODY_BYTES } from "../../lists-write/sent-form.ts";
import { operation } from "../../operation.ts";
import { NO_STORE, json } from "../../reply.ts";
import { asJson, typedSeeds, username } from "./schemas.ts";

const body = z.object({
  name: z.string().max(LIST_NAME_LENGTH).default(""),
  description: z.string().max(LIST_DESCRIPTION_LENGTH).default(""),
  tags: z.array(z.string().max(LIST_TAG_LENGTH)).max(LIST_TAGS_MAX).default([]),
  seeds: typedSeeds.max(LIST_SEEDS_MAX).default([]),
});

/** `POST /people/<username>/lists.json`: makes a list (patrons.md 14.5). */
export const createListOperation = operation({
  id: "createList",
  summary: "Make a list",
  tag: "lists",
  path: { username },
  json: body,
  bodyBytes: LIST_BODY_BYTES,
  responses: {
    200: { description: "Made", schema: z.object({ key: z.string(), revision: z.int() }) },
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
