import * as z from "zod";
import { parseDocument } from "../../catalog/document.ts";
import { type RemovedRevision, readRemovedRevisions } from "../../db/history/forget-author.ts";
import { pageOrJson } from "../http/page-or-json.ts";
import { notFound } from "../http/errors.ts";
import { operation } from "../http/operation.ts";
import { markup } from "../ui/markup.ts";
import { link } from "../ui/parts.ts";
import { table } from "../ui/table.ts";
import { moment, say } from "../ui/words.ts";
import { adminPage } from "./admin-page.ts";

/** Revisions per page. */
const REMOVED_PAGE = 50;

const removedSchema = z.object({
  revisions: z.array(
    z.object({
      key: z.string(),
      revision: z.int(),
      timestamp: z.string(),
      document: z.record(z.string(), z.unknown()).describe("As it was stored"),
    }),
  ),
  next: z.string().nullable().describe("`after` of the next page, if there is one"),
});
type RemovedPage = z.infer<typeof removedSchema>;

/** `GET /admin/people/<username>/removed[.json]`: old revisions of the records of a removed account (Q231). */
export const adminPersonRemoved = operation({
  id: "adminPersonRemoved",
  summary: "Old revisions of the records of a removed account",
  tag: "administration",
  path: { username: z.string().describe("As the account spelled it") },
  query: {
    after: z
      .string()
      .regex(/^\d{1,15}\/.+$/)
      .optional()
      .describe("Go on: `next` of the answer before"),
  },
  responses: {
    200: { description: "By key and revision: JSON for programs, a page for people", schema: removedSchema },
    404: { description: "Nothing is kept of such an account" },
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
  const title = say("admin.removed_revisions", { name: username });
  const path = `/admin/people/${encodeURIComponent(username)}/removed`;
  return adminPage({
    title,
    body: markup`${table({
      caption: title,
      columns: [say("history.record"), say("history.revision"), say("history.when"), say("admin.document")],
      rows: revisions.map(({ key, revision, timestamp, document }) => [
        key,
        revision,
        moment(timestamp),
        markup`<code>${JSON.stringify(document)}</code>`,
      ]),
    })}
${next !== null && markup`<p>${link(`${path}?${new URLSearchParams({ after: next })}`, say("pager.next"))}</p>`}`,
  });
}
