import * as z from "zod";
import { bookFormPage } from "../../forms/book-page.ts";
import { bookKeys } from "../../forms/book-records.ts";
import { allowDeletionLink, isDeletionLink } from "../../forms/delete-by-link.ts";
import { deleteEdition } from "../../forms/delete-book.ts";
import { editAddress } from "../../forms/edit-address.ts";
import { type Parameters, operation } from "../../operation.ts";

const edition_id = z.string().describe("The digits of the edition's number");
const slug = z.string().describe("The readable part of the address");
const query = {
  v: z.string().optional().describe("Number of a revision to fill the form with"),
  mode: z.string().optional().describe("What led here: found, add-book or add-work"),
  work_key: z.string().optional().describe("Key of the work to edit beside it"),
  _delete: z.string().optional().describe("Deletes the edition; administrators only"),
  _comment: z.string().optional().describe("Reason of a deletion"),
};

/** `GET /books/OL1M/edit`: the form for people, key and revision for programs; with `_delete` it deletes. */
export const editBookForm = pageOperation("editBookForm", { edition_id });
/** The same at the readable address. */
export const editBookFormAtPage = pageOperation("editBookFormAtPage", { edition_id, slug });

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
