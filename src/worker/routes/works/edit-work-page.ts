import * as z from "zod";
import { editAddress } from "../../forms/edit-address.ts";
import { workFormPage } from "../../forms/work-page.ts";
import { type Parameters, operation } from "../../operation.ts";

const work_id = z.string().describe("The digits of the work's number");
const slug = z.string().describe("The readable part of the address");
const query = { v: z.string().optional().describe("Number of a revision to fill the form with") };

/** `GET /works/OL1W/edit`: the form for people, key and revision for programs. */
export const editWorkForm = pageOperation("editWorkForm", { work_id });
/** The same at the readable address. */
export const editWorkFormAtPage = pageOperation("editWorkFormAtPage", { work_id, slug });

function pageOperation(id: string, path: Parameters) {
  return operation({
    id,
    summary: "The form of a work",
    tag: "forms",
    path,
    query,
    responses: {
      200: { description: "A page for people", schema: z.object({ key: z.string(), revision: z.int() }) },
      301: { description: "The record's own address" },
      404: { description: "No such work" },
    },
    handle({ path: names, query: { v } }, context) {
      const key = `/works/${context.settings.RECORD_PREFIX}${String(names["work_id"])}W`;
      const at = typeof names["slug"] === "string" ? names["slug"] : undefined;
      return editAddress(context, { key, type: "/type/work", slug: at, revision: v }, () =>
        workFormPage(context, { key, revision: v }),
      );
    },
  });
}
