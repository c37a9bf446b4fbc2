import * as z from "zod";
import { shown } from "../../admin/done.ts";
import { accountOf } from "../../admin/person.ts";
import { seenChange } from "../../admin/seen-change.ts";
import { readChanges } from "../../../db/changes/read-changes.ts";
import { operation } from "../../operation.ts";
import { editsPage } from "../../pages/admin/edits-page.ts";
import { listSchema, pageQuery, pageSlice, seenPage } from "./change-pages.ts";

/** `GET /admin/people/<username>/edits[.json]`: the changes of an account, for choosing those to be reverted. */
export const adminPersonEdits = operation({
  id: "adminPersonEdits",
  summary: "Changes of an account",
  tag: "administration",
  path: { username: z.string() },
  query: pageQuery,
  responses: {
    200: { description: "The newest first", schema: listSchema },
    404: { description: "No such account" },
  },
  async handle({ path, query: { page } }, context) {
    const { username } = await accountOf(context, path.username);
    const author = `/people/${username}`;
    const rows = await readChanges(context.stores.catalog, { author }, pageSlice(page));
    return shown(context, seenPage(rows.map(seenChange), page), (list) => editsPage(username, list));
  },
});
