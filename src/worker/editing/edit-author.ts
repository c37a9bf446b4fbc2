import { authorMembers } from "../../catalog/editing/author-form.ts";
import { editedDocument } from "../../catalog/editing/edit-book.ts";
import { badDocument } from "../../catalog/editing/failure.ts";
import { type CatalogRecord, isObject } from "../../catalog/record.ts";
import { writeError } from "../history/edit-desk.ts";
import { saveChange } from "../history/save.ts";
import { badData } from "../http/errors.ts";
import type { RequestContext } from "../http/operation.ts";
import { type Reply, redirect } from "../http/reply.ts";
import { recordPage } from "../ui/form.ts";
import { editedRecord } from "./book-records.ts";
import { tombstone } from "./deletion.ts";
import { isDeletion, sentFormOperation } from "./edit-page.ts";
import { AUTHOR_FIELDS, fieldGroup, memberFields } from "./record-form.ts";
import { latestOfType, saveForm } from "./save-form.ts";
import { answeredForm, commentOf } from "./sent-form.ts";
import { singleFormOperation, singlePage } from "./single-form.ts";

const authorFormPage = singlePage({
  kind: "author",
  name: "name",
  fields: AUTHOR_FIELDS,
  group: async (author, failures) => fieldGroup("The author", memberFields(AUTHOR_FIELDS, author, failures)),
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
  async save(context, key, form) {
    await latestOfType(context, key, "/type/author");
    return answeredForm(context, {
      async save() {
        if (!(await isDeletion(context, form))) return saveAuthor(context, key, form);
        await saveChange(context, { documents: [tombstone(key)], kind: "update", comment: commentOf(form) });
        return redirect(303, "/");
      },
      page: (failures) => authorFormPage(context, { key, form, failures }),
    });
  },
});

async function saveAuthor(context: RequestContext, key: string, form: CatalogRecord): Promise<Reply> {
  const { author: sent } = form;
  if (!isObject(sent)) throw badData("The form has no fields author--*");
  let after: CatalogRecord = {};
  await saveForm(context, [key], async (records) => {
    const { document, shown } = await editedRecord(context, { key, sent }, records);
    const members = authorMembers(sent, shown);
    after = editedDocument(document, members);
    if (members["name"] === null) {
      throw writeError([badDocument("Please enter a name", { key, property: "name" })]);
    }
    if (Object.keys(members).length === 0) return undefined;
    return { documents: [], edits: [after], kind: "update", comment: commentOf(form) };
  });
  return redirect(303, recordPage(key, after));
}
