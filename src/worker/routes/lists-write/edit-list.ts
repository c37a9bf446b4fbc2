import * as z from "zod";
import type { ListType } from "../../../catalog/lists/list-form.ts";
import { seedsOfRecord } from "../../../catalog/lists/seed.ts";
import { type CatalogRecord, type Json, typeKey } from "../../../catalog/record.ts";
import type { RequestContext } from "../../context.ts";
import { recordPage } from "../../forms/addresses.ts";
import { answeredForm } from "../../forms/answered-form.ts";
import { latestRecords } from "../../forms/save-form.ts";
import { editFormPage } from "../../lists-write/edit-form-page.ts";
import { withListErrors } from "../../lists-write/list-errors.ts";
import { replaceList } from "../../lists-write/replace-list.ts";
import { ownerOfList, requireListWriter } from "../../lists-write/rights.ts";
import { replaceSeries } from "../../lists-write/save-series.ts";
import { checkedForm, sentForm } from "../../lists-write/sent-form.ts";
import { type ListFolder, listKey, listNotFound } from "../../lists/list-path.ts";
import { type AnyOperation, operation } from "../../operation.ts";
import { NO_STORE, type Reply, json, redirect } from "../../reply.ts";
import { isJson } from "../../validation/request-body.ts";
import { formPath, typeIn } from "./schemas.ts";

/** `POST /people/<username>/lists/OL1L/edit`: replaces a list by a form or JSON (patrons.md 14.11). */
export const editList = editOperation("editList", "people");
export const editListAtPage = editOperation("editListAtPage", "people", true);
/** `POST /lists/OL1L/edit` */
export const editCommunityList = editOperation("editCommunityList", "lists");
export const editCommunityListAtPage = editOperation("editCommunityListAtPage", "lists", true);
/** `POST /series/OL1L/edit`: the works that come and go are changed with it. */
export const editSeries = editOperation("editSeries", "series");
export const editSeriesAtPage = editOperation("editSeriesAtPage", "series", true);

function editOperation(id: string, folder: ListFolder, hasSlug = false): AnyOperation {
  const type = typeIn(folder);
  return operation({
    id,
    summary: `Replace a ${folder === "series" ? "series and its works" : "list"} by a form`,
    tag: "forms",
    path: formPath(folder, hasSlug),
    body: {
      contentType: "application/x-www-form-urlencoded",
      description:
        "The fields of a new one, and `revision`: that which the form was filled with; or the same as JSON",
    },
    responses: {
      200: { description: "Programs that send JSON: the key", schema: z.object({ key: z.string() }) },
      303: { description: "To the record" },
      400: { description: "What is wrong; people get the form again" },
      401: { description: "Not logged in" },
      403: { description: "Somebody else's list, or it looks like spam" },
      404: { description: "No such list or series" },
      409: { description: "Somebody changed it since the revision that was sent" },
    },
    async handle({ path: names }, context) {
      const key = listKey(folder, names, context);
      const before = (await latestRecords(context, [key])).get(key)?.document;
      if (before === undefined || typeKey(before) !== type) throw listNotFound();
      await requireListWriter(context, ownerOfList(key));
      return withListErrors(key, async () => {
        const sent = await sentForm(context);
        return answeredForm(context, {
          save: () => save(context, { key, type, stored: seedsOfRecord(before) }, sent),
          page: (failures) => editFormPage(context, { key, type, sent, failures }),
        });
      });
    },
  });
}

async function save(
  context: RequestContext,
  about: { readonly key: string; readonly type: ListType; readonly stored: readonly Json[] },
  sent: CatalogRecord,
): Promise<Reply> {
  const { key } = about;
  const checked = checkedForm(context, sent, about);
  const replace = about.type === "/type/series" ? replaceSeries : replaceList;
  const after = await replace(context, key, checked);
  if (isJson(context.request)) return json({ key }, { cacheControl: NO_STORE });
  return redirect(303, recordPage(key, after), { cacheControl: NO_STORE });
}
