import * as z from "zod";
import { authorFormPage } from "../../forms/author-page.ts";
import { editAddress } from "../../forms/edit-address.ts";
import { type Parameters, operation } from "../../operation.ts";

const author_id = z.string().describe("The digits of the author's number");
const slug = z.string().describe("The readable part of the address");
const query = { v: z.string().optional().describe("Number of a revision to fill the form with") };

/** `GET /authors/OL1A/edit`: the form for people, key and revision for programs. */
export const editAuthorForm = pageOperation("editAuthorForm", { author_id });
/** The same at the readable address. */
export const editAuthorFormAtPage = pageOperation("editAuthorFormAtPage", { author_id, slug });

function pageOperation(id: string, path: Parameters) {
  return operation({
    id,
    summary: "The form of an author",
    tag: "forms",
    path,
    query,
    responses: {
      200: { description: "A page for people", schema: z.object({ key: z.string(), revision: z.int() }) },
      301: { description: "The record's own address" },
      404: { description: "No such author" },
    },
    handle({ path: names, query: { v } }, context) {
      const key = `/authors/${context.settings.RECORD_PREFIX}${String(names["author_id"])}A`;
      const at = typeof names["slug"] === "string" ? names["slug"] : undefined;
      return editAddress(context, { key, type: "/type/author", slug: at, revision: v }, () =>
        authorFormPage(context, { key, revision: v }),
      );
    },
  });
}
