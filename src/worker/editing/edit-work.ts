import { applyBookForm } from "../../catalog/editing/edit-book.ts";
import type { CatalogRecord } from "../../catalog/record.ts";
import { writeError } from "../history/edit-desk.ts";
import { wantsHtml } from "../http/accept.ts";
import type { RequestContext } from "../http/operation.ts";
import { type Reply, redirect } from "../http/reply.ts";
import { recordPage } from "../ui/form.ts";
import { notify } from "../ui/notice.ts";
import { workGroup } from "./book-form-page.ts";
import { bookChange, editedRecord } from "./book-records.ts";
import { deleteEmptyWork } from "./deletion.ts";
import { isDeletion, savedOrAgain, sentFormOperation } from "./edit-page.ts";
import { WORK_SECTIONS } from "./member-fields.ts";
import { latestOfType, saveForm } from "./save-form.ts";
import { commentOf } from "./sent-form.ts";
import { singleFormOperation, singlePage } from "./single-form.ts";

const workFormPage = singlePage({ kind: "work", name: "title", sections: WORK_SECTIONS, group: workGroup });

/** `GET /works/OL1W/edit`: the form for people, key and revision for programs. */
export const editWorkForm = singleFormOperation("editWorkForm", "work", workFormPage);

/** `POST /works/OL1W/edit`: changes a work, or deletes one without editions. */
export const editWork = sentFormOperation({
  id: "editWork",
  kind: "work",
  summary: "Changes a work by a form, or deletes it when it has no editions",
  fields: "Fields `work--*`, `_comment`; `_delete` of administrators",
  saved: "Saved: to the work; deleted: home",
  async save(context, key, sent) {
    const { form } = sent;
    await latestOfType(context, key, "/type/work");
    if (await isDeletion(context, form)) return deleteEmptyWork(context, { key, comment: commentOf(form) });
    return savedOrAgain(context, sent, {
      save: () => saveWork(context, key, form),
      page: (again) => workFormPage(context, { key, ...again }),
    });
  },
});

async function saveWork(context: RequestContext, work: string, form: CatalogRecord): Promise<Reply> {
  let after: CatalogRecord = {};
  await saveForm(context, [work], async (records) => {
    const edited = await editedRecord(context, { key: work, sent: form["work"] }, records);
    const applied = applyBookForm(form, {
      edition: undefined,
      work: edited,
      mayChangeScan: false,
      isGuarded: wantsHtml(context.request),
    });
    if (applied.failures.length > 0) throw writeError(applied.failures);
    after = applied.edits[0] ?? edited.document;
    return bookChange(applied, form);
  });
  notify(context, "notice.saved");
  return redirect(303, recordPage(work, after));
}
