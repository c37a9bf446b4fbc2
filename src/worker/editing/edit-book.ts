import { failure } from "../http/failure.ts";
import * as z from "zod";
import { applyBookForm } from "../../catalog/editing/edit-book.ts";
import { findMisprintedIsbns } from "../../catalog/editing/conflicts.ts";
import { formTextOf, nestFields } from "../../catalog/editing/form-fields.ts";
import { splitLines } from "../../catalog/editing/form-texts.ts";
import { makeNumberedKey } from "../../catalog/keys.ts";
import { marcCodeOf } from "../../catalog/language.ts";
import { type CatalogRecord, isObject, stringsOf, typeKeyOf } from "../../catalog/record.ts";
import { hasRole } from "../../catalog/roles.ts";
import { writeError } from "./edit-desk.ts";
import { authenticationRequired, forbidden, recordNotFound } from "../http/errors.ts";
import { type RequestContext, operation } from "../http/operation.ts";
import { digitsOf, ownSlug, slug } from "../http/parameters.ts";
import { isOwnLink } from "../http/redirect-target.ts";
import { redirect } from "../http/reply.ts";
import { isPerson } from "../ui/command.ts";
import { recordPagePath } from "../ui/form.ts";
import { bookFormPage, readLanguageChoices } from "./book-form-page.ts";
import { deleteEdition } from "./deletion.ts";
import { editFormOperation, recordFormCommand, yearOf } from "./form-operations.ts";
import {
  saveForm,
  editRecords,
  toBookChange,
  findBookKeys,
  readEditedRecord,
  EDIT_BOOK,
} from "./edit-records.ts";
import { commentOf, readForm } from "./submitted-form.ts";
import { toCanonicalIsbn } from "../../catalog/identifiers/isbn.ts";
import { documentFailure } from "../../catalog/editing/failure.ts";

/** `GET /books/OL1M/edit`: the form, or key and revision for programs. Deletes the edition with `_delete`. */
export const editBookForm = editFormOperation({
  id: "editBookForm",
  summary: "Show the form of an edition and its work",
  tag: "forms",
  path: { edition_id: digitsOf("edition"), slug: ownSlug },
  query: {
    v: z.string().optional().describe("Revision to fill the form with"),
    mode: z.string().optional().describe("Origin of the request: found, add-book or add-work"),
    work_key: z.string().optional().describe("Key of the work to edit with the edition"),
    _delete: z.string().optional().describe("If present, deletes the edition (administrators)"),
    _comment: z.string().optional().describe("Reason for the deletion"),
  },
  responses: {
    303: { description: "Redirect to the login, or after a deletion to the work or home page" },
    401: { description: "Deletion without a session" },
    403: { description: "Deletion by a user who is not an administrator, or by a link from another site" },
  },
  async findTarget({ path, query: { v: revision, work_key: chosen, _comment: comment = null } }, context) {
    const key = makeNumberedKey("edition", path.edition_id, context.settings.RECORD_PREFIX);
    // HEAD never deletes.
    if (context.request.method === "GET" && context.url.searchParams.has("_delete")) {
      // Q112
      const actor = await context.actor();
      if (actor.key === null) throw authenticationRequired("Session");
      if (!isOwnLink(context)) throw failure("forbidden.cross_site");
      if (!hasRole(actor, "admin")) throw forbidden();
      return deleteEdition(context, { key, comment });
    }
    return { key, type: "/type/edition", slug: path.slug, revision, chosen };
  },
  showForm: async (context, { key, revision, chosen }) =>
    bookFormPage(context, { ...(await findBookKeys(context, key, chosen)), revision }),
});

export const editBook = recordFormCommand({
  id: "editBook",
  kind: "edition",
  summary: "Edit an edition and its work by a form, or delete the edition",
  fields: "Fields `edition--*` and `work--*`, `_comment`; `_delete` (administrators)",
  saved: "Redirect to the edition, or after a deletion to the work or home page",
  findTarget: (context, key, form) => findBookKeys(context, key, formTextOf(form, "work_key")),
  remove: deleteEdition,
  async save(context, { edition, work }, submitted) {
    const form = await withLanguageCodes(context, submitted);
    // Q570
    const isForPeople = isPerson(context);
    const mayChangeScan = hasRole(await context.actor(), "super-librarian");
    let after: CatalogRecord = {};
    await saveForm(context, work === undefined ? [edition] : [edition, work], async (records) => {
      const readEdited = (key: string, name: string) =>
        readEditedRecord(context, { key, submitted: form[name] }, records);
      const editedEdition = await readEdited(edition, "edition");
      const applied = applyBookForm(form, {
        edition: editedEdition,
        work: work === undefined ? undefined : await readEdited(work, "work"),
        mayChangeScan,
        thisYear: isForPeople ? yearOf(context) : undefined,
      });
      const misprints = isForPeople ? findMisprintedIsbns(form, editedEdition) : [];
      const failures = [...applied.failures, ...misprints];
      if (failures.length > 0) throw writeError(failures);
      after = applied.edits.find(({ key }) => key === edition) ?? records.get(edition)?.document ?? {};
      return toBookChange(applied, form);
    });
    return after;
  },
  showForm: bookFormPage,
});

/** Replaces names of languages in the form by their codes; unknown names stay. */
async function withLanguageCodes(context: RequestContext, form: CatalogRecord): Promise<CatalogRecord> {
  const { edition } = form;
  const names = isObject(edition) ? edition["languages"] : undefined;
  if (!isObject(edition) || typeof names !== "string" || names === "") return form;
  const known = [...(await readLanguageChoices(context))].map(
    ([code, name]) => [name.toLowerCase(), code] as const,
  );
  const codes = new Map(known);
  const languages = splitLines(names).map(
    (name) => codes.get(name.toLowerCase()) ?? marcCodeOf(name) ?? name,
  );
  return { ...form, edition: { ...edition, languages: languages.join("\n") } };
}

export const addIdentifiers = operation({
  id: "addIdentifiers",
  summary: "Add an ISBN to an edition",
  tag: "forms",
  path: { edition_id: digitsOf("edition"), slug },
  body: { contentType: "application/x-www-form-urlencoded", description: "`isbn`; `_comment`, optional" },
  responses: {
    303: { description: "Redirect to the edition, which has the ISBN" },
    400: { description: "Not a valid ISBN" },
  },
  async handle({ path: { edition_id: number } }, context) {
    const key = makeNumberedKey("edition", number, context.settings.RECORD_PREFIX);
    const { form } = nestFields(await readForm(context));
    const typed = formTextOf(form, "isbn") ?? "";
    const isbn = toCanonicalIsbn(typed);
    if (isbn === undefined) {
      const text = { key: "edit.not_isbn", values: { isbn: typed } } as const;
      throw writeError([documentFailure(text, { key, property: "isbn" })]);
    }
    const comment = commentOf(form);
    let after: CatalogRecord = {};
    await editRecords(context, [key], (records) => {
      const edition = records.get(key);
      if (edition === undefined || typeKeyOf(edition) !== "/type/edition") throw recordNotFound(key);
      after = edition;
      const member = isbn.length === 10 ? "isbn_10" : "isbn_13";
      const known = stringsOf(edition[member]);
      // Q109: existing values are never replaced.
      if (known.some((value) => toCanonicalIsbn(value) === isbn)) return undefined;
      return { documents: [{ ...edition, [member]: [...known, isbn] }], kind: EDIT_BOOK, comment };
    });
    return redirect(303, recordPagePath(key, after));
  },
});
