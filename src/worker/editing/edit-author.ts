import * as z from "zod";
import { authorMembers } from "../../catalog/editing/author-form.ts";
import { editedDocument } from "../../catalog/editing/edit-book.ts";
import { formText, nestedFields } from "../../catalog/editing/form-fields.ts";
import { type CatalogRecord, isObject, typeKey } from "../../catalog/record.ts";
import { badDocument } from "../../catalog/editing/failure.ts";
import { saveChange, writeError } from "../history/save.ts";
import { hasRole } from "../../catalog/roles.ts";
import { badData, recordNotFound } from "../http/errors.ts";
import { type Parameters, type RequestContext, operation } from "../http/operation.ts";
import { type Reply, redirect } from "../http/reply.ts";
import { recordPage } from "../ui/form.ts";
import { editedRecord } from "./book-records.ts";
import { tombstone } from "./deletion.ts";
import { type EditedKind, editPageOperation, shownRecord } from "./edit-page.ts";
import type { SinglePage } from "./edit-work.ts";
import { answeredForm, readForm } from "./sent-form.ts";
import { AUTHOR_FIELDS, fieldGroup, memberFields, recordForm, sentObject } from "./record-form.ts";
import { latestRecords, saveForm } from "./save-form.ts";

/** The form of an author. */
async function authorFormPage(
  context: RequestContext,
  { key, form, failures = [], revision }: SinglePage,
): Promise<Reply> {
  const shown = await shownRecord(context, key, revision);
  const author = { prefix: "author", ...shown, sent: sentObject(form, "author") };
  return recordForm({
    title: `Edit ${String(shown.record["name"] ?? key)}`,
    action: `${key}/edit`,
    record: recordPage(key, shown.record),
    groups: [fieldGroup("The author", memberFields(AUTHOR_FIELDS, author, failures))],
    shown: [{ prefix: "author", key, fields: AUTHOR_FIELDS }],
    failures,
    form,
    mayDelete: hasRole(await context.actor(), "admin"),
  });
}

const author_id = z.string().describe("The digits of the author's number");
const slug = z.string().describe("Anything: the readable part of the address");

/** `POST /authors/OL1A/edit`: changes an author, or deletes one whom no book names. */
export const editAuthor = editOperation("editAuthor", { author_id });
/** The same at the readable address. */
export const editAuthorAtPage = editOperation("editAuthorAtPage", { author_id, slug });

function editOperation(id: string, path: Parameters) {
  return operation({
    id,
    summary: "Changes an author by a form, or deletes one whom no book names",
    tag: "forms",
    path,
    body: {
      contentType: "application/x-www-form-urlencoded",
      description: "Fields `author--*`, `_comment`; `_delete` of administrators",
    },
    responses: {
      303: { description: "Saved: to the author; deleted: home" },
      400: { description: "What is wrong, or nothing was sent; people get the form again" },
      401: { description: "Not logged in" },
      404: { description: "No such author" },
    },
    async handle({ path: { author_id: number } }, context) {
      const key = `/authors/${context.settings.RECORD_PREFIX}${String(number)}A`;
      const { form, failures } = nestedFields(await readForm(context));
      if (failures.length > 0) throw writeError(failures);
      const record = (await latestRecords(context, [key])).get(key)?.document;
      if (record === undefined || typeKey(record) !== "/type/author") throw recordNotFound(key);
      return answeredForm(context, {
        save: async () =>
          Object.hasOwn(form, "_delete") && hasRole(await context.actor(), "admin")
            ? deleteAuthor(context, key, form)
            : saveAuthor(context, key, form),
        page: (wrong) => authorFormPage(context, { key, form, failures: wrong }),
      });
    },
  });
}

async function deleteAuthor(context: RequestContext, key: string, form: CatalogRecord): Promise<Reply> {
  const comment = formText(form, "_comment") ?? null;
  await saveChange(context, { documents: [tombstone(key)], kind: "update", comment });
  return redirect(303, "/");
}

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
    return { documents: [], edits: [after], kind: "update", comment: formText(form, "_comment") ?? null };
  });
  return redirect(303, recordPage(key, after));
}

const AUTHOR: EditedKind = { noun: "author", folder: "authors", letter: "A", page: authorFormPage };

/** `GET /authors/OL1A/edit` */
export const editAuthorForm = editPageOperation(AUTHOR, false);
/** The same at the readable address. */
export const editAuthorFormAtPage = editPageOperation(AUTHOR, true);
