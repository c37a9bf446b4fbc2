import * as z from "zod";
import type { CatalogRecord } from "../../../catalog/record.ts";
import type { RequestContext } from "../../context.ts";
import { recordPage } from "../../forms/addresses.ts";
import { answeredForm } from "../../forms/answered-form.ts";
import { type AddFolder, type AddTarget, addFormPage, addTarget } from "../../lists-write/add-target.ts";
import { createList } from "../../lists-write/create-list.ts";
import { withListErrors } from "../../lists-write/list-errors.ts";
import { createSeries } from "../../lists-write/save-series.ts";
import { checkedForm, sentForm } from "../../lists-write/sent-form.ts";
import { type AnyOperation, operation } from "../../operation.ts";
import { NO_STORE, type Reply, json, redirect } from "../../reply.ts";
import { isJson } from "../../validation/request-body.ts";
import { username } from "./schemas.ts";

/** `POST /people/<username>/lists/add`: makes a list by a form or JSON (patrons.md 14.11). */
export const addList = addOperation("addList", "people");
/** `POST /lists/add` */
export const addCommunityList = addOperation("addCommunityList", "lists");
/** `POST /series/add`: makes a series; its works are told in the same change. */
export const addSeries = addOperation("addSeries", "series");

function addOperation(id: string, folder: AddFolder): AnyOperation {
  const path: Record<string, z.ZodString> = folder === "people" ? { username } : {};
  return operation({
    id,
    summary: `Make a ${folder === "series" ? "series" : "list"} by a form`,
    tag: "forms",
    path,
    body: {
      contentType: "application/x-www-form-urlencoded",
      description:
        "`name`, `description`, `tags`, `seeds` or `seeds--0--key`, `seeds--0--thing--key`, `_comment`; or the same as JSON",
    },
    responses: {
      200: { description: "Programs that send JSON: the key", schema: z.object({ key: z.string() }) },
      303: { description: "To the new record" },
      400: { description: "What is wrong; people get the form again" },
      401: { description: "Not logged in" },
      403: { description: "Somebody else's lists, or it looks like spam" },
    },
    async handle({ path: names }, context) {
      const target = await addTarget(context, folder, names["username"] ?? "");
      return withListErrors(target.folder, async () => {
        const sent = await sentForm(context);
        return answeredForm(context, {
          save: () => save(context, target, sent),
          page: async (failures) => addFormPage(target, { shown: sent, failures }),
        });
      });
    },
  });
}

async function save(context: RequestContext, target: AddTarget, sent: CatalogRecord): Promise<Reply> {
  const { type, owner, folder } = target;
  const { form, comment } = checkedForm(context, sent, { key: folder, type });
  const key =
    type === "/type/series"
      ? await createSeries(context, { form, comment })
      : ((await createList(context, { owner, form, comment })).keys[0] ?? "");
  if (isJson(context.request)) return json({ key }, { cacheControl: NO_STORE });
  const page = recordPage(key, { type: { key: type }, name: form.name });
  return redirect(303, page, { cacheControl: NO_STORE });
}
