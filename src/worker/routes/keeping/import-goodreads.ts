import * as z from "zod";
import { ownSession } from "../../accounts/own-session.ts";
import { privateJson } from "../../http/reply.ts";
import { isForPeople, problemPage } from "../../accounts/page-or-json.ts";
import { IMPORT_BODY_BYTES, readFile } from "../../keeping/imports.ts";
import { operation } from "../../http/operation.ts";
import { goodreadsPage } from "../../pages/keeping/goodreads-page.ts";
import { csvField } from "./import-schema.ts";

const book = z.record(z.string(), z.string());

/** `POST /account/import/goodreads`: shows what is in the file, and changes nothing (patrons.md 13). */
export const previewGoodreads = operation({
  id: "previewGoodreads",
  summary: "Look at a Goodreads export",
  tag: "account",
  form: { csv: csvField },
  bodyBytes: IMPORT_BODY_BYTES,
  inReadOnly: true,
  responses: {
    200: {
      description: "The books, by the columns of the file; for people a page",
      schema: z.object({ books: z.array(book), without_isbn: z.array(book) }),
      also: ["text/html"],
    },
    400: { description: "No such file" },
  },
  async handle({ form: { csv } }, context) {
    await ownSession(context);
    if (!isForPeople(context)) {
      const { books, withoutIsbn } = readFile(csv);
      return { ...privateJson({ books, without_isbn: withoutIsbn }), headers: { Vary: "Accept" } };
    }
    try {
      return goodreadsPage(readFile(csv), csv);
    } catch (error) {
      return problemPage(error, "/account/import");
    }
  },
});
