import * as z from "zod";
import { changeSeeds } from "../../lists-write/change-seeds.ts";
import { LIST_BODY_BYTES } from "../../lists-write/sent-form.ts";
import { type ListFolder, listKey } from "../../lists/list-path.ts";
import { type AnyOperation, operation } from "../../operation.ts";
import { NO_STORE, json } from "../../reply.ts";
import { anySeeds, asJson, listId, seedsSaved, username } from "./schemas.ts";

/** `{add, remove}`: seeds in any form. */
export const seedsBody = z.object({ add: anySeeds.default([]), remove: anySeeds.default([]) });

/** `POST /people/<username>/lists/OL1L/seeds.json` (patrons.md 14.7). */
export const changeListSeeds = seedsOperation("changeListSeeds", "people");
/** `POST /people/<username>/series/OL1L/seeds.json`: no series is there, so this is always a 404. */
export const changePersonalSeriesSeeds = seedsOperation("changePersonalSeriesSeeds", "people-series");
/** `POST /lists/OL1L/seeds.json` */
export const changeCommunityListSeeds = seedsOperation("changeCommunityListSeeds", "lists");
/** `POST /series/OL1L/seeds.json` */
export const changeSeriesSeeds = seedsOperation("changeSeriesSeeds", "series");

function seedsOperation(id: string, folder: ListFolder): AnyOperation {
  const isPersonal = folder === "people" || folder === "people-series";
  const path: Record<string, z.ZodString> = isPersonal ? { username, olid: listId } : { olid: listId };
  return operation({
    id,
    summary:
      folder === "series"
        ? "Add works to a series and remove others"
        : "Add seeds to a list and remove others",
    tag: "lists",
    path,
    json: seedsBody,
    bodyBytes: LIST_BODY_BYTES,
    responses: {
      200: {
        description: "The revision after it; the one before when nothing has changed",
        schema: seedsSaved,
      },
      400: { description: "A seed is none, or is not in the catalog" },
      401: { description: "Not logged in" },
      403: { description: "Somebody else's list" },
      404: { description: "No such list or series" },
    },
    async handle({ path: names, json: sent }, context) {
      const key = listKey(folder, names, context);
      const seeds = { add: asJson(sent.add), remove: asJson(sent.remove) };
      return json(await changeSeeds(context, key, seeds), { cacheControl: NO_STORE });
    },
  });
}
