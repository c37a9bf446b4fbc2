import type * as z from "zod";
import { nestedFields } from "../../../catalog/forms/nested.ts";
import { sentSeeds } from "../../../catalog/lists/list-form.ts";
import type { RequestContext } from "../../context.ts";
import { readForm } from "../../forms/read-form.ts";
import { type SentSeeds, changeSeeds } from "../../lists-write/change-seeds.ts";
import { type ListFolder, listKey } from "../../lists/list-path.ts";
import { type AnyOperation, operation } from "../../operation.ts";
import { backOr } from "../../people/back.ts";
import { NO_STORE, json } from "../../reply.ts";
import { checkInput, inputSchemas } from "../../validation/input.ts";
import { isJson, receiveBody } from "../../validation/request-body.ts";
import { writeError } from "../../writes/write-error.ts";
import { changeListSeeds, seedsBody } from "./change-seeds.ts";
import { asJson, listId, seedsSaved, username } from "./schemas.ts";

/** Q263: the same as `…/seeds.json` without the suffix: for JSON, and for forms with the fields `add` and `remove`. */
export const listSeedsForm = formOperation("listSeedsForm", "people");
export const communityListSeedsForm = formOperation("communityListSeedsForm", "lists");
export const seriesSeedsForm = formOperation("seriesSeedsForm", "series");

const BODY = inputSchemas({ ...changeListSeeds, path: {} });

function formOperation(id: string, folder: ListFolder): AnyOperation {
  const path: Record<string, z.ZodString> =
    folder === "people" ? { username, olid: listId } : { olid: listId };
  return operation({
    id,
    summary: "Add seeds and remove others by a form",
    tag: "lists",
    path,
    body: {
      contentType: "application/x-www-form-urlencoded",
      description: "`add`, `remove`: seeds, with commas between; or JSON as for the address with `.json`",
    },
    responses: {
      200: { description: "The revision after it", schema: seedsSaved },
      303: { description: "People go back to where the form was" },
    },
    async handle({ path: names }, context) {
      const key = listKey(folder, names, context);
      const saved = await changeSeeds(context, key, await sentTo(context));
      return backOr(context, json(saved, { cacheControl: NO_STORE }));
    },
  });
}

async function sentTo(context: RequestContext): Promise<SentSeeds> {
  if (isJson(context.request)) {
    const body = await receiveBody(changeListSeeds, context.request);
    // Checked by this very schema.
    const sent = seedsBody.parse(checkInput(BODY, { path: {}, query: new URLSearchParams(), body }).json);
    return { add: asJson(sent.add), remove: asJson(sent.remove) };
  }
  const { form, failures } = nestedFields(await readForm(context));
  if (failures.length > 0) throw writeError(failures);
  return { add: sentSeeds(form["add"]), remove: sentSeeds(form["remove"]) };
}
