import * as z from "zod";
import { applyBookForm } from "../../catalog/editing/edit-book.ts";
import { editFields, formText, nestedFields } from "../../catalog/editing/form-fields.ts";
import type { CatalogRecord } from "../../catalog/record.ts";
import { writeError } from "../history/save.ts";
import { hasRole } from "../../catalog/roles.ts";
import { authenticationRequired, forbidden } from "../http/errors.ts";
import { type Parameters, type RequestContext, operation } from "../http/operation.ts";
import { isOwnLink } from "../http/own-link.ts";
import { type Reply, redirect } from "../http/reply.ts";
import { recordPage } from "../ui/form.ts";
import { bookFormPage } from "./book-form-page.ts";
import { type BookKeys, bookChange, bookKeys, editedRecord } from "./book-records.ts";
import { deleteEdition } from "./deletion.ts";
import { editAddress } from "./edit-page.ts";
import { answeredForm, readForm } from "./sent-form.ts";
import { saveForm } from "./save-form.ts";

const edition_id = z.string().describe("The digits of the edition's number");
const slug = z.string().describe("Anything: the readable part of the address");

/** `POST /books/OL1M/edit`: changes an edition and its work as one change, or deletes the edition. */
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

/** True when the address of a GET asks for a deletion; a HEAD never does. */
function isDeletionLink({ request, url }: RequestContext): boolean {
  return request.method === "GET" && url.searchParams.has("_delete");
}

/**
 * Lets only administrators delete by a link, and only one that they have followed here themselves:
 * no page elsewhere and no prefetching browser can.
 */
async function allowDeletionLink(context: RequestContext): Promise<void> {
  // Q112
  const actor = await context.actor();
  if (actor.key === null) throw authenticationRequired("Session");
  if (!isOwnLink(context)) throw forbidden("A link elsewhere cannot delete");
  if (!hasRole(actor, "admin")) throw forbidden();
}

const formEdition = z.string().describe("The digits of the edition's number");
const formSlug = z.string().describe("The readable part of the address");
const query = {
  v: z.string().optional().describe("Number of a revision to fill the form with"),
  mode: z.string().optional().describe("What led here: found, add-book or add-work"),
  work_key: z.string().optional().describe("Key of the work to edit beside it"),
  _delete: z.string().optional().describe("Deletes the edition; administrators only"),
  _comment: z.string().optional().describe("Reason of a deletion"),
};

/** `GET /books/OL1M/edit`: the form for people, key and revision for programs; with `_delete` it deletes. */
export const editBookForm = pageOperation("editBookForm", { edition_id: formEdition });
/** The same at the readable address. */
export const editBookFormAtPage = pageOperation("editBookFormAtPage", {
  edition_id: formEdition,
  slug: formSlug,
});

function pageOperation(id: string, path: Parameters) {
  return operation({
    id,
    summary: "The form of an edition and its work",
    tag: "forms",
    path,
    query,
    responses: {
      200: {
        description: "A page for people",
        schema: z.object({ key: z.string(), revision: z.int() }),
        also: ["text/html"],
      },
      301: { description: "The record's own address" },
      303: {
        description: "Deleted: to the work, or home when that went too; people who are to log in first",
      },
      401: { description: "Deletion without a session" },
      403: { description: "Deletion by somebody else, or from another site" },
      404: { description: "No such edition" },
    },
    async handle({ path: names, query: { v, work_key: chosen, _comment: comment } }, context) {
      const key = `/books/${context.settings.RECORD_PREFIX}${String(names["edition_id"])}M`;
      if (isDeletionLink(context)) {
        await allowDeletionLink(context);
        return deleteEdition(context, { key, comment: comment ?? null });
      }
      const at = typeof names["slug"] === "string" ? names["slug"] : undefined;
      return editAddress(context, { key, type: "/type/edition", slug: at, revision: v }, async () =>
        bookFormPage(context, { ...(await bookKeys(context, key, chosen)), revision: v }),
      );
    },
  });
}
