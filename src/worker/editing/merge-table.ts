import { CHOSEN_MEMBERS, type MergeKind } from "../../catalog/editing/merge-rules.ts";
import { fingerprint } from "../../catalog/editing/same-values.ts";
import { lastSegment } from "../../catalog/keys.ts";
import { type CatalogRecord, type Json, isObject, keyOf } from "../../catalog/record.ts";
import { OWN_MEMBERS } from "../../catalog/types.ts";
import type { Reply } from "../http/reply.ts";
import { cover, firstPicture } from "../ui/cover.ts";
import { errorSummary, field } from "../ui/form.ts";
import { page } from "../ui/layout.ts";
import { type Markup, type Piece, markup } from "../ui/markup.ts";
import { type Pickable, picker } from "../ui/picker.ts";
import { type Records, nameOf, recordLink, referenceLink, memberName } from "../ui/names.ts";
import { bullets, valueMarkup } from "../ui/values.ts";
import { say } from "../ui/words.ts";
import { NAME_SOURCES } from "./find-by-name.ts";
import { MERGE_COMMENT_LENGTH } from "./merge-records.ts";
import { failureText } from "./submitted-form.ts";

/** Records side by side, with the form that merges them. */
export interface MergeTable {
  readonly kind: MergeKind;
  readonly records: readonly CatalogRecord[];
  /** OLID of the record that stays, if one was chosen. */
  readonly master: string;
  /** Id of the merge request that this fulfils; empty for none. */
  readonly mrid: string;
  readonly mayMerge: boolean;
  readonly names: Records;
  readonly problem?: string;
  /** Search for another record: the typed name and its matches. */
  readonly search?: { readonly typed: string; readonly matches: readonly Pickable[] } | undefined;
}

const PICTURES = new Set(["covers", "photos"]);

export function mergeForm({ problem, ...spec }: MergeTable): Reply {
  const { kind, records, mrid, mayMerge } = spec;
  const title = say(kind === "author" ? "merge.authors" : "merge.works");
  const errors = errorSummary(problem === undefined ? [] : [{ message: failureText({ message: problem }) }]);
  const status = problem === undefined ? 200 : 400;
  if (records.length < 2 || spec.search !== undefined) {
    return page({ title, status, body: markup`${errors}<p>${say("merge.choose")}</p>${chooser(spec)}` });
  }
  const body = markup`${errors}<p>${say(mayMerge ? "merge.how" : "merge.how_proposed")}</p>
<form method="post" action="/${kind}s/merge">
${sideBySide(spec)}
${field({ name: "mrid", label: "", type: "hidden", value: mrid })}
${field({ name: "comment", label: say("history.comment"), maxlength: MERGE_COMMENT_LENGTH })}
<p><button class="primary">${say(mayMerge ? "merge.merge" : "merge.propose")}</button></p>
</form>
${chooser(spec)}`;
  return page({ title, status, body });
}

function chooser({ kind, records, master, mrid, search }: Omit<MergeTable, "problem">): Markup {
  const isOpen = records.length < 2 || search !== undefined;
  const hidden = { records: records.map(olidOf).join(","), primary: master, mrid };
  return markup`<form action="/${kind}s/merge">${isOpen && bullets(records.map(recordLink))}
${Object.entries(hidden).map(([name, value]) => value !== "" && field({ name, label: "", type: "hidden", value }))}
${picker({ name: "other", label: say("merge.one_more"), source: NAME_SOURCES[kind], without: records.flatMap((record) => keyOf(record) ?? []), counted: say(kind === "work" ? "merge.editions_label" : "merge.works_label"), ...search })}
<p><button${isOpen && markup` class="primary"`}>${say("merge.add")}</button></p></form>`;
}

