import * as z from "zod";
import { latestRecord } from "../../catalog/document.ts";
import { alikeWorks } from "../../catalog/editing/merge-plan.ts";
import { type Json, textOf } from "../../catalog/record.ts";
import { readRecord } from "../../db/records/read.ts";
import { type TitledWork, readTitlesOfAuthor } from "../../db/records/titles.ts";
import { wantsHtml } from "../http/accept.ts";
import { hasRole } from "../../catalog/roles.ts";
import { CarrelError, recordNotFound } from "../http/errors.ts";
import { type AnyOperation, type RequestContext, operation } from "../http/operation.ts";
import { pageNumber } from "../http/parameters.ts";
import { type Reply, NO_STORE, json } from "../http/reply.ts";
import { errorSummary } from "../ui/form.ts";
import { page } from "../ui/layout.ts";
import { type Markup, addressOf, markup } from "../ui/markup.ts";
import { nameOf } from "../ui/names.ts";
import { type Part, partLinks, partText } from "../ui/paging.ts";
import { link } from "../ui/parts.ts";
import { MERGE_COMMENT_LENGTH } from "./merge-records.ts";
import { sendMerge } from "./merge-requests.ts";

/** A work as librarians tell it from others. */
interface AlikeWork {
  readonly key: string;
  readonly title: string;
  readonly subtitle: string | null;
  readonly first_publish_date: string | null;
}

/** What the page of works that look alike shows. */
interface AlikeView {
  readonly author: { readonly key: string; readonly name: string };
  /** Works that were compared. */
  readonly compared: number;
  /** The author has more works than were compared. */
  readonly isCut: boolean;
  readonly groups: readonly (readonly AlikeWork[])[];
  readonly part: Part;
  readonly mayMerge: boolean;
  readonly problem?: string;
}

/** Groups of works, each with a form that merges them. */
function alikeWorksPage(view: AlikeView): Reply {
  const { author, compared, isCut, groups, part, problem } = view;
  const address = `${addressOf(author.key)}/merge-works`;
  return page({
    title: `Works by ${author.name} that look alike`,
    status: problem === undefined ? 200 : 400,
    body: markup`${errorSummary(problem === undefined ? [] : [{ message: problem }])}
<p>${link(addressOf(author.key), author.name)}: ${isCut ? `the first ${compared} works` : `${compared} works`} were compared by their titles, ${partText(part, ["group", "groups"])}.</p>
<div id="groups">${groups.map((group, index) => groupForm(group, { index, address, mayMerge: view.mayMerge }))}</div>
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
<fieldset><legend>The work that stays</legend>${works.map((work) =>
    choice({ type: "radio", name: "master", work, isChosen: work === first, form: index }),
  )}</fieldset>
<fieldset><legend>Works that become it</legend>${works.map((work) =>
    choice({ type: "checkbox", name: "records", work, isChosen: false, form: index }),
  )}</fieldset>
<label for="comment-${index}">Comment</label><input id="comment-${index}" name="comment" type="text" maxlength="${MERGE_COMMENT_LENGTH}">
<p><button type="submit">${mayMerge ? "Merge" : "Propose this merge"}<span class="unseen"> of ${title}</span></button></p>
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
<label for="${id}">${title} (${more})</label> ${type === "radio" && link(addressOf(key), markup`Look at it<span class="unseen">: ${olid}</span>`)}</div>`;
}

/** Works of an author that are compared; the first ones by number. */
const ALIKE_WORKS_READ_MAX = 5000;
/** Groups of works on one page. */
const ALIKE_GROUPS_PAGE = 20;
/** Works of one group that a form holds. */
const ALIKE_GROUP_MAX = 100;

const author_id = z
  .string()
  .regex(/^\d{1,15}$/)
  .describe("The digits of the author's number");
const slug = z.string().describe("The readable part of the address");
const alikeSchema = z.object({
  author: z.string(),
  compared: z.int().describe("Works that were compared"),
  groups: z.array(
    z.array(
      z.object({
        key: z.string(),
        title: z.string(),
        subtitle: z.string().nullable(),
        first_publish_date: z.string().nullable(),
      }),
    ),
  ),
});

/** `GET /authors/OL1A/merge-works`: works of an author whose titles are alike, to be merged by librarians. */
export const alikeWorksOfAuthor = showOperation("alikeWorks", { author_id });
/** The same at the readable address. */
export const alikeWorksAtPage = showOperation("alikeWorksAtPage", { author_id, slug });

function showOperation(id: string, path: Record<string, z.ZodString>): AnyOperation {
  return operation({
    id,
    summary: "Works of an author whose titles are alike, and forms to merge them",
    tag: "editing",
    path,
    query: { page: pageNumber() },
    responses: {
      200: { description: "Groups of works; a page for people", schema: alikeSchema, also: ["text/html"] },
      404: { description: "No such author" },
    },
    async handle({ path: named, query: { page } }, context) {
      const found = await findAlike(String(named["author_id"]), context);
      if (wantsHtml(context.request)) return alikePage(found, { page }, context);
      const { key, compared, groups } = found;
      const shown = groups.slice((page - 1) * ALIKE_GROUPS_PAGE, page * ALIKE_GROUPS_PAGE);
      return json(
        { author: key, compared, groups: shown },
        { cacheControl: NO_STORE, headers: { Vary: "Accept" } },
      );
    },
  });
}

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
      return alikePage(found, { page: 1, problem: error.message }, context);
    }
  },
});

interface FoundAlike {
  readonly key: string;
  readonly name: string;
  readonly compared: number;
  readonly groups: readonly (readonly AlikeWork[])[];
}

async function findAlike(id: string, { stores, settings }: RequestContext): Promise<FoundAlike> {
  const key = `/authors/${settings.RECORD_PREFIX}${id}A`;
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

async function alikePage(
  { key, name, compared, groups }: FoundAlike,
  { page: number, problem }: { readonly page: number; readonly problem?: string },
  context: RequestContext,
): Promise<Reply> {
  return alikeWorksPage({
    author: { key, name },
    compared,
    isCut: compared === ALIKE_WORKS_READ_MAX,
    groups: groups.slice((number - 1) * ALIKE_GROUPS_PAGE, number * ALIKE_GROUPS_PAGE),
    part: { number, size: ALIKE_GROUPS_PAGE, total: groups.length },
    mayMerge: hasRole(await context.actor(), "super-librarian"),
    ...(problem === undefined ? {} : { problem }),
  });
}
