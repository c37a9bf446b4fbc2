import * as z from "zod";
import { revisionSchema } from "../history/change-entry.ts";
import { listChangeData } from "../../catalog/lists/list-change.ts";
import { type ListType, listRecord } from "../../catalog/lists/list-form.ts";
import { seedsOfRecord } from "../../catalog/lists/seeds.ts";
import { type CatalogRecord, type Json, typeKey } from "../../catalog/record.ts";
import { missingRecord } from "../../catalog/editing/failure.ts";
import { answeredForm } from "../editing/sent-form.ts";
import { editAddress, shownRecord } from "../editing/edit-page.ts";
import { latestRecords, saveForm } from "../editing/save-form.ts";
import { ownerOfList } from "../http/access.ts";
import { hasRole } from "../../catalog/roles.ts";
import type { RequestContext } from "../http/operation.ts";
import { slug } from "../http/parameters.ts";
import type { Reply } from "../http/reply.ts";
import { recordPage } from "../ui/form.ts";
import { addressOf, shortText } from "../ui/markup.ts";
import { say } from "../ui/words.ts";
import { writeError } from "../history/edit-desk.ts";
import { type ListFormPage, listFormPage } from "./form-page.ts";
import { listNotFound, listOperations } from "./operation.ts";
import { pickedWorks } from "./picked-works.ts";
import { requireListWriter, withListErrors } from "./rights.ts";
import { changedWorks, seriesMembers, worksOf } from "./series.ts";
import {
  type CheckedForm,
  checkedForm,
  listId,
  requireRevision,
  savedReply,
  sentForm,
  typeIn,
  username,
} from "./write-request.ts";

const path = { username, list_id: listId, slug };

/** `GET <list>[/<slug>]/edit`: the form of a list or series. */
export const editForm = listOperations({
  ids: { people: "editListForm", lists: "editCommunityListForm", series: "editSeriesForm" },
  summary: (folder) => `The form of a ${folder === "series" ? "series" : "list"}`,
  tag: "forms",
  path,
  query: { v: z.string().optional().describe("Number of a revision to fill the form with") },
  responses: {
    200: { description: "A page for people", schema: revisionSchema, also: ["text/html"] },
    301: { description: "The record's own address" },
    303: { description: "People who are to log in first" },
    401: { description: "Not logged in" },
    403: { description: "Somebody else's list" },
    404: { description: "No such list or series" },
  },
  handle({ key, folder, slug: readable }, { query: { v: revision } }, context) {
    const type = typeIn(folder);
    return editAddress(context, { key, type, slug: readable, revision }, () =>
      editFormPage(context, { key, type, revision }),
    );
  },
});

/** `POST <list>[/<slug>]/edit`: replaces a list by a form or JSON, or a series, with the works that come and go. */
export const editByForm = listOperations({
  ids: { people: "editList", lists: "editCommunityList", series: "editSeries" },
  summary: (folder) => `Replace a ${folder === "series" ? "series and its works" : "list"} by a form`,
  tag: "forms",
  path,
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
  async handle({ key, folder }, _input, context) {
    const type = typeIn(folder);
    const before = (await latestRecords(context, [key])).get(key)?.document;
    if (before === undefined || typeKey(before) !== type) throw listNotFound();
    await requireListWriter(context, ownerOfList(key));
    return withListErrors(key, async () => {
      const { sent, works } = await pickedWorks(await sentForm(context), context);
      if (works !== undefined) return editFormPage(context, { key, type, sent, works });
      return answeredForm(context, {
        save: async () => {
          const about = { key, type, stored: seedsOfRecord(before) };
          const after = await replaceList(context, about, checkedForm(context, sent, about));
          return savedReply(context, key, after);
        },
        page: (failures) => editFormPage(context, { key, type, sent, failures }),
      });
    });
  },
});

interface EditedForm extends Partial<Pick<ListFormPage, "failures" | "works">> {
  readonly key: string;
  readonly type: ListType;
  readonly revision?: string | undefined;
  /** Shown instead of what is stored. */
  readonly sent?: CatalogRecord;
}

/** The form of a list or series, filled with a revision or with what was sent, for those who may change it. */
async function editFormPage(
  context: RequestContext,
  { key, type, revision, sent, failures = [], works }: EditedForm,
): Promise<Reply> {
  const owner = ownerOfList(key);
  const actor = await requireListWriter(context, owner);
  const { record, revision: latest } = await shownRecord(context, key, { revision: revision });
  const address = addressOf(key);
  const isSeries = type === "/type/series";
  const mayDelete = !isSeries && (owner === actor.key || hasRole(actor, "admin"));
  return listFormPage({
    type,
    title: say("listform.edit", { name: shortText(String(record["name"] ?? key)) }),
    action: `${address}/edit`,
    back: {
      href: recordPage(key, record),
      text: say(isSeries ? "listform.back_series" : "listform.back_list"),
    },
    revision: latest,
    shown: sent ?? (isSeries ? { ...record, seeds: await memberSeeds(context, key) } : record),
    failures,
    works,
    deleteAction: mayDelete ? `${address}/delete` : undefined,
  });
}

/** The works of a series as if it held them. */
async function memberSeeds(context: RequestContext, key: string): Promise<Json[]> {
  const members = await seriesMembers(context, key);
  return members.map(({ key: work, notes = "", position = "" }) => ({
    thing: { key: work },
    notes,
    position,
  }));
}

/**
 * Replaces what a list or series says of itself, and its seeds; returns the record. Of a series these are edges of the
 * works that are in it, that come and that go: one change, and its own record gets a revision whenever something of this
 * changes. Throws `writeError`.
 */
async function replaceList(
  context: RequestContext,
  { key, type }: { readonly key: string; readonly type: ListType },
  { form, comment, revision }: CheckedForm,
): Promise<CatalogRecord> {
  const { seeds } = form;
  const isSeries = type === "/type/series";
  const members = isSeries ? (await seriesMembers(context, key)).map((member) => member.key) : [];
  const works = isSeries ? worksOf(seeds, key) : [];
  let after: CatalogRecord = {};
  await saveForm(context, [...new Set([key, ...members, ...works])], async (records) => {
    const before = records.get(key);
    if (before === undefined || typeKey(before.document) !== type) {
      throw writeError([missingRecord(key, { key })]);
    }
    requireRevision(before, revision);
    after = listRecord(type, form, before.document);
    return {
      documents: [],
      edits: isSeries ? [after, ...changedWorks({ series: key, seeds, members }, records)] : [after],
      kind: isSeries ? "edit-series" : "edit-list",
      comment: comment ?? null,
      data: listChangeData(key, { seeds: [...seeds] }),
      ...(isSeries ? { touched: [key] } : {}),
      suspectsAll: true,
    };
  });
  return after;
}
