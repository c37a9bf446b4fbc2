import * as z from "zod";
import { latestRecord } from "../../catalog/document.ts";
import { alikeWorks } from "../../catalog/editing/merge-plan.ts";
import { lastSegment, numberedKey } from "../../catalog/keys.ts";
import { hasRole } from "../../catalog/roles.ts";
import { readRecord } from "../../db/records/records.ts";
import { sameNameRows } from "../../catalog/matching/match-keys.ts";
import { countEditions } from "../../db/records/members.ts";
import { findAuthorsNamed, nameText, readTitlesOfAuthors } from "../../db/records/titles.ts";
import { wantsHtml } from "../http/accept.ts";
import { CarrelError, recordNotFound } from "../http/errors.ts";
import { type RequestContext, operation } from "../http/operation.ts";
import { digitsOf, ownSlug, pageNumber } from "../http/parameters.ts";
import { type Reply, NO_STORE, json } from "../http/reply.ts";
import { errorSummary } from "../ui/form.ts";
import { page } from "../ui/layout.ts";
import { type Markup, addressOf, markup } from "../ui/markup.ts";
import { nameOf } from "../ui/names.ts";
import { partLinks, partText } from "../ui/pager.ts";
import { commas, link } from "../ui/parts.ts";
import { say } from "../ui/words.ts";
import { MERGE_COMMENT_LENGTH } from "./merge-records.ts";
import { sendMerge } from "./merge-requests.ts";
import { failureText } from "./sent-form.ts";

/** Works of an author that are compared; the first ones by number. */
const ALIKE_WORKS_READ_MAX = 5000;
/** Groups of works on one page. */
const ALIKE_GROUPS_PAGE = 20;
/** Works of one group in a form, at most. */
const ALIKE_GROUP_MAX = 100;

const author_id = digitsOf("author", z.string().regex(/^\d{1,15}$/));
/** Work with the details by which librarians tell it from others. */
const alikeWorkSchema = z.object({
  key: z.string(),
  title: z.string(),
  subtitle: z.string().nullable(),
  first_publish_date: z.string().nullable(),
});
type AlikeWork = z.infer<typeof alikeWorkSchema> & {
  /** Key of another author of the same name who wrote it. */
  readonly other: string;
};
/** Authors of the same name whose works are compared, too. */
const NAMESAKES_MAX = 20;

/**
 * `GET /authors/OL1A/merge-works`: works of an author, and of others of the same name, with similar titles, to be
 * merged by librarians.
 */
export const alikeWorksOfAuthor = operation({
  id: "alikeWorks",
  summary: "Works of an author whose titles are alike, and forms to merge them",
  tag: "editing",
  path: { author_id, slug: ownSlug },
  query: { page: pageNumber() },
  responses: {
    200: {
      description: "Groups of works; a page for people",
      schema: z.object({
        author: z.string(),
        compared: z.int().describe("Works that were compared"),
        groups: z.array(z.array(alikeWorkSchema)),
      }),
      also: ["text/html"],
    },
    404: { description: "No such author" },
  },
  async handle({ path, query: { page: number } }, context) {
    const found = await findAlike(path.author_id, context);
    if (wantsHtml(context.request)) return alikePage(found, { number }, context);
    const { key: author, compared } = found;
    return json(
      { author, compared, groups: groupsOf(found, number).map((group) => group.map(toJson)) },
      { cacheControl: NO_STORE, headers: { Vary: "Accept" } },
    );
  },
});

/** Merges works, or proposes it, from one of the forms: `POST` of the same path. */
export const mergeAlikeWorks = operation({
  id: "mergeAlikeWorks",
  summary: "Merge works of an author, or propose it, as the page asks",
  tag: "editing",
  path: { author_id },
  form: {
    master: z.string().max(40).default(""),
    records: z.array(z.string().max(40)).max(ALIKE_GROUP_MAX).default([]),
    comment: z.string().max(MERGE_COMMENT_LENGTH).default(""),
  },
  responses: {
    303: { description: "The merged work, or the queue of requests" },
    400: { description: "The page again, with what is wrong", contentType: "text/html" },
    404: { description: "No such author" },
  },
  async handle({ path, form }, context) {
    try {
      return await sendMerge({ kind: "work", mrid: "", ...form }, context);
    } catch (error) {
      const isForPerson = wantsHtml(context.request);
      if (!isForPerson || !(error instanceof CarrelError) || error.status >= 500) throw error;
      const found = await findAlike(path.author_id, context);
      return alikePage(found, { number: 1, problem: error.message }, context);
    }
  },
});

function toJson({ key, title, subtitle, first_publish_date }: AlikeWork): z.infer<typeof alikeWorkSchema> {
  return { key, title, subtitle, first_publish_date };
}

interface FoundAlike {
  /** Key and name of the author. */
  readonly key: string;
  readonly name: string;
  /** Works that were compared. */
  readonly compared: number;
  readonly groups: readonly (readonly AlikeWork[])[];
  /** Names of other authors of the same name, by key. */
  readonly namesakes: ReadonlyMap<string, string>;
}

