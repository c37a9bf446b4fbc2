import * as z from "zod";
import { applyBookForm } from "../../../catalog/forms/edit-book.ts";
import { formText, nestedFields } from "../../../catalog/forms/nested.ts";
import { editFields } from "../../../catalog/forms/parallel.ts";
import { type CatalogRecord, typeKey } from "../../../catalog/record.ts";
import type { RequestContext } from "../../context.ts";
import { recordNotFound } from "../../errors.ts";
import { recordPage } from "../../forms/addresses.ts";
import { answeredForm } from "../../forms/answered-form.ts";
import { editedRecord } from "../../forms/book-records.ts";
import { deleteEmptyWork } from "../../forms/delete-book.ts";
import { readForm } from "../../forms/read-form.ts";
import { bookChange, latestRecords, saveForm } from "../../forms/save-form.ts";
import { workFormPage } from "../../forms/work-page.ts";
import { type Parameters, operation } from "../../operation.ts";
import { type Reply, redirect } from "../../reply.ts";
import { hasRole } from "../../sessions/access.ts";
import { writeError } from "../../writes/write-error.ts";

const work_id = z.string().describe("The digits of the work's number");
const slug = z.string().describe("Anything: the readable part of the address");

/** `POST /works/OL1W/edit`: changes a work, or deletes one without editions (records.md 4.8, 5.1). */
export const editWork = editOperation("editWork", { work_id });
/** The same at the readable address. */
export const editWorkAtPage = editOperation("editWorkAtPage", { work_id, slug });

function editOperation(id: string, path: Parameters) {
  return operation({
    id,
    summary: "Changes a work by a form, or deletes it when it has no editions",
    tag: "forms",
    path,
    body: {
      contentType: "application/x-www-form-urlencoded",
      description: "Fields `work--*`, `_comment`; `_delete` of administrators",
    },
    responses: {
      303: { description: "Saved: to the work; deleted: home" },
      400: { description: "What is wrong; people get the form again" },
      401: { description: "Not logged in" },
      404: { description: "No such work" },
    },
    async handle({ path: { work_id: number } }, context) {
      const key = `/works/${context.settings.RECORD_PREFIX}${String(number)}W`;
      const { form, failures } = nestedFields(editFields(await readForm(context)));
      if (failures.length > 0) throw writeError(failures);
      const record = (await latestRecords(context, [key])).get(key)?.document;
      if (record === undefined || typeKey(record) !== "/type/work") throw recordNotFound(key);
      if (Object.hasOwn(form, "_delete") && hasRole(await context.actor(), "admin")) {
        return deleteEmptyWork(context, { key, comment: formText(form, "_comment") ?? null });
      }
      return answeredForm(context, {
        save: () => saveWork(context, key, form),
        page: (wrong) => workFormPage(context, { key, form, failures: wrong }),
      });
    },
  });
}

async function saveWork(context: RequestContext, work: string, form: CatalogRecord): Promise<Reply> {
  let after: CatalogRecord = {};
  await saveForm(context, [work], async (records) => {
    const edited = await editedRecord(context, { key: work, sent: form["work"] }, records);
    const applied = applyBookForm(form, { edition: undefined, work: edited, mayChangeScan: false });
    if (applied.failures.length > 0) throw writeError(applied.failures);
    after = applied.edits[0] ?? edited.document;
    return bookChange(applied, form);
  });
  return redirect(303, recordPage(work, after));
}
