import { authorMembers } from "../../catalog/editing/record-forms.ts";
import { conflictsOf } from "../../catalog/editing/conflicts.ts";
import { editedDocument } from "../../catalog/editing/edit-book.ts";
import { badDocument } from "../../catalog/editing/failure.ts";
import { type CatalogRecord, isObject } from "../../catalog/record.ts";
import { writeError } from "../history/edit-desk.ts";
import { saveChange } from "../history/save.ts";
import { wantsHtml } from "../http/accept.ts";
import { badData } from "../http/errors.ts";
import type { RequestContext } from "../http/operation.ts";
import { type Reply, redirect } from "../http/reply.ts";
import { recordPage } from "../ui/form.ts";
import { notify } from "../ui/notice.ts";
import { editedRecord } from "./book-records.ts";
import { tombstone } from "./deletion.ts";
import { isDeletion, savedOrAgain, sentFormOperation } from "./edit-page.ts";
import { AUTHOR_SECTIONS } from "./member-fields.ts";
import { recordSections } from "./record-form.ts";
import { latestOfType, saveForm } from "./save-form.ts";
import { commentOf } from "./sent-form.ts";
import { singleFormOperation, singlePage } from "./single-form.ts";

const authorFormPage = singlePage({
  kind: "author",
  name: "name",
  sections: AUTHOR_SECTIONS,
  group: async (author, state) => recordSections(AUTHOR_SECTIONS, author, state),
});

/** `GET /authors/OL1A/edit`: the form for people, key and revision for programs. */
export const editAuthorForm = singleFormOperation("editAuthorForm", "author", authorFormPage);

/** `POST /authors/OL1A/edit`: changes an author, or deletes one whom no book names. */
export const editAuthor = sentFormOperation({
  id: "editAuthor",
  kind: "author",
  summary: "Changes an author by a form, or deletes one whom no book names",
  fields: "Fields `author--*`, `_comment`; `_delete` of administrators",
  saved: "Saved: to the author; deleted: home",
  wrong: "What is wrong, or nothing was sent; people get the form again",
  async save(context, key, sent) {
    const { form } = sent;
    await latestOfType(context, key, "/type/author");
    return savedOrAgain(context, sent, {
      async save() {
        if (!(await isDeletion(context, form))) return saveAuthor(context, key, form);
        await saveChange(context, { documents: [tombstone(key)], kind: "update", comment: commentOf(form) });
        notify(context, "notice.deleted");
        return redirect(303, "/");
      },
      page: (again) => authorFormPage(context, { key, ...again }),
    });
  },
});

async function saveAuthor(context: RequestContext, key: string, form: CatalogRecord): Promise<Reply> {
  const { author: sent } = form;
  if (!isObject(sent)) throw badData("The form has no fields author--*");
  let after: CatalogRecord = {};
  await saveForm(context, [key], async (records) => {
    const edited = await editedRecord(context, { key, sent }, records);
    const members = authorMembers(sent, edited.shown);
    after = editedDocument(edited.document, members);
    const conflicts = wantsHtml(context.request) ? conflictsOf(edited, members) : [];
    if (conflicts.length > 0) throw writeError(conflicts);
    if (members["name"] === null) {
      throw writeError([badDocument("Please enter a name", { key, property: "name" })]);
    }
    if (Object.keys(members).length === 0) return undefined;
    return { documents: [], edits: [after], kind: "update", comment: commentOf(form) };
  });
  notify(context, "notice.saved");
  return redirect(303, recordPage(key, after));
}