function sideBySide({ kind, records, master, mayMerge, names }: Omit<MergeTable, "problem">): Markup {
  const olids = records.map(olidOf);
  const stays = olids.includes(master) ? master : olids[0];
  const members = [...new Set(records.flatMap((record) => Object.keys(record)))].filter(
    (member) => !OWN_MEMBERS.has(member) && !PICTURES.has(member),
  );
  const label = say("merge.side_by_side");
  return markup`<div class="wide" tabindex="0" role="region" aria-label="${label}"><table class="side-by-side">
<caption class="unseen">${label}</caption>
<thead><tr><th scope="col">${say("change.member")}</th>${records.map(
    (record) => markup`<th scope="col">${heading(record, kind)}</th>`,
  )}</tr></thead>
<tbody>
<tr><th scope="row">${say("merge.stays")}</th>${olids.map((olid) => {
    const choice = { name: "master", value: olid, isChosen: olid === stays, label: say("merge.this_stays") };
    return markup`<td>${choiceMarkup(choice)}</td>`;
  })}</tr>
<tr><th scope="row">${say("merge.become")}</th>${olids.map((value) => {
    const choice = { name: "records", value, isChosen: true, label: say("merge.this_too") };
    return markup`<td>${choiceMarkup({ ...choice, type: "checkbox" })}</td>`;
  })}</tr>
${members.map((member) => memberRow(member, { kind, records, names, mayMerge }))}
</tbody></table></div>`;
}

function heading(record: CatalogRecord, kind: MergeKind): Markup {
  const pictures = record[kind === "author" ? "photos" : "covers"];
  const picture = cover({
    key: keyOf(record) ?? "",
    title: nameOf(record),
    id: firstPicture(pictures),
    of: kind === "author" ? "a" : "b",
    width: 80,
  });
  return markup`<span class="res">${picture}</span>${recordLink(record)}<br><span class="soft small">${olidOf(record)}</span>`;
}

interface Choice {
  type?: "radio" | "checkbox";
  name: string;
  value: string;
  isChosen: boolean;
  label: Piece;
}

function choiceMarkup({ type = "radio", name, value, isChosen, label }: Choice): Markup {
  const id = `${name}-${value}`;
  return markup`<span class="line"><input type="${type}" id="${id}" name="${name}" value="${value}"${isChosen && markup` checked`}> <label for="${id}">${label}</label></span>`;
}

/** Renders a member of all records, with radio buttons if one value has to be chosen. */
function memberRow(
  member: string,
  { kind, records, names, mayMerge }: Pick<MergeTable, "kind" | "records" | "names" | "mayMerge">,
): Markup {
  const values = records.map((record) => record[member] ?? null);
  const different = new Set(values.filter((value) => value !== null).map(fingerprint));
  const isExclusive = different.size > 1 && CHOSEN_MEMBERS[kind].includes(member);
  const isChoice = mayMerge && isExclusive;
  const name = `choose_${member}`;
  const rule = isChoice
    ? choiceMarkup({ name, value: "", isChosen: true, label: say("merge.by_rule") })
    : different.size > 1 &&
      markup`<span class="soft small">${say(isExclusive ? "merge.by_rule" : "merge.together")}</span>`;
  return markup`<tr><th scope="row">${memberName(member)}<br>${rule}</th>${records.map((record, at) => {
    const label = valuePiece(values[at] ?? null, names);
    if (!isChoice || values[at] === null) return markup`<td dir="auto">${label ?? "–"}</td>`;
    return markup`<td dir="auto">${choiceMarkup({ name, value: olidOf(record), isChosen: false, label })}</td>`;
  })}</tr>`;
}

function valuePiece(value: Json, names: Records): Piece {
  if (!Array.isArray(value)) return valueMarkup(value);
  const authors = value.flatMap((row) => (isObject(row) ? (referenceLink(row["author"], names) ?? []) : []));
  return authors.length > 0 ? bullets(authors) : valueMarkup(value);
}

function olidOf(record: CatalogRecord): string {
  return lastSegment(keyOf(record) ?? "");
}
