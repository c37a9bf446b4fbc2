import * as z from "zod";
import { revisionSchema } from "../history/change-entry.ts";
import { buildListChangeData } from "../../catalog/lists/list-change.ts";
import { type ListType, buildListRecord } from "../../catalog/lists/list-form.ts";
import { seedsOfRecord } from "../../catalog/lists/seeds.ts";
import { type CatalogRecord, type Json, typeKeyOf } from "../../catalog/record.ts";
import { missingRecordFailure } from "../../catalog/editing/failure.ts";
import { answerEditForm } from "../editing/submitted-form.ts";
import { serveEditAddress, readFormRecordView } from "../editing/edit-page.ts";
import { readLatest, saveForm } from "../editing/edit-records.ts";
import { ownerOfList } from "../http/access.ts";
import { hasRole } from "../../catalog/roles.ts";
import type { RequestContext } from "../http/operation.ts";
import { slug } from "../http/parameters.ts";
import type { Reply } from "../http/reply.ts";
import { recordPagePath } from "../ui/form.ts";
import { addressOf, shortText } from "../ui/markup.ts";
import { t } from "../ui/words.ts";
import { writeError } from "../editing/edit-desk.ts";
import { type ListFormPage, listFormPage, pickWorks } from "./form-page.ts";
import { listNotFound, listOperations } from "./list-operations.ts";
import {
  type CheckedForm,
  followSeedInputs,
  requireListWriter,
  withListErrors,
  checkForm,
  listId,
  requireRevision,
  replyToSaved,
  readListFields,
  listTypeIn,
  username,
} from "./write-request.ts";
import { changeWorks, readSeriesMembers, workKeysOf } from "./series.ts";

const path = { username, list_id: listId, slug };

export const editForm = listOperations({
  ids: { people: "editListForm", lists: "editCommunityListForm", series: "editSeriesForm" },
  summary: (folder) => `Show the form of a ${folder === "series" ? "series" : "list"}`,
  tag: "forms",
  path,
  query: { v: z.string().optional().describe("Revision to fill the form with") },
  responses: {
    200: { description: "Key and revision, or the HTML form", schema: revisionSchema, also: ["text/html"] },
    301: { description: "Redirect to the canonical URL" },
    303: { description: "Redirect to the login" },
    401: { description: "Not logged in" },
    403: { description: "List of another user" },
  },
  handle({ key, folder, slug: readable }, { query: { v: revision } }, context) {
    const type = listTypeIn(folder);
    return serveEditAddress(context, { key, type, slug: readable, revision }, () =>
      editFormPage(context, { key, type, revision }),
    );
  },
});

/** `POST <list>[/<slug>]/edit`: replaces a list or series by a form or JSON; a series also adds and removes works. */
export const editByForm = listOperations({
  ids: { people: "editList", lists: "editCommunityList", series: "editSeries" },
  summary: (folder) => `Replace a ${folder === "series" ? "series and its works" : "list"} by a form`,
  tag: "forms",
  path,
  body: {
    contentType: "application/x-www-form-urlencoded",
    description: "Fields as for a new record, with `revision` as in the form; or the same members as JSON",
  },
  responses: {
    200: { description: "Key of the record, for requests in JSON", schema: z.object({ key: z.string() }) },
    303: { description: "Redirect to the record" },
    400: { description: "Invalid fields; browsers get the form again" },
    403: { description: "List of another user, or spam" },
    409: { description: "Revision other than the current one" },
  },
  async handle({ key, folder }, _input, context) {
    const type = listTypeIn(folder);
    const before = (await readLatest(context, [key])).get(key)?.document;
    if (before === undefined || typeKeyOf(before) !== type) throw listNotFound();
    await requireListWriter(context, ownerOfList(key));
    return withListErrors(key, async () => {
      const { fields, works } = await pickWorks(await readListFields(context), context);
      if (works !== undefined) return editFormPage(context, { key, type, fields, works });
      return answerEditForm(context, {
        save: async () => {
          const target = { key, type, stored: seedsOfRecord(before) };
          const after = await replaceRecord(context, target, checkForm(context, fields, target));
          return replyToSaved(context, key, after);
        },
        page: (failures) => editFormPage(context, { key, type, fields, failures }),
      });
    });
  },
});

interface EditedForm extends Partial<Pick<ListFormPage, "failures" | "works">> {
  key: string;
  type: ListType;
  revision?: string | undefined;
  /** Submitted fields, if the form is shown again. */
  fields?: CatalogRecord;
}

/** Renders the form of a list or series, filled with a revision or with submitted fields. Throws 403. */
async function editFormPage(
  context: RequestContext,
  { key, type, revision, fields, failures = [], works }: EditedForm,
): Promise<Reply> {
  const owner = ownerOfList(key);
  const actor = await requireListWriter(context, owner);
  const { record, revision: latest } = await readFormRecordView(context, key, { revision });
  const address = addressOf(key);
  const isSeries = type === "/type/series";
  const mayDelete = !isSeries && (owner === actor.key || hasRole(actor, "admin"));
  return listFormPage({
    type,
    title: t("listform.edit", { name: shortText(String(record["name"] ?? key)) }),
    action: `${address}/edit`,
    back: {
      href: recordPagePath(key, record),
      text: t(isSeries ? "listform.back_series" : "listform.back_list"),
    },
    revision: latest,
    values: fields ?? (isSeries ? { ...record, seeds: await readMemberSeeds(context, key) } : record),
    failures,
    works,
    deleteAction: mayDelete ? `${address}/delete` : undefined,
  });
}

async function readMemberSeeds(context: RequestContext, key: string): Promise<Json[]> {
  const members = await readSeriesMembers(context, key);
  return members.map(({ key: work, notes = "", position = "" }) => ({
    thing: { key: work },
    notes,
    position,
  }));
}

/**
 * Replaces the members of a list or series and its seeds, and returns the record. The seeds of a series are edges of its
 * works, which are saved in the same change: the series gets a revision if any of them changes. Throws `writeError`.
 */
async function replaceRecord(
  context: RequestContext,
  { key, type }: { key: string; type: ListType },
  { form, comment, revision }: CheckedForm,
): Promise<CatalogRecord> {
  const seeds = await followSeedInputs(context, form.seeds);
  const isSeries = type === "/type/series";
  const members = isSeries ? (await readSeriesMembers(context, key)).map(({ key: work }) => work) : [];
  const works = isSeries ? workKeysOf(seeds, key) : [];
  let after: CatalogRecord = {};
  await saveForm(context, [...new Set([key, ...members, ...works])], async (records) => {
    const before = records.get(key);
    if (before === undefined || typeKeyOf(before.document) !== type) {
      throw writeError([missingRecordFailure(key, { key })]);
    }
    requireRevision(before, revision);
    after = buildListRecord(type, { ...form, seeds }, before.document);
    return {
      documents: [],
      edits: isSeries ? [after, ...changeWorks({ series: key, seeds, members }, records)] : [after],
      kind: isSeries ? "edit-series" : "edit-list",
      comment: comment ?? null,
      data: buildListChangeData(key, { seeds }),
      ...(isSeries ? { touched: [key] } : {}),
      suspectsAll: true,
    };
  });
  return after;
}
