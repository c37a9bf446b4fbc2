import { failure } from "../http/failure.ts";
import * as z from "zod";
import { parseDocument } from "../../catalog/document.ts";
import { COMMENT_LENGTH } from "../../db/editing/check-request.ts";
import { readChanges } from "../../db/history/changes.ts";
import { readRemovedRevisions } from "../../db/history/forget-author.ts";
import { notFound } from "../http/errors.ts";
import { privateJson } from "../http/reply.ts";
import { resource } from "../http/views.ts";
import { adminPage, dataTable } from "../ui/data-page.ts";
import { form as formMarkup } from "../ui/form.ts";
import { PAGE_TURNS, pageLinks } from "../ui/pager.ts";
import { code } from "../ui/parts.ts";
import { command } from "../ui/command.ts";
import { t } from "../ui/words.ts";
import { ADMIN_FORM, okJson } from "./admin-form.ts";
import {
  changePageLinks,
  adminChangeTable,
  listSchema,
  pageQuery,
  pageSlice,
  toChangesPage,
} from "./changes.ts";
import { requireAccount } from "./person.ts";
import { revertEdits, revertedBody, revertedSchema } from "./revert-edits.ts";
import { revertedPage } from "./person-action-page.ts";

export const adminPersonEdits = resource({
  id: "adminPersonEdits",
  summary: "List the changes by an account",
  tag: "administration",
  path: { username: z.string() },
  query: pageQuery,
  responses: {
    200: { description: "Page of changes, newest first", schema: listSchema },
  },
  async read({ path, query: { page } }, context) {
    const { username } = await requireAccount(context, path.username);
    const author = `/people/${username}`;
    const rows = await readChanges(context.stores.catalog, { author }, pageSlice(page));
    return { username, list: toChangesPage(rows, page) };
  },
  asJson: ({ list }) => privateJson(list),
  page({ username, list }) {
    const path = `/admin/people/${encodeURIComponent(username)}/edits`;
    const title = t("admin.changes_of", { name: username });
    const table = adminChangeTable(title, list.changes, true);
    const fields = [{ name: "comment", label: t("admin.comment"), value: "Revert" }];
    const content =
      list.changes.length === 0
        ? table
        : formMarkup({ action: path, before: table, fields, submit: t("admin.revert") });
    return adminPage({ title, parts: [content, changePageLinks(path, list)] });
  },
});

const REVERTED_CHANGES_MAX = 1000;

export const adminRevertEdits = command({
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
  load: ({ path }, context) => requireAccount(context, path.username),
  submit({ form, loaded: { username } }, context) {
    const ids = [...new Set([...form.changesets, ...form["changesets[]"]].map(Number))];
    const comment = form.comment.trim() === "" ? "Revert" : form.comment;
    if (ids.length === 0) throw failure("bad_data.choose");
    if (ids.length > REVERTED_CHANGES_MAX) throw failure("bad_data.too_many", { most: REVERTED_CHANGES_MAX });
    return revertEdits(
      context,
      { author: `/people/${username}`, changes: ids },
      { kind: "revert", comment, data: { reverted_changesets: ids.map(String) } },
    );
  },
  done: { to: ({ loaded }) => `/admin/people/${loaded.username}/edits`, notice: "desk.done" },
  asJson: (reverted) => okJson(revertedBody(reverted)),
  page: (reverted, { loaded }) => revertedPage(reverted, `/admin/people/${loaded.username}/edits`),
});

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
/** `GET /admin/people/<username>/removed[.json]`: old revisions of the records of a removed account (Q231). */
export const adminPersonRemoved = resource({
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
  async read({ path: { username }, query: { after } }, context) {
    const [number = "0", ...names] = (after ?? "0/").split("/");
    const { revisions, isLast } = await readRemovedRevisions(context.stores.catalog, `/people/${username}`, {
      after: { key: `/${names.join("/")}`, revision: Number(number) },
      limit: REMOVED_PAGE,
    });
    const last = revisions.at(-1);
    if (last === undefined) throw notFound();
    const next = isLast ? null : `${last.revision}${last.key}`;
    return {
      revisions: revisions.map(({ key, revision, lastModified: timestamp, document }) => {
        return { key, revision, timestamp, document: parseDocument(document) };
      }),
      next,
    };
  },
  page({ revisions, next }, { path: { username } }) {
    const title = t("admin.removed_revisions", { name: username });
    const path = `/admin/people/${encodeURIComponent(username)}/removed`;
    const older = next === null ? undefined : `${path}?${new URLSearchParams({ after: next })}`;
    return adminPage({
      title,
      parts: [
        dataTable({
          caption: title,
          members: {
            key: ["history.record", (key) => key],
            revision: "history.revision",
            timestamp: "history.when",
            document: ["admin.document", (document) => code(JSON.stringify(document))],
          },
          rows: revisions,
        }),
        pageLinks(undefined, older, PAGE_TURNS),
      ],
    });
  },
});
