import * as z from "zod";
import { applyBookForm } from "../../../catalog/forms/edit-book.ts";
import { formText, nestedFields } from "../../../catalog/forms/nested.ts";
import { editFields } from "../../../catalog/forms/parallel.ts";
import type { CatalogRecord } from "../../../catalog/record.ts";
import type { RequestContext } from "../../context.ts";
import { recordPage } from "../../forms/addresses.ts";
import { answeredForm } from "../../forms/answered-form.ts";
import { bookFormPage } from "../../forms/book-page.ts";
import { type BookKeys, bookKeys, editedRecord } from "../../forms/book-records.ts";
import { deleteEdition } from "../../forms/delete-book.ts";
import { readForm } from "../../forms/read-form.ts";
import { bookChange, saveForm } from "../../forms/save-form.ts";
import { type Parameters, operation } from "../../operation.ts";
import { type Reply, redirect } from "../../reply.ts";
import { hasRole } from "../../sessions/access.ts";
import { writeError } from "../../writes/write-error.ts";

const edition_id = z.string().describe("The digits of the edition's number");
const slug = z.string().describe("Anything: the readable part of the address");

/** `POST /books/OL1M/edit`: changes an edition and its work as one change, or deletes the edition (records.md 4.8). */
export const editBook = editOperation("editBook", { edition_id });
/** The same at the readable address. */
export const editBookAtPage = editOperation("editBookAtPage", { edition_id, slug });

function editOperation(id: string, path: Parameters) {
  return operation({
    id,
    summary: "Changes an edition and its work by a form, or deletes the edition",
    tag: "forms",
    path,
    body: {
      contentType: "application/x-www-form-urlencoded",
      description: "Fields `edition--*` and `work--*`, `_comment`; `_delete` of administrators",
    },
    responses: {
      303: { description: "Saved: to the edition; deleted: to the work, or home when that went too" },
      400: { description: "What is wrong; people get the form again" },
      401: { description: "Not logged in" },
      404: { description: "No such edition" },
    },
    async handle({ path: { edition_id: number } }, context) {
      const key = `/books/${context.settings.RECORD_PREFIX}${String(number)}M`;
      const { form, failures } = nestedFields(editFields(await readForm(context)));
      if (failures.length > 0) throw writeError(failures);
      // Q106: for everybody else the field means nothing, and the form is saved.
      if (Object.hasOwn(form, "_delete") && hasRole(await context.actor(), "admin")) {
        return deleteEdition(context, { key, comment: formText(form, "_comment") ?? null });
      }
      const keys = await bookKeys(context, key, formText(form, "work_key"));
      return answeredForm(context, {
        save: () => saveBook(context, keys, form),
        page: (wrong) => bookFormPage(context, { ...keys, form, failures: wrong }),
      });
    },
  });
}

async function saveBook(context: RequestContext, keys: BookKeys, form: CatalogRecord): Promise<Reply> {
  const { edition, work } = keys;
  const mayChangeScan = hasRole(await context.actor(), "super-librarian");
  let after: CatalogRecord = {};
  await saveForm(context, work === undefined ? [edition] : [edition, work], async (records) => {
    const edited = (key: string, name: string) => editedRecord(context, { key, sent: form[name] }, records);
    const applied = applyBookForm(form, {
      edition: await edited(edition, "edition"),
      work: work === undefined ? undefined : await edited(work, "work"),
      mayChangeScan,
    });
    if (applied.failures.length > 0) throw writeError(applied.failures);
    after = applied.edits.find(({ key }) => key === edition) ?? records.get(edition)?.document ?? {};
    return bookChange(applied, form);
  });
  return redirect(303, recordPage(edition, after));
}
