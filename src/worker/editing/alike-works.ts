import * as z from "zod";
import { latestRecord } from "../../catalog/document.ts";
import { alikeWorks } from "../../catalog/editing/merge-plan.ts";
import { numberedKey } from "../../catalog/keys.ts";
import { type Json, textOf } from "../../catalog/record.ts";
import { hasRole } from "../../catalog/roles.ts";
import { readRecord } from "../../db/records/read.ts";
import { type TitledWork, readTitlesOfAuthor } from "../../db/records/titles.ts";
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
import { link } from "../ui/parts.ts";
import { say } from "../ui/words.ts";
import { MERGE_COMMENT_LENGTH } from "./merge-records.ts";
import { sendMerge } from "./merge-requests.ts";
import { failureText } from "./sent-form.ts";

/** Works of an author that are compared; the first ones by number. */
const ALIKE_WORKS_READ_MAX = 5000;
/** Groups of works on one page. */
const ALIKE_GROUPS_PAGE = 20;
/** Works of one group that a form holds. */
const ALIKE_GROUP_MAX = 100;

const author_id = digitsOf("author", z.string().regex(/^\d{1,15}$/));
/** A work as librarians tell it from others. */
const alikeWorkSchema = z.object({
  key: z.string(),
  title: z.string(),
  subtitle: z.string().nullable(),
  first_publish_date: z.string().nullable(),
});
type AlikeWork = z.infer<typeof alikeWorkSchema>;

/** `GET /authors/OL1A/merge-works`: works of an author whose titles are alike, to be merged by librarians. */
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
      { author, compared, groups: groupsOf(found, number) },
      { cacheControl: NO_STORE, headers: { Vary: "Accept" } },
    );
  },
});

/** `POST` of the same: merges works, or proposes it, as one of the forms asks. */
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

interface FoundAlike {
  /** Key and name of the author. */
  readonly key: string;
  readonly name: string;
  /** Works that were compared. */
  readonly compared: number;
  readonly groups: readonly (readonly AlikeWork[])[];
}

async function findAlike(id: string, { stores, settings }: RequestContext): Promise<FoundAlike> {
  const key = numberedKey("author", id, settings.RECORD_PREFIX);
  // From the primary: librarians come here again after a merge.
  const [author, rows] = await Promise.all([
    readRecord(stores.catalog, key),
    readTitlesOfAuthor(stores.catalog, key, ALIKE_WORKS_READ_MAX),
  ]);
  if (author?.type !== "/type/author") throw recordNotFound(key);
  const groups = alikeWorks(rows.map(alikeWork)).map((group) => group.slice(0, ALIKE_GROUP_MAX));
  return { key, name: nameOf(latestRecord(author)), compared: rows.length, groups };
}

function alikeWork({ key, title, subtitle, firstPublished }: TitledWork): AlikeWork {
  return {
    key,
    title: memberText(title) ?? "",
    subtitle: memberText(subtitle) ?? null,
    first_publish_date: memberText(firstPublished) ?? null,
  };
}

/** Text of a member, as a part of a stored document. */
function memberText(part: string | null): string | undefined {
  return part === null ? undefined : textOf(JSON.parse(part) as Json);
}

/** The groups of one page. */
function groupsOf({ groups }: FoundAlike, number: number): FoundAlike["groups"] {
  return groups.slice((number - 1) * ALIKE_GROUPS_PAGE, number * ALIKE_GROUPS_PAGE);
}

/** Groups of works, each with a form that merges them. */
async function alikePage(
  found: FoundAlike,
  { number, problem }: { readonly number: number; readonly problem?: string },
  context: RequestContext,
): Promise<Reply> {
  const { key, name, compared, groups } = found;
  const part = { number, size: ALIKE_GROUPS_PAGE, total: groups.length };
  const address = `${addressOf(key)}/merge-works`;
  const mayMerge = hasRole(await context.actor(), "super-librarian");
  const author = markup`<bdi>${name}</bdi>`;
  return page({
    title: say("merge.alike", { author }),
    status: problem === undefined ? 200 : 400,
    body: markup`${errorSummary(problem === undefined ? [] : [{ message: failureText({ message: problem }) }])}
<p>${link(addressOf(key), author)}: ${say("merge.compared", { works: say("merge.works_count", { count: compared }), groups: partText(part, "merge.groups") })}</p>
<div id="groups">${groupsOf(found, number).map((group, index) => groupForm(group, { index, address, mayMerge }))}</div>
${partLinks(part, { address, anchor: "groups" })}`,
  });
}

interface FormPlace {
  readonly index: number;
  readonly address: string;
  readonly mayMerge: boolean;
}

function groupForm(works: readonly AlikeWork[], { index, address, mayMerge }: FormPlace): Markup {
  const [first] = works;
  const title = first?.title ?? "";
  const heading = `group-${index}`;
  return markup`<section aria-labelledby="${heading}"><h2 id="${heading}">${title}</h2>
<form method="post" action="${address}">
<fieldset><legend>${say("merge.work_stays")}</legend>${works.map((work) =>
    choice({ type: "radio", name: "master", work, isChosen: work === first, form: index }),
  )}</fieldset>
<fieldset><legend>${say("merge.works_become")}</legend>${works.map((work) =>
    choice({ type: "checkbox", name: "records", work, isChosen: false, form: index }),
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
  /** Number of the form, for ids that differ. */
  readonly form: number;
}

function choice({ type, name, work, isChosen, form }: Choice): Markup {
  const { key, title, subtitle, first_publish_date: date } = work;
  const olid = key.slice("/works/".length);
  const id = `${name}-${form}-${olid}`;
  const more = [subtitle, date, olid].filter((text) => text !== null && text !== "").join(", ");
  return markup`<div class="check"><input type="${type}" id="${id}" name="${name}" value="${olid}"${isChosen && markup` checked`}>
<label for="${id}">${title} (${more})</label> ${type === "radio" && link(addressOf(key), markup`${say("add.look")}<span class="unseen">: ${olid}</span>`)}</div>`;
}
