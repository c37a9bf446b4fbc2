import * as z from "zod";
import { latestRecordOf } from "../../catalog/document.ts";
import { groupSimilarWorks } from "../../catalog/editing/merge-plan.ts";
import { makeNumberedKey } from "../../catalog/keys.ts";
import { hasRole } from "../../catalog/roles.ts";
import { readRecord } from "../../db/records/records.ts";
import { sameNameRowsOf } from "../../catalog/matching/match-keys.ts";
import { countEditions } from "../../db/records/members.ts";
import { findAuthorsNamed, nameText, readTitlesOfAuthors } from "../../db/records/titles.ts";
import { recordNotFound } from "../http/errors.ts";
import type { Failure } from "../http/failure.ts";
import type { RequestContext } from "../http/operation.ts";
import { digitsOf, ownSlug, pageNumber } from "../http/parameters.ts";
import { type Reply, NO_STORE, json } from "../http/reply.ts";
import { nameOf } from "../ui/names.ts";
import { resource } from "../http/views.ts";
import { command } from "../ui/command.ts";
import { type AlikeWork, type AlikeWorks, alikeWorksPage } from "./alike-works-page.ts";
import { MERGE_COMMENT_LENGTH } from "./merge.ts";
import { submitMerge } from "./merge-requests.ts";

/** Maximum number of works that are compared; the first ones by number. */
const ALIKE_WORKS_READ_MAX = 5000;
const ALIKE_GROUPS_PAGE = 20;
const ALIKE_GROUP_MAX = 100;

const author_id = digitsOf("author", z.string().regex(/^\d{1,15}$/));
const alikeWorkSchema = z.object({
  key: z.string(),
  title: z.string(),
  subtitle: z.string().nullable(),
  first_publish_date: z.string().nullable(),
});
/** Maximum number of authors of the same name whose works are compared too. */
const NAMESAKES_MAX = 20;

/**
 * `GET /authors/OL1A/merge-works`: works of an author, and of others of the same name, with similar titles, and forms that
 * merge them.
 */
export const alikeWorksOfAuthor = resource({
  id: "alikeWorks",
  summary: "List works of an author with similar titles",
  tag: "editing",
  path: { author_id, slug: ownSlug },
  query: { page: pageNumber() },
  responses: {
    200: {
      description: "Groups of similar works, as JSON or HTML",
      schema: z.object({
        author: z.string(),
        compared: z.int().describe("Number of works that were compared"),
        groups: z.array(z.array(alikeWorkSchema)),
      }),
      also: ["text/html"],
    },
  },
  read: ({ path, query }, context) => findAlikeWorks(path.author_id, query.page, context),
  asJson: ({ key: author, compared, groups }) =>
    json(
      { author, compared, groups: groups.map((group) => group.map(({ other: _other, ...work }) => work)) },
      { cacheControl: NO_STORE },
    ),
  page: (alike, _input, context) => showAlikeWorks(alike, context),
});

export const mergeAlikeWorks = command({
  id: "mergeAlikeWorks",
  summary: "Merge works of an author, or request the merge",
  tag: "editing",
  path: { author_id },
  form: {
    master: z.string().max(40).default(""),
    records: z.array(z.string().max(40)).max(ALIKE_GROUP_MAX).default([]),
    comment: z.string().max(MERGE_COMMENT_LENGTH).default(""),
  },
  responses: {
    303: { description: "Redirect to the merged work or to the merge requests" },
    400: { description: "Page with the errors", contentType: "text/html" },
  },
  submit: ({ form }, context) => submitMerge({ kind: "work", mrid: "", ...form }, context),
  again: async (refusal, { path }, context) =>
    showAlikeWorks(await findAlikeWorks(path.author_id, 1, context), context, refusal),
});

async function showAlikeWorks(alike: AlikeWorks, context: RequestContext, refusal?: Failure): Promise<Reply> {
  const keys = alike.groups.flat().map((work) => work.key);
  const mayMerge = hasRole(await context.actor(), "super-librarian");
  return alikeWorksPage(
    { ...alike, mayMerge, editions: await countEditions(context.stores.catalog, keys) },
    refusal,
  );
}

/** Reads a page of groups of works with similar titles, of an author and of others of the same name. Throws 404. */
async function findAlikeWorks(
  id: string,
  number: number,
  { stores, settings }: RequestContext,
): Promise<AlikeWorks> {
  const key = makeNumberedKey("author", id, settings.RECORD_PREFIX);
  // The primary, because librarians return here after a merge.
  const row = await readRecord(stores.catalog, key);
  if (row?.type !== "/type/author") throw recordNotFound(key);
  const author = latestRecordOf(row);
  const authors = await findAuthorsNamed(stores.catalog, sameNameRowsOf(author), NAMESAKES_MAX);
  const namesakes = new Map(
    authors.map((namesake) => [namesake.key, nameText(namesake.name) ?? namesake.key]),
  );
  namesakes.delete(key);
  const rows = await readTitlesOfAuthors(stores.catalog, [key, ...namesakes.keys()], ALIKE_WORKS_READ_MAX);
  const works = rows.map((entry): AlikeWork => ({
    key: entry.key,
    other: entry.other,
    title: nameText(entry.title) ?? "",
    subtitle: nameText(entry.subtitle) ?? null,
    first_publish_date: nameText(entry.firstPublished) ?? null,
  }));
  const groups = groupSimilarWorks(works)
    .filter((group) => group.some(({ other }) => other === ""))
    .map((group) => group.slice(0, ALIKE_GROUP_MAX));
  const part = { number, size: ALIKE_GROUPS_PAGE, total: groups.length };
  const start = (number - 1) * ALIKE_GROUPS_PAGE;
  return {
    key,
    name: nameOf(author),
    compared: rows.length,
    part,
    groups: groups.slice(start, start + ALIKE_GROUPS_PAGE),
    namesakes,
  };
}
