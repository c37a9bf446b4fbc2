import * as z from "zod";
import { applyBookForm } from "../../catalog/editing/edit-book.ts";
import { editFields, formText, nestedFields } from "../../catalog/editing/form-fields.ts";
import { type CatalogRecord, typeKey } from "../../catalog/record.ts";
import { writeError } from "../history/save.ts";
import { hasRole } from "../../catalog/roles.ts";
import { recordNotFound } from "../http/errors.ts";
import { type Parameters, type RequestContext, operation } from "../http/operation.ts";
import { type Reply, redirect } from "../http/reply.ts";
import { recordPage } from "../ui/form.ts";
import { workGroup } from "./book-form-page.ts";
import { bookChange, editedRecord } from "./book-records.ts";
import { deleteEmptyWork } from "./deletion.ts";
import { type EditedKind, editPageOperation, shownRecord } from "./edit-page.ts";
import { type FormFailure, answeredForm, readForm } from "./sent-form.ts";
import { WORK_FIELDS, recordForm, sentObject } from "./record-form.ts";
import { latestRecords, saveForm } from "./save-form.ts";

/** What a page with the form of one record shows. */
export interface SinglePage {
  readonly key: string;
  /** What was sent, when the form is shown again. */
  readonly form?: CatalogRecord;
  readonly failures?: readonly FormFailure[];
  /** Revision to fill it with. */
  readonly revision?: string | undefined;
}

/** The form of a work. */
async function workFormPage(
  context: RequestContext,
  { key, form, failures = [], revision }: SinglePage,
): Promise<Reply> {
  const shown = await shownRecord(context, key, revision);
  const work = { prefix: "work", ...shown, sent: sentObject(form, "work") };
  return recordForm({
    title: `Edit ${String(shown.record["title"] ?? key)}`,
    action: `${key}/edit`,
    record: recordPage(key, shown.record),
    groups: [await workGroup(context, work, failures)],
    shown: [{ prefix: "work", key, fields: WORK_FIELDS }],
    failures,
    form,
    mayDelete: hasRole(await context.actor(), "admin"),
  });
}

const work_id = z.string().describe("The digits of the work's number");
const slug = z.string().describe("Anything: the readable part of the address");

/** `POST /works/OL1W/edit`: changes a work, or deletes one without editions. */
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

const WORK: EditedKind = { noun: "work", folder: "works", letter: "W", page: workFormPage };

/** `GET /works/OL1W/edit` */
export const editWorkForm = editPageOperation(WORK, false);
/** The same at the readable address. */
export const editWorkFormAtPage = editPageOperation(WORK, true);
