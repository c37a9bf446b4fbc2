import * as z from "zod";
import { readChanges } from "../../db/history/changes.ts";
import { COMMENT_LENGTH } from "../../db/editing/check-request.ts";
import { isForPeople, pageOrJson } from "../http/page-or-json.ts";
import { problemPage } from "../ui/action-answer.ts";
import { badData } from "../http/errors.ts";
import { operation } from "../http/operation.ts";
import { type Reply, privateJson } from "../http/reply.ts";
import { field } from "../ui/form.ts";
import { markup } from "../ui/markup.ts";
import { say } from "../ui/words.ts";
import { ADMIN_FORM, adminPage } from "./admin-page.ts";
import {
  type ChangesPage,
  changePageLinks,
  changeTable,
  listSchema,
  pageQuery,
  pageSlice,
  toChangesPage,
} from "./changes.ts";
import { requireAccount } from "./person.ts";
import { revertEdits, revertedPage, revertedSchema } from "./revert-edits.ts";

/** `GET /admin/people/<username>/edits[.json]`: the changes of an account, for choosing the ones to revert. */
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
    const { username } = await requireAccount(context, path.username);
    const author = `/people/${username}`;
    const rows = await readChanges(context.stores.catalog, { author }, pageSlice(page));
    return pageOrJson(context, toChangesPage(rows, page), (list) => editsPage(username, list));
  },
});

/** Changes that one request can revert. */
const REVERTED_CHANGES_MAX = 1000;

/** `POST /admin/people/<username>/edits`: reverts some changes of an account. */
export const adminRevertEdits = operation({
  ...ADMIN_FORM,
  id: "adminRevertEdits",
  summary: "Revert changes of an account",
  path: { username: z.string() },
  form: {
    changesets: z
      .array(z.string().regex(/^\d{1,15}$/))
      .default([])
      .describe("Ids of changes"),
    "changesets[]": z
      .array(z.string().regex(/^\d{1,15}$/))
      .default([])
      .describe("The same by its other name"),
    comment: z.string().max(COMMENT_LENGTH).default("Revert"),
  },
  responses: {
    200: { description: "What was reverted", schema: revertedSchema, also: ["text/html"] },
    400: { description: "No changes of this account" },
    404: { description: "No such account" },
  },
  async handle({ path, form }, context) {
    const { username } = await requireAccount(context, path.username);
    const back = `/admin/people/${username}/edits`;
    const ids = [...new Set([...form.changesets, ...form["changesets[]"]].map(Number))];
    const comment = form.comment.trim() === "" ? "Revert" : form.comment;
    try {
      if (ids.length === 0) throw badData("missing changesets");
      if (ids.length > REVERTED_CHANGES_MAX)
        throw badData(`more than ${REVERTED_CHANGES_MAX} changes at once`);
      const reverted = await revertEdits(
        context,
        { author: `/people/${username}`, changes: ids },
        { kind: "revert", comment, data: { reverted_changesets: ids.map(String) } },
      );
      return isForPeople(context) ? revertedPage(reverted, back) : privateJson({ ok: "true", ...reverted });
    } catch (error) {
      if (isForPeople(context)) return problemPage(error, back);
      throw error;
    }
  },
});

function editsPage(username: string, list: ChangesPage): Reply {
  const path = `/admin/people/${encodeURIComponent(username)}/edits`;
  const title = say("admin.changes_of", { name: username });
  const rows = changeTable(title, list.changes, {
    column: say("admin.revert_choose"),
    cell: ({ id }) =>
      markup`<input type="checkbox" name="changesets[]" value="${id}" aria-label="${say("admin.revert_change", { id })}">`,
  });
  const body = markup`<form method="post" action="${path}">${rows}
${
  list.changes.length > 0 &&
  markup`${field({ name: "comment", label: say("admin.comment"), value: "Revert" })}
<p><button type="submit">${say("admin.revert")}</button></p>`
}</form>
${changePageLinks(path, list)}`;
  return adminPage({ title, body });
}