async function findAlike(id: string, { stores, settings }: RequestContext): Promise<FoundAlike> {
  const key = numberedKey("author", id, settings.RECORD_PREFIX);
  // From the primary: librarians return here after a merge.
  const row = await readRecord(stores.catalog, key);
  if (row?.type !== "/type/author") throw recordNotFound(key);
  const author = latestRecord(row);
  const named = await findAuthorsNamed(stores.catalog, sameNameRows(author), NAMESAKES_MAX);
  const namesakes = new Map(named.map((one) => [one.key, nameText(one.name) ?? one.key]));
  namesakes.delete(key);
  const rows = await readTitlesOfAuthors(stores.catalog, [key, ...namesakes.keys()], ALIKE_WORKS_READ_MAX);
  const groups = alikeWorks(rows.map(alikeWork))
    .filter((group) => group.some(({ other }) => other === ""))
    .map((group) => group.slice(0, ALIKE_GROUP_MAX));
  return { key, name: nameOf(author), compared: rows.length, groups, namesakes };
}

type TitleRow = Awaited<ReturnType<typeof readTitlesOfAuthors>>[number];

function alikeWork({ key, other, title, subtitle, firstPublished }: TitleRow): AlikeWork {
  return {
    key,
    other,
    title: nameText(title) ?? "",
    subtitle: nameText(subtitle) ?? null,
    first_publish_date: nameText(firstPublished) ?? null,
  };
}

/** Returns the groups of one page. */
function groupsOf({ groups }: FoundAlike, number: number): FoundAlike["groups"] {
  return groups.slice((number - 1) * ALIKE_GROUPS_PAGE, number * ALIKE_GROUPS_PAGE);
}

/** Writes the groups of works, each with a form that merges them. */
async function alikePage(
  found: FoundAlike,
  { number, problem }: { readonly number: number; readonly problem?: string },
  context: RequestContext,
): Promise<Reply> {
  const { key, name, compared, groups, namesakes } = found;
  const part = { number, size: ALIKE_GROUPS_PAGE, total: groups.length };
  const address = `${addressOf(key)}/merge-works`;
  const mayMerge = hasRole(await context.actor(), "super-librarian");
  const author = markup`<bdi>${name}</bdi>`;
  const shown = groupsOf(found, number);
  const keys = shown.flat().map((work) => work.key);
  const editions = await countEditions(context.stores.catalog, keys);
  return page({
    title: say("merge.alike", { author }),
    status: problem === undefined ? 200 : 400,
    body: markup`${errorSummary(problem === undefined ? [] : [{ message: failureText({ message: problem }) }])}
<p>${link(addressOf(key), author)}: ${say("merge.compared", { works: say("merge.works_count", { count: compared }), groups: partText(part, "merge.groups") })}</p>
<div id="groups">${shown.map((group, index) => groupForm(group, { index, address, mayMerge, editions, namesakes }))}</div>
${partLinks(part, { address, anchor: "groups" })}`,
  });
}

interface FormPlace extends Pick<FoundAlike, "namesakes"> {
  readonly index: number;
  /** Numbers of editions of works, by their keys. */
  readonly editions: ReadonlyMap<string, number>;
  readonly address: string;
  readonly mayMerge: boolean;
}

function groupForm(works: readonly AlikeWork[], place: FormPlace): Markup {
  const { index, address, mayMerge } = place;
  const [first] = works;
  const title = first?.title ?? "";
  const heading = `group-${index}`;
  return markup`<section aria-labelledby="${heading}"><h2 id="${heading}">${title}</h2>
<form method="post" action="${address}">
<fieldset><legend>${say("merge.work_stays")}</legend>${works.map((work) =>
    choice({ type: "radio", name: "master", work, isChosen: work === first, place }),
  )}</fieldset>
<fieldset><legend>${say("merge.works_become")}</legend>${works.map((work) =>
    choice({ type: "checkbox", name: "records", work, isChosen: false, place }),
  )}</fieldset>
<label for="comment-${index}">${say("history.comment")}</label><input id="comment-${index}" name="comment" type="text" maxlength="${MERGE_COMMENT_LENGTH}">
<p class="line"><button class="primary">${say(mayMerge ? "merge.merge" : "merge.propose")}<span class="unseen">: ${title}</span></button> ${link(`/works/merge?records=${works.map((one) => one.key.slice("/works/".length)).join(",")}`, say("merge.side_link"))}</p>
</form></section>`;
}

interface Choice {
  readonly type: "radio" | "checkbox";
  readonly name: string;
  readonly work: AlikeWork;
  readonly isChosen: boolean;
  readonly place: FormPlace;
}

function choice({ type, name, work, isChosen, place }: Choice): Markup {
  const { key, title, other, subtitle, first_publish_date: date } = work;
  const olid = key.slice("/works/".length);
  // Forms of one page have different ids.
  const id = `${name}-${place.index}-${olid}`;
  const by = other !== "" && markup`<bdi>${place.namesakes.get(other) ?? other}</bdi> ${lastSegment(other)}`;
  const editions = say("book.editions", { count: place.editions.get(key) ?? 0 });
  const more = [by, subtitle, date, olid, editions].filter(
    (piece) => piece !== null && piece !== "" && piece !== false,
  );
  return markup`<div class="check"><input type="${type}" id="${id}" name="${name}" value="${olid}"${isChosen && markup` checked`}>
<label for="${id}">${title} (${commas(more)})</label> ${type === "radio" && link(addressOf(key), markup`${say("add.look")}<span class="unseen">: ${olid}</span>`)}</div>`;
}
