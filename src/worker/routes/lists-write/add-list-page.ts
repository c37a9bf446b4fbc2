import * as z from "zod";
import { type AddFolder, addFormPage, addTarget } from "../../lists-write/add-target.ts";
import { type AnyOperation, operation } from "../../operation.ts";
import { username } from "./schemas.ts";

/** `GET /people/<username>/lists/add`: the form of a new list (patrons.md 14.11). */
export const addListForm = pageOperation("addListForm", "people");
/** `GET /lists/add` */
export const addCommunityListForm = pageOperation("addCommunityListForm", "lists");
/** `GET /series/add` */
export const addSeriesForm = pageOperation("addSeriesForm", "series");

function pageOperation(id: string, folder: AddFolder): AnyOperation {
  const path: Record<string, z.ZodString> = folder === "people" ? { username } : {};
  return operation({
    id,
    summary: `The form of a new ${folder === "series" ? "series" : "list"}`,
    tag: "forms",
    path,
    query: {
      name: z.string().optional().describe("A name to fill in"),
      seeds: z.string().optional().describe("Seeds to fill in, with commas between"),
    },
    responses: {
      200: { description: "A page for people", contentType: "text/html", schema: z.string() },
      401: { description: "Not logged in; people are led to the login" },
      403: { description: "Somebody else's lists" },
    },
    async handle({ path: names, query: { name = "", seeds = "" } }, context) {
      const target = await addTarget(context, folder, names["username"] ?? "");
      return addFormPage(target, { shown: { name, seeds: seeds.replaceAll(",", "\n") } });
    },
  });
}
