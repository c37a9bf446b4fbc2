import * as z from "zod";
import { toReadView } from "../../catalog/document.ts";
import { type MergeKind, CHOSEN_MEMBERS, MERGE_RULES } from "../../catalog/editing/merge-rules.ts";
import { lastSegmentOf } from "../../catalog/keys.ts";
import { type CatalogRecord, type Json, typeKeyOf, isObject, keyOf } from "../../catalog/record.ts";
import { hasRole } from "../../catalog/roles.ts";
import { readRecordMap } from "../../db/records/records.ts";
import { Failure } from "../http/failure.ts";
import { type AnyOperation, type RequestContext, operation } from "../http/operation.ts";
import type { Reply } from "../http/reply.ts";
import { findByName, NAME_SOURCES } from "./find-by-name.ts";
import { splitCommas } from "./merge-note.ts";
import { MERGE_COMMENT_LENGTH } from "./merge.ts";
import { submitMerge } from "./merge-requests.ts";
import { isKeyOrOlid } from "./picks.ts";
import { fingerprint } from "../../catalog/editing/same-values.ts";
import { OWN_MEMBERS } from "../../catalog/types.ts";
import { cover, firstPicture } from "../ui/cover.ts";
import { errorSummary, field } from "../ui/form.ts";
import { page } from "../ui/layout.ts";
import { type Markup, type Piece, markup } from "../ui/markup.ts";
import { type Pickable, picker } from "../ui/picker.ts";
import { type Records, nameOf, recordLink, referenceLink, memberName } from "../ui/names.ts";
import { bullets, valueMarkup } from "../ui/values.ts";
import { t } from "../ui/words.ts";
import { failureText } from "../ui/failure-text.ts";

const MERGE_FORM_RECORDS_MAX = 100;

const requestId = z
  .string()
  .regex(/^\d{0,15}$/)
  .default("");

export const mergeAuthorsPage = pageOperation("mergeAuthorsPage", "author");
export const mergeWorksPage = pageOperation("mergeWorksPage", "work");
/** `POST /authors/merge`: merges for super-librarians, proposes the merge for librarians. */
export const mergeAuthorsForm = formOperation("mergeAuthorsForm", "author");
export const mergeWorksForm = formOperation("mergeWorksForm", "work");

function pageOperation(id: string, kind: MergeKind): AnyOperation {
  return operation({
    id,
    summary: `Show the form to merge ${kind}s`,
    tag: "editing",
    query: {
      records: z.string().max(4000).default("").describe(`Numbers of ${kind}s, comma-separated`),
      other: z.string().max(40).default("").describe("Number of one more record, picked by its name"),
      other_text: z.string().max(1000).default("").describe("Name that was typed to find it"),
      other_found: z.string().max(1000).default("").describe("Name that it was picked for"),
      primary: z.string().max(40).default(""),
      mrid: requestId,
    },
    responses: { 200: { description: "HTML form", contentType: "text/html" } },
    async handle({ query }, context) {
      const { records, primary, mrid: request, other, other_found: before } = query;
      const typed = query.other_text.trim();
      // The picked key counts only if the name was not changed after it.
      const pickedBefore = typed === before.trim() ? other : "";
      const picked = isKeyOrOlid(typed) ? typed.toUpperCase() : pickedBefore;
      const isOpen = typed !== "" && picked === "";
      const olids = [
        ...new Set([...splitCommas(records), ...(picked === "" ? [] : [lastSegmentOf(picked)])]),
      ];
      const matches = isOpen ? await findByName(kind, typed, context) : [];
      const others = matches.filter(({ key }) => !olids.includes(lastSegmentOf(key)));
      const search = isOpen ? { typed, matches: others } : undefined;
      return mergePage({ kind, olids, master: primary, mrid: request, search }, context);
    },
  });
}

function formOperation(id: string, kind: MergeKind): AnyOperation {
  const choice = z.string().max(40).default("").describe("Number of the record to take the value from");
  return operation({
    id,
    summary: `Merge ${kind}s, or request the merge`,
    tag: "editing",
    form: {
      master: z.string().max(40).default(""),
      records: z.array(z.string().max(40)).max(MERGE_FORM_RECORDS_MAX).default([]),
      comment: z.string().max(MERGE_COMMENT_LENGTH).default(""),
      mrid: requestId,
      ...Object.fromEntries(CHOSEN_MEMBERS[kind].map((member) => [`choose_${member}`, choice])),
    },
    responses: {
      303: { description: `Redirect to the merged ${kind} or to the merge requests` },
      400: { description: "HTML form with the errors", contentType: "text/html" },
    },
    async handle({ form }, context) {
      const { master, records, comment, mrid: request } = form;
      const chosen = CHOSEN_MEMBERS[kind].flatMap((member) => {
        const olid = String(Object.entries(form).find(([name]) => name === `choose_${member}`)?.[1] ?? "");
        return olid === "" ? [] : [[member, olid] as const];
      });
      try {
        return await submitMerge({ kind, master, records, comment, mrid: request, chosen }, context);
      } catch (error) {
        if (!(error instanceof Failure) || error.status >= 500) throw error;
        const olids = [...new Set([...records, ...(master === "" ? [] : [master])])];
        return mergePage({ kind, olids, master, mrid: request, problem: failureText(error) }, context);
      }
    },
  });
}

interface MergePage extends Pick<MergeTable, "kind" | "master" | "mrid" | "search"> {
  readonly olids: readonly string[];
  readonly problem?: Markup;
}

