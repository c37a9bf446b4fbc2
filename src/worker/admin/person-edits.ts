import { failure } from "../http/failure.ts";
import * as z from "zod";
import { parseDocument } from "../../catalog/document.ts";
import { COMMENT_LENGTH } from "../../db/editing/check-request.ts";
import { readChanges } from "../../db/history/changes.ts";
import { type RemovedRevision, readRemovedRevisions } from "../../db/history/forget-author.ts";
import { notFound } from "../http/errors.ts";
import { operation } from "../http/operation.ts";
import { isForPeople, pageOrJson } from "../http/accept.ts";
import { type Reply, privateJson } from "../http/reply.ts";
import { problemPage } from "../ui/action-answer.ts";
import { field } from "../ui/form.ts";
import { markup } from "../ui/markup.ts";
import { link } from "../ui/parts.ts";
import { table } from "../ui/table.ts";
import { moment, t } from "../ui/words.ts";
import { ADMIN_FORM, adminPage } from "./admin-page.ts";
import {
  type ChangesPage,
  changePageLinks,
  adminChangeTable,
  listSchema,
  pageQuery,
  pageSlice,
  toChangesPage,
} from "./changes.ts";
import { requireAccount } from "./person.ts";
import { revertEdits, revertedBody, revertedPage, revertedSchema } from "./revert-edits.ts";

export const adminPersonEdits = operation({
  id: "adminPersonEdits",
  summary: "List the changes by an account",
  tag: "administration",
  path: { username: z.string() },
  query: pageQuery,
  responses: {
    200: { description: "Page of changes, newest first", schema: listSchema },
  },
  async handle({ path, query: { page } }, context) {
    const { username } = await requireAccount(context, path.username);
    const author = `/people/${username}`;
    const rows = await readChanges(context.stores.catalog, { author }, pageSlice(page));
    return pageOrJson(context, toChangesPage(rows, page), (list) => editsPage(username, list));
  },
});

const REVERTED_CHANGES_MAX = 1000;

export const adminRevertEdits = operation({
  ...ADMIN_FORM,
  id: "adminRevertEdits",
  summary: "Revert changes by an account",
  path: { username: z.string() },
  form: {
    changesets: z
      .array(z.string().regex(/^\d{1,15}$/))
      .default([])
      .describe("IDs of changes"),
    "changesets[]": z
      .array(z.string().regex(/^\d{1,15}$/))
      .default([])
      .describe("Alias of `changesets`"),
    comment: z.string().max(COMMENT_LENGTH).default("Revert"),
  },
  responses: {
    200: { description: "Outcome of the reverts", schema: revertedSchema, also: ["text/html"] },
    400: { description: "No changes by this account" },
  },
  async handle({ path, form }, context) {
    const { username } = await requireAccount(context, path.username);
    const back = `/admin/people/${username}/edits`;
    const ids = [...new Set([...form.changesets, ...form["changesets[]"]].map(Number))];
    const comment = form.comment.trim() === "" ? "Revert" : form.comment;
    try {
      if (ids.length === 0) throw failure("bad_data.choose");
      if (ids.length > REVERTED_CHANGES_MAX)
        throw failure("bad_data.too_many", { most: REVERTED_CHANGES_MAX });
      const reverted = await revertEdits(
        context,
        { author: `/people/${username}`, changes: ids },
        { kind: "revert", comment, data: { reverted_changesets: ids.map(String) } },
      );
      return isForPeople(context)
        ? revertedPage(reverted, back)
        : privateJson({ ok: "true", ...revertedBody(reverted) });
    } catch (error) {
      if (isForPeople(context)) return problemPage(error, back);
      throw error;
    }
  },
});

function editsPage(username: string, list: ChangesPage): Reply {
  const path = `/admin/people/${encodeURIComponent(username)}/edits`;
  const title = t("admin.changes_of", { name: username });
  const rows = adminChangeTable(title, list.changes, {
    column: t("admin.revert_choose"),
    cell: ({ id }) =>
      markup`<input type="checkbox" name="changesets[]" value="${id}" aria-label="${t("admin.revert_change", { id })}">`,
  });
  const body = markup`<form method="post" action="${path}">${rows}
${
  list.changes.length > 0 &&
  markup`${field({ name: "comment", label: t("admin.comment"), value: "Revert" })}
<p><button type="submit">${t("admin.revert")}</button></p>`
}</form>
${changePageLinks(path, list)}`;
  return adminPage({ title, body });
}

const REMOVED_PAGE = 50;

const removedSchema = z.object({
  revisions: z.array(
    z.object({
      key: z.string(),
      revision: z.int(),
      timestamp: z.string(),
      document: z.record(z.string(), z.unknown()).describe("Document as it was stored"),
    }),
  ),
  next: z.string().nullable().describe("`after` of the next page; null on the last page"),
});
type RemovedPage = z.infer<typeof removedSchema>;

/** `GET /admin/people/<username>/removed[.json]`: old revisions of the records of a removed account (Q231). */
export const adminPersonRemoved = operation({
  id: "adminPersonRemoved",
  summary: "List old revisions of the records of a removed account",
  tag: "administration",
  path: { username: z.string().describe("Username, case-sensitive") },
  query: {
    after: z
      .string()
      .regex(/^\d{1,15}\/.+$/)
      .optional()
      .describe("`next` of the previous page"),
  },
  responses: {
    200: { description: "Revisions ordered by key and number, as JSON or HTML", schema: removedSchema },
    404: { description: "No revisions of this account" },
  },
  async handle({ path: { username }, query: { after } }, context) {
    const [number = "0", ...names] = (after ?? "0/").split("/");
    const { revisions, isLast } = await readRemovedRevisions(context.stores.catalog, `/people/${username}`, {
      after: { key: `/${names.join("/")}`, revision: Number(number) },
      limit: REMOVED_PAGE,
    });
    const last = revisions.at(-1);
    if (last === undefined) throw notFound();
    const next = isLast ? null : `${last.revision}${last.key}`;
    const page = { revisions: revisions.map(toRevisionView), next };
    return pageOrJson(context, page, (list) => removedPage(username, list));
  },
});

function toRevisionView({ key, revision, lastModified, document }: RemovedRevision) {
  return { key, revision, timestamp: lastModified, document: parseDocument(document) };
}

function removedPage(username: string, { revisions, next }: RemovedPage) {
  const title = t("admin.removed_revisions", { name: username });
  const path = `/admin/people/${encodeURIComponent(username)}/removed`;
  return adminPage({
    title,
    body: markup`${table({
      caption: title,
      columns: [t("history.record"), t("history.revision"), t("history.when"), t("admin.document")],
      rows: revisions.map(({ key, revision, timestamp, document }) => [
        key,
        revision,
        moment(timestamp),
        markup`<code>${JSON.stringify(document)}</code>`,
      ]),
    })}
${next !== null && markup`<p>${link(`${path}?${new URLSearchParams({ after: next })}`, t("pager.next"))}</p>`}`,
  });
}
