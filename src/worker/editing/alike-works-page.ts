import { lastSegmentOf } from "../../catalog/keys.ts";
import type { Failure } from "../http/failure.ts";
import type { Reply } from "../http/reply.ts";
import { failureText } from "../ui/failure-text.ts";
import { errorSummary } from "../ui/form.ts";
import { page } from "../ui/layout.ts";
import { type Markup, type Piece, addressOf, markup } from "../ui/markup.ts";
import { type Part, partLinks, partText } from "../ui/pager.ts";
import { commas, link } from "../ui/parts.ts";
import { t } from "../ui/words.ts";
import { MERGE_COMMENT_LENGTH } from "./merge.ts";

export interface AlikeWork {
  readonly key: string;
  readonly title: string;
  readonly subtitle: string | null;
  readonly first_publish_date: string | null;
  /** Key of the author, if it is another one of the same name; else empty. */
  readonly other: string;
}

/** Groups of similar works, of an author and of others of the same name. */
export interface AlikeWorks {
  readonly key: string;
  readonly name: string;
  /** Number of works that were compared. */
  readonly compared: number;
  readonly part: Part;
  readonly groups: readonly (readonly AlikeWork[])[];
  /** Names of the other authors, by their keys. */
  readonly namesakes: ReadonlyMap<string, string>;
}

interface AlikePage extends AlikeWorks {
  readonly mayMerge: boolean;
  /** Numbers of editions, by keys of works. */
  readonly editions: ReadonlyMap<string, number>;
}

export function alikeWorksPage(alike: AlikePage, refusal?: Failure): Reply {
  const { key, name, compared, part, groups } = alike;
  const address = `${addressOf(key)}/merge-works`;
  const author = markup`<bdi>${name}</bdi>`;
  return page({
    title: t("merge.alike", { author }),
    body: markup`${errorSummary(refusal === undefined ? [] : [{ message: failureText(refusal) }])}
<p>${link(addressOf(key), author)} · ${t("merge.compared", { works: t("merge.works_count", { count: compared }), groups: partText(part, "merge.groups") })}</p>
<div id="groups">${groups.map((group, index) => groupForm(group, { ...alike, index, address }))}</div>
${partLinks(part, { address, anchor: "groups" })}`,
  });
}

interface FormPlace extends Pick<AlikePage, "namesakes" | "editions" | "mayMerge"> {
  index: number;
  address: string;
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
