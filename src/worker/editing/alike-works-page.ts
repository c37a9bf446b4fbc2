import type { Reply } from "../http/reply.ts";
import { errorSummary } from "../ui/form.ts";
import { page } from "../ui/layout.ts";
import { type Markup, addressOf, markup } from "../ui/markup.ts";
import { type Part, partLinks, partText } from "../ui/paging.ts";
import { link } from "../ui/parts.ts";
import { MERGE_COMMENT_LENGTH } from "./merge-records.ts";

/** A work as librarians tell it from others. */
export interface AlikeWork {
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
export function alikeWorksPage(view: AlikeView): Reply {
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
