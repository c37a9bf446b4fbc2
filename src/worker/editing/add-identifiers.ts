import { formText, nestedFields } from "../../catalog/editing/form-fields.ts";
import { numberedKey } from "../../catalog/keys.ts";
import { canonicalIsbn } from "../../catalog/identifiers/isbn.ts";
import { type CatalogRecord, stringsOf, typeKey } from "../../catalog/record.ts";
import { badDocument } from "../../catalog/editing/failure.ts";
import { editRecords } from "../history/edit.ts";
import { writeError } from "../history/edit-desk.ts";
import { recordNotFound } from "../http/errors.ts";
import { operation } from "../http/operation.ts";
import { digitsOf, slug } from "../http/parameters.ts";
import { redirect } from "../http/reply.ts";
import { recordPage } from "../ui/form.ts";
import { commentOf, readForm } from "./sent-form.ts";
import { EDIT_BOOK } from "./book-records.ts";

/** `POST /books/OL1M/x/identifiers`: adds an ISBN to an edition. */
export const addIdentifiers = operation({
  id: "addIdentifiers",
  summary: "Adds an ISBN to an edition",
  tag: "forms",
  path: { edition_id: digitsOf("edition"), slug },
  body: { contentType: "application/x-www-form-urlencoded", description: "`isbn`, and perhaps `_comment`" },
  responses: {
    303: { description: "Added, or there already: to the edition" },
    400: { description: "No ISBN" },
    401: { description: "Not logged in" },
    404: { description: "No such edition" },
  },
  async handle({ path: { edition_id: number } }, context) {
    const key = numberedKey("edition", number, context.settings.RECORD_PREFIX);
    const { form } = nestedFields(await readForm(context));
    const isbn = canonicalIsbn(formText(form, "isbn") ?? "");
    if (isbn === undefined) {
      throw writeError([badDocument("An ISBN has 10 or 13 characters", { key, property: "isbn" })]);
    }
    const comment = commentOf(form);
    let after: CatalogRecord = {};
    await editRecords(context, [key], (records) => {
      const edition = records.get(key);
      if (edition === undefined || typeKey(edition) !== "/type/edition") throw recordNotFound(key);
      after = edition;
      const changed = withIsbn(edition, isbn);
      return changed === undefined ? undefined : { documents: [changed], kind: EDIT_BOOK, comment };
    });
    return redirect(303, recordPage(key, after));
  },
});

/** Returns the edition with another ISBN; undefined if it already has it, in any spelling. */
function withIsbn(edition: CatalogRecord, isbn: string): CatalogRecord | undefined {
  // Q109: added to the existing values, which are never replaced.
  const member = isbn.length === 10 ? "isbn_10" : "isbn_13";
  const known = stringsOf(edition[member]);
  if (known.some((one) => canonicalIsbn(one) === isbn)) return undefined;
  return { ...edition, [member]: [...known, isbn] };
}
