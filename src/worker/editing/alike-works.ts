import * as z from "zod";
import { latestRecordOf } from "../../catalog/document.ts";
import { groupSimilarWorks } from "../../catalog/editing/merge-plan.ts";
import { lastSegmentOf, makeNumberedKey } from "../../catalog/keys.ts";
import { hasRole } from "../../catalog/roles.ts";
import { readRecord } from "../../db/records/records.ts";
import { sameNameRowsOf } from "../../catalog/matching/match-keys.ts";
import { countEditions } from "../../db/records/members.ts";
import { findAuthorsNamed, nameText, readTitlesOfAuthors } from "../../db/records/titles.ts";
import { wantsHtml } from "../http/accept.ts";
import { recordNotFound } from "../http/errors.ts";
import { Failure } from "../http/failure.ts";
import { type RequestContext, operation } from "../http/operation.ts";
import { digitsOf, ownSlug, pageNumber } from "../http/parameters.ts";
import { type Reply, NO_STORE, json } from "../http/reply.ts";
import { errorSummary } from "../ui/form.ts";
import { page } from "../ui/layout.ts";
import { type Markup, type Piece, addressOf, markup } from "../ui/markup.ts";
import { nameOf } from "../ui/names.ts";
import { partLinks, partText } from "../ui/pager.ts";
import { commas, link } from "../ui/parts.ts";
import { t } from "../ui/words.ts";
import { MERGE_COMMENT_LENGTH } from "./merge.ts";
import { submitMerge } from "./merge-requests.ts";
import { failureText } from "../ui/failure-text.ts";

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
type AlikeWork = z.infer<typeof alikeWorkSchema> & {
  /** Key of the author, if it is another one of the same name; else empty. */
  other: string;
};
/** Maximum number of authors of the same name whose works are compared too. */
const NAMESAKES_MAX = 20;

/**
 * `GET /authors/OL1A/merge-works`: works of an author, and of others of the same name, with similar titles, and forms that
 * merge them.
 */
export const alikeWorksOfAuthor = operation({
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
  async handle({ path, query: { page: number } }, context) {
    const alike = await findAlikeWorks(path.author_id, context);
    if (wantsHtml(context.request)) return alikePage(alike, { number }, context);
    const { key: author, compared } = alike;
    const groups = groupsOf(alike, number).map((group) => group.map(({ other: _other, ...work }) => work));
    return json({ author, compared, groups }, { cacheControl: NO_STORE, headers: { Vary: "Accept" } });
  },
});

export const mergeAlikeWorks = operation({
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
  async handle({ path, form }, context) {
    try {
      return await submitMerge({ kind: "work", mrid: "", ...form }, context);
    } catch (error) {
      const isForPerson = wantsHtml(context.request);
      if (!isForPerson || !(error instanceof Failure) || error.status >= 500) throw error;
      const alike = await findAlikeWorks(path.author_id, context);
      return alikePage(alike, { number: 1, problem: failureText(error) }, context);
    }
  },
});

interface AlikeWorks {
  key: string;
  name: string;
  compared: number;
  groups: readonly (readonly AlikeWork[])[];
  namesakes: ReadonlyMap<string, string>;
}

async function findAlikeWorks(id: string, { stores, settings }: RequestContext): Promise<AlikeWorks> {
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
  return { key, name: nameOf(author), compared: rows.length, groups, namesakes };
}

function groupsOf({ groups }: AlikeWorks, number: number): AlikeWorks["groups"] {
  return groups.slice((number - 1) * ALIKE_GROUPS_PAGE, number * ALIKE_GROUPS_PAGE);
}

async function alikePage(
  alike: AlikeWorks,
  { number, problem }: { number: number; problem?: Markup },
  context: RequestContext,
): Promise<Reply> {
  const { key, name, compared, groups, namesakes } = alike;
  const part = { number, size: ALIKE_GROUPS_PAGE, total: groups.length };
  const address = `${addressOf(key)}/merge-works`;
  const mayMerge = hasRole(await context.actor(), "super-librarian");
  const author = markup`<bdi>${name}</bdi>`;
  const pageGroups = groupsOf(alike, number);
  const keys = pageGroups.flat().map((work) => work.key);
  const editions = await countEditions(context.stores.catalog, keys);
  return page({
    title: t("merge.alike", { author }),
    status: problem === undefined ? 200 : 400,
    body: markup`${errorSummary(problem === undefined ? [] : [{ message: problem }])}
<p>${link(addressOf(key), author)} · ${t("merge.compared", { works: t("merge.works_count", { count: compared }), groups: partText(part, "merge.groups") })}</p>
<div id="groups">${pageGroups.map((group, index) => groupForm(group, { index, address, mayMerge, editions, namesakes }))}</div>
${partLinks(part, { address, anchor: "groups" })}`,
  });
}

interface FormPlace extends Pick<AlikeWorks, "namesakes"> {
  index: number;
  editions: ReadonlyMap<string, number>;
  address: string;
  mayMerge: boolean;
}

function groupForm(works: readonly AlikeWork[], place: FormPlace): Markup {
  const { index, address, mayMerge } = place;
  const [first] = works;
  const title = first?.title ?? "";
  const heading = `group-${index}`;
  const choices = (type: "radio" | "checkbox", name: string): Markup[] =>
    works.map((work) => {
      const olid = lastSegmentOf(work.key);
      // Unique among the forms of a page.
      const id = `${name}-${index}-${olid}`;
      const isChosen = type === "radio" && work === first;
      return markup`<div class="check"><input type="${type}" id="${id}" name="${name}" value="${olid}"${isChosen && markup` checked`}>
<label for="${id}">${work.title} (${detailsOf(work, place)})</label> ${type === "radio" && link(addressOf(work.key), markup`${t("add.look")}<span class="unseen">: ${olid}</span>`)}</div>`;
    });
  return markup`<section aria-labelledby="${heading}"><h2 id="${heading}">${title}</h2>
<form method="post" action="${address}">
<fieldset><legend>${t("merge.work_stays")}</legend>${choices("radio", "master")}</fieldset>
<fieldset><legend>${t("merge.works_become")}</legend>${choices("checkbox", "records")}</fieldset>
<label for="comment-${index}">${t("history.comment")}</label><input id="comment-${index}" name="comment" type="text" maxlength="${MERGE_COMMENT_LENGTH}">
<p class="line"><button class="primary">${t(mayMerge ? "merge.merge" : "merge.propose")}<span class="unseen">: ${title}</span></button> ${link(`/works/merge?records=${works.map((work) => lastSegmentOf(work.key)).join(",")}`, t("merge.side_link"))}</p>
</form></section>`;
}

function detailsOf({ key, other, subtitle, first_publish_date: date }: AlikeWork, place: FormPlace): Piece {
  const by =
    other !== "" && markup`<bdi>${place.namesakes.get(other) ?? other}</bdi> ${lastSegmentOf(other)}`;
  const editions = t("book.editions", { count: place.editions.get(key) ?? 0 });
  const pieces = [by, subtitle, date, lastSegmentOf(key), editions];
  return commas(pieces.filter((piece) => piece !== null && piece !== "" && piece !== false));
}
