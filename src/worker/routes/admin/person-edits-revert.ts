import * as z from "zod";
import { COMMENT_LENGTH } from "../../../db/changes/save/check-request.ts";
import { isForPeople, problemPage } from "../../admin/done.ts";
import { accountOf } from "../../admin/person.ts";
import { revertEdits } from "../../admin/revert-edits.ts";
import { privateJson } from "../../accounts/private.ts";
import { badData } from "../../errors.ts";
import { operation } from "../../operation.ts";
import { revertedPage } from "../../pages/admin/reverted-page.ts";
import { ADMIN_BODY_BYTES, revertedSchema } from "./schemas.ts";

/** Changes that one request reverts. */
export const REVERTED_CHANGES_MAX = 1000;

/** `POST /admin/people/<username>/edits`: reverts some changes of an account (records.md 11.3). */
export const adminRevertEdits = operation({
  id: "adminRevertEdits",
  summary: "Revert changes of an account",
  tag: "administration",
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
  bodyBytes: ADMIN_BODY_BYTES,
  inReadOnly: true,
  responses: {
    200: { description: "What was reverted", schema: revertedSchema, also: ["text/html"] },
    400: { description: "No changes of this account" },
    404: { description: "No such account" },
  },
  async handle({ path, form }, context) {
    const { username } = await accountOf(context, path.username);
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
