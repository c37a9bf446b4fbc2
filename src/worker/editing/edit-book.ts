import { revisionSchema } from "../history/change-entry.ts";
import * as z from "zod";
import { applyBookForm } from "../../catalog/editing/edit-book.ts";
import { misprintedIsbns } from "../../catalog/editing/conflicts.ts";
import { formText } from "../../catalog/editing/form-fields.ts";
import { splitLines } from "../../catalog/editing/form-texts.ts";
import { numberedKey } from "../../catalog/keys.ts";
import { type CatalogRecord, isObject } from "../../catalog/record.ts";
import { hasRole } from "../../catalog/roles.ts";
import { writeError } from "../history/edit-desk.ts";
import { wantsHtml } from "../http/accept.ts";
import { authenticationRequired, forbidden } from "../http/errors.ts";
import { type RequestContext, operation } from "../http/operation.ts";
import { isOwnLink } from "../http/same-origin.ts";
import { digitsOf, ownSlug } from "../http/parameters.ts";
import { type Reply, redirect } from "../http/reply.ts";
import { recordPage } from "../ui/form.ts";
import { notify } from "../ui/notice.ts";
import { bookFormPage, languagesByCode } from "./book-form-page.ts";
import { type BookKeys, bookChange, bookKeys, editedRecord } from "./book-records.ts";
import { deleteEdition } from "./deletion.ts";
import { editAddress, isDeletion, savedOrAgain, sentFormOperation } from "./edit-page.ts";
import { saveForm } from "./save-form.ts";
import { commentOf } from "./sent-form.ts";

/** `GET /books/OL1M/edit`: the form for people, key and revision for programs; with `_delete` it deletes. */
export const editBookForm = operation({
  id: "editBookForm",
  summary: "The form of an edition and its work",
  tag: "forms",
  path: { edition_id: digitsOf("edition"), slug: ownSlug },
  query: {
    v: z.string().optional().describe("Number of a revision to fill the form with"),
    mode: z.string().optional().describe("What led here: found, add-book or add-work"),
    work_key: z.string().optional().describe("Key of the work to edit beside it"),
    _delete: z.string().optional().describe("Deletes the edition; administrators only"),
    _comment: z.string().optional().describe("Reason of a deletion"),
  },
  responses: {
    200: { description: "A page for people", schema: revisionSchema, also: ["text/html"] },
    301: { description: "The record's own address" },
    303: { description: "Deleted: to the work, or home when that went too; people who are to log in first" },
    401: { description: "Deletion without a session" },
    403: { description: "Deletion by another user, or from another site" },
    404: { description: "No such edition" },
  },
  async handle({ path, query: { v: revision, work_key: chosen, _comment: comment = null } }, context) {
    const key = numberedKey("edition", path.edition_id, context.settings.RECORD_PREFIX);
    // A HEAD never deletes.
    if (context.request.method === "GET" && context.url.searchParams.has("_delete")) {
      await allowDeletionLink(context);
      return deleteEdition(context, { key, comment });
    }
    const target = { key, type: "/type/edition", slug: path.slug, revision };
    return editAddress(context, target, async () =>
      bookFormPage(context, { ...(await bookKeys(context, key, chosen)), revision }),
    );
  },
});

/** `POST /books/OL1M/edit`: changes an edition and its work as one change, or deletes the edition. */
export const editBook = sentFormOperation({
  id: "editBook",
  kind: "edition",
  summary: "Changes an edition and its work by a form, or deletes the edition",
  fields: "Fields `edition--*` and `work--*`, `_comment`; `_delete` of administrators",
  saved: "Saved: to the edition; deleted: to the work, or home when that went too",
  async save(context, key, sent) {
    const { form } = sent;
    if (await isDeletion(context, form)) return deleteEdition(context, { key, comment: commentOf(form) });
    const keys = await bookKeys(context, key, formText(form, "work_key"));
    return savedOrAgain(context, sent, {
      save: async () => saveBook(context, keys, await withLanguageCodes(context, form)),
      page: (again) => bookFormPage(context, { ...keys, ...again }),
    });
  },
});

async function saveBook(context: RequestContext, keys: BookKeys, form: CatalogRecord): Promise<Reply> {
  const { edition, work } = keys;
  // Q570
  const isForPeople = wantsHtml(context.request);
  const mayChangeScan = hasRole(await context.actor(), "super-librarian");
  let after: CatalogRecord = {};
  await saveForm(context, work === undefined ? [edition] : [edition, work], async (records) => {
    const edited = (key: string, name: string) => editedRecord(context, { key, sent: form[name] }, records);
    const shown = await edited(edition, "edition");
    const applied = applyBookForm(form, {
      edition: shown,
      work: work === undefined ? undefined : await edited(work, "work"),
      mayChangeScan,
      isGuarded: isForPeople,
    });
    const misprints = isForPeople ? misprintedIsbns(form, shown) : [];
    const failures = [...applied.failures, ...misprints];
    if (failures.length > 0) throw writeError(failures);
    after = applied.edits.find(({ key }) => key === edition) ?? records.get(edition)?.document ?? {};
    return bookChange(applied, form);
  });
  notify(context, "notice.saved");
  return redirect(303, recordPage(edition, after));
}

/** Replaces typed names of languages in the form by their codes; unknown names stay. */
async function withLanguageCodes(context: RequestContext, form: CatalogRecord): Promise<CatalogRecord> {
  const { edition } = form;
  const names = isObject(edition) ? edition["languages"] : undefined;
  if (!isObject(edition) || typeof names !== "string" || names === "") return form;
  const known = [...(await languagesByCode(context))].map(
    ([code, name]) => [name.toLowerCase(), code] as const,
  );
  const codes = new Map(known);
  const languages = splitLines(names).map((name) => codes.get(name.toLowerCase()) ?? name);
  return { ...form, edition: { ...edition, languages: languages.join("\n") } };
}

/** Throws unless the client is an administrator and the link was not followed from another site. */
async function allowDeletionLink(context: RequestContext): Promise<void> {
  // Q112
  const actor = await context.actor();
  if (actor.key === null) throw authenticationRequired("Session");
  if (!isOwnLink(context)) throw forbidden("A link elsewhere cannot delete");
  if (!hasRole(actor, "admin")) throw forbidden();
}