/** Shows records side by side, with the form that merges them, or a form that picks more. */
async function mergePage(
  { olids, kind, problem, ...rest }: MergePage,
  context: RequestContext,
): Promise<Reply> {
  const { catalog } = context.stores;
  const { folder, type } = MERGE_RULES[kind];
  const keys = olids.slice(0, MERGE_FORM_RECORDS_MAX).map((olid) => folder + olid);
  const latest = await readRecordMap(catalog, keys);
  const records = keys.flatMap((key) => {
    const record = latest.get(key);
    return record !== undefined && typeKeyOf(record) === type ? [toReadView(record)] : [];
  });
  const mayMerge = hasRole(await context.actor(), "super-librarian");
  const names = await readRecordMap(catalog, referencesOf(records));
  const table: MergeTable = { ...rest, kind, records, names, mayMerge };
  const title = t(kind === "author" ? "merge.authors" : "merge.works");
  const errors = errorSummary(problem === undefined ? [] : [{ message: problem }]);
  const status = problem === undefined ? 200 : 400;
  if (records.length < 2 || rest.search !== undefined) {
    return page({ title, status, body: markup`${errors}<p>${t("merge.choose")}</p>${chooser(table)}` });
  }
  const body = markup`${errors}<p>${t(mayMerge ? "merge.how" : "merge.how_proposed")}</p>
<form method="post" action="/${kind}s/merge">
${sideBySide(table)}
${field({ name: "mrid", label: "", type: "hidden", value: rest.mrid })}
${field({ name: "comment", label: t("history.comment"), maxlength: MERGE_COMMENT_LENGTH })}
<p><button class="primary">${t(mayMerge ? "merge.merge" : "merge.propose")}</button></p>
</form>
${chooser(table)}`;
  return page({ title, status, body });
}

/** Returns the keys of authors, languages and series that records refer to. */
function referencesOf(records: readonly CatalogRecord[]): string[] {
  const keys = JSON.stringify(records).match(/(?<="key":")\/(?:authors|languages|series)\/\w+/g) ?? [];
  const own = new Set(records.map(keyOf));
  return [...new Set(keys)].filter((key) => !own.has(key)).slice(0, MERGE_FORM_RECORDS_MAX);
}

interface MergeTable {
  readonly kind: MergeKind;
  readonly records: readonly CatalogRecord[];
  /** OLID of the record that stays, if one was chosen. */
  readonly master: string;
  /** Id of the merge request that this fulfils; empty for none. */
  readonly mrid: string;
  readonly mayMerge: boolean;
  readonly names: Records;
  /** Search for another record: the typed name and its matches. */
  readonly search?: { readonly typed: string; readonly matches: readonly Pickable[] } | undefined;
}

const PICTURES = new Set(["covers", "photos"]);

function chooser({ kind, records, master, mrid, search }: MergeTable): Markup {
  const isOpen = records.length < 2 || search !== undefined;
  const hidden = { records: records.map(olidOf).join(","), primary: master, mrid };
  return markup`<form action="/${kind}s/merge">${isOpen && bullets(records.map(recordLink))}
${Object.entries(hidden).map(([name, value]) => value !== "" && field({ name, label: "", type: "hidden", value }))}
${picker({ name: "other", label: t("merge.one_more"), source: NAME_SOURCES[kind], without: records.flatMap((record) => keyOf(record) ?? []), counted: t(kind === "work" ? "merge.editions_label" : "merge.works_label"), ...search })}
<p><button${isOpen && markup` class="primary"`}>${t("merge.add")}</button></p></form>`;
}

function sideBySide({ kind, records, master, mayMerge, names }: MergeTable): Markup {
  const olids = records.map(olidOf);
  const stays = olids.includes(master) ? master : olids[0];
  const members = [...new Set(records.flatMap((record) => Object.keys(record)))].filter(
    (member) => !OWN_MEMBERS.has(member) && !PICTURES.has(member),
  );
  const label = t("merge.side_by_side");
  return markup`<div class="wide" tabindex="0" role="region" aria-label="${label}"><table class="side-by-side">
<caption class="unseen">${label}</caption>
<thead><tr><th scope="col">${t("change.member")}</th>${records.map(
    (record) => markup`<th scope="col">${heading(record, kind)}</th>`,
  )}</tr></thead>
<tbody>
<tr><th scope="row">${t("merge.stays")}</th>${olids.map((olid) => {
    const choice = { name: "master", value: olid, isChosen: olid === stays, label: t("merge.this_stays") };
    return markup`<td>${choiceMarkup(choice)}</td>`;
  })}</tr>
<tr><th scope="row">${t("merge.become")}</th>${olids.map((value) => {
    const choice = { name: "records", value, isChosen: true, label: t("merge.this_too") };
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
    ? choiceMarkup({ name, value: "", isChosen: true, label: t("merge.by_rule") })
    : different.size > 1 &&
      markup`<span class="soft small">${t(isExclusive ? "merge.by_rule" : "merge.together")}</span>`;
  return markup`<tr><th scope="row">${memberName(member)}<br>${rule}</th>${records.map((record, at) => {
    const label = valuePiece(values[at] ?? null, names);
    if (!isChoice || values[at] === null) return markup`<td dir="auto">${label ?? "–"}</td>`;
    return markup`<td dir="auto">${choiceMarkup({ name, value: olidOf(record), isChosen: false, label })}</td>`;
  })}</tr>`;
}

function valuePiece(value: Json, names: Records): Piece {
  if (!Array.isArray(value))
    return keyOf(value) === undefined ? valueMarkup(value) : referenceLink(value, names);
  const links = value.flatMap((row) => {
    const reference = isObject(row) ? (row["author"] ?? row["series"] ?? row) : row;
    return referenceLink(reference, names) ?? [];
  });
  return links.length > 0 ? bullets(links) : valueMarkup(value);
}

function olidOf(record: CatalogRecord): string {
  return lastSegmentOf(keyOf(record) ?? "");
}
