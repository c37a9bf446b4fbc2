import { formatRemoteIds } from "../../catalog/editing/record-forms.ts";
import { formatIdentifiers } from "../../catalog/editing/form-texts.ts";
import { fieldTextOf } from "../../catalog/editing/form-members.ts";
import { type CatalogRecord, type Json, isObject } from "../../catalog/record.ts";
import type { Reply } from "../http/reply.ts";
import { type InputField, errorSummary, field } from "../ui/form.ts";
import { page } from "../ui/layout.ts";
import { type Markup, type Piece, markup } from "../ui/markup.ts";
import { memberName } from "../ui/names.ts";
import { dots, link } from "../ui/parts.ts";
import { terms } from "../ui/picker.ts";
import { valueMarkup } from "../ui/values.ts";
import { reason, t } from "../ui/words.ts";
import { NAME_SOURCES } from "./find-by-name.ts";
import type { FieldSection, MemberField } from "./member-fields.ts";
import { type NameMatches, TERM_EDITORS } from "./picks.ts";
import type { FormFailure } from "./submitted-form.ts";

export interface FormRecordView {
  /** Prefix of a member in the names of the fields: `edition`, `work` or `author`. */
  readonly prefix: string;
  readonly key: string;
  readonly type: string;
  readonly record: CatalogRecord;
  /** Newest revision, even if an older one is shown, so that concurrent changes are not undone. */
  readonly revision: number;
  /** Submitted fields, if the form is shown again. */
  readonly submitted: CatalogRecord | undefined;
  /** State of the record when the submitted form was filled; only if another editor has changed it since. */
  readonly before?: CatalogRecord | undefined;
}

export interface FormState {
  readonly failures: readonly FormFailure[];
  readonly nameMatches: NameMatches;
  readonly languages: ReadonlyMap<string, string>;
}

const DOUBTS: ReadonlySet<string> = new Set(["edit.no_year", "edit.future_date", "edit.no_such_day"]);

/** Returns true for the failure of a date that is saved once it is confirmed. */
export function isDoubtfulDate({ text }: FormFailure): boolean {
  return DOUBTS.has(text.key);
}

export function confirmDate(): Markup {
  return field({ name: "_undated", label: t("edit.undated"), type: "checkbox" });
}

export function formFailureText({ text, error }: FormFailure): Markup {
  return error === "conflict" ? t("edit.conflict") : reason(text);
}

/** Renders the sections of a record with their failures. Appends `more` to the first one. */
export function recordSections(
  sections: readonly FieldSection[],
  view: FormRecordView,
  { more, ...state }: FormState & { more?: Piece },
): Markup {
  const { prefix, revision, submitted, before } = view;
  const isOld = before === undefined && typeof submitted?.["revision"] === "string";
  const base = isOld ? String(submitted["revision"]) : String(revision);
  const hidden = field({ name: `${prefix}--revision`, label: "", type: "hidden", value: base });
  return markup`${hidden}${sections.map(
    ({ words, fields }, index) =>
      markup`<fieldset><legend><h2>${t(words)}</h2></legend>${fields.map((spec) => memberField(spec, view, state))}${index === 0 && more}</fieldset>`,
  )}`;
}

function memberField(
  { member, says, example, ...spec }: MemberField,
  view: FormRecordView,
  { failures, nameMatches, languages }: FormState,
): Markup {
  const failure = failures.find(({ at }) => at?.key === view.key && at.property === member);
  const name = `${view.prefix}--${member}`;
  const text = textOf(member, view);
  const filled: InputField = {
    ...spec,
    name,
    label: memberName(member),
    value: member === "languages" ? toLanguageNames(text, languages) : text,
    hint: says && t(says, { example: example !== undefined && markup`<code dir="ltr">${example}</code>` }),
    error: failure && formFailureText(failure),
  };
  const kind = TERM_EDITORS.get(member)?.kind;
  const between = { language: "\n", publisher: "; " }[String(kind)] ?? ", ";
  const content =
    kind === undefined
      ? field(filled)
      : terms({ field: filled, source: NAME_SOURCES[kind], between, ...nameMatches.get(name) });
  const isMistyped = member.startsWith("isbn_1") && failure !== undefined && failure.error !== "conflict";
  return markup`${failure?.error === "conflict" && conflictNote(member, view)}${content}${
    isMistyped && field({ name: "_misprinted", label: t("add.misprinted"), type: "checkbox" })
  }${failure !== undefined && isDoubtfulDate(failure) && confirmDate()}`;
}

/** Converts codes in lines to names; codes of languages without a unique name stay. */
function toLanguageNames(text: string, languages: ReadonlyMap<string, string>): string {
  return text
    .split("\n")
    .map((code) => languages.get(code.trim()) ?? code)
    .join("\n");
}

export function conflictNote(member: string, { prefix, type, record, before = {} }: FormRecordView): Markup {
  const render = (value: Json | undefined): Piece => {
    const text = fieldTextOf(type, member, value);
    return text === "" ? (valueMarkup(value) ?? "–") : markup`<span class="lines" dir="auto">${text}</span>`;
  };
  return markup`<div class="notice bad"><p><b>${memberName(member)}</b>: ${t("edit.conflict")}</p>
<dl class="facts"><dt>${t("edit.conflict_before")}</dt><dd>${render(before[member])}</dd>
<dt>${t("edit.conflict_now")}</dt><dd><b>${render(record[member])}</b></dd></dl>
${field({ name: `theirs--${prefix}--${member}`, label: t("edit.conflict_theirs"), type: "checkbox" })}</div>`;
}

function textOf(member: string, { type, record, submitted, before }: FormRecordView): string {
  const typed = submitted?.[member];
  const text = (from: CatalogRecord): string => {
    if (member === "identifiers") return formatIdentifiers(from[member]);
    if (member === "remote_ids") return formatRemoteIds(from[member]);
    return fieldTextOf(type, member, from[member]);
  };
  // Members that the editor left unchanged have their current value.
  return typeof typed === "string" && (before === undefined || typed !== text(before)) ? typed : text(record);
}

export function objectUnder(form: CatalogRecord | undefined, name: string): CatalogRecord | undefined {
  const value = form?.[name];
  return isObject(value) ? value : undefined;
}

/** Returns the name of the field that a failure concerns; undefined if the form does not have it. */
function failedFieldOf({ at }: FormFailure, records: RecordForm["records"]): string | undefined {
  const record = records.find(
    ({ key, sections }) =>
      key === at?.key && sections.some(({ fields }) => fields.some(({ member }) => member === at.property)),
  );
  return record === undefined || at?.property === undefined ? undefined : `${record.prefix}--${at.property}`;
}

interface RecordForm {
  title: string;
  action: string;
  record: string;
  groups: readonly Markup[];
  records: readonly {
    prefix: string;
    key: string;
    sections: readonly FieldSection[];
  }[];
  failures: readonly FormFailure[];
  /** Submitted fields, if the form is shown again. */
  form: CatalogRecord | undefined;
  mayDelete: boolean;
}

/** Hidden save button: Enter in a field activates the first button of a form. */
export const ENTER_SAVES = markup`<button class="unseen" name="_save" value="true" tabindex="-1" aria-hidden="true">✓</button>`;

export function recordForm(spec: RecordForm): Reply {
  const { title, action, groups, failures, form, mayDelete } = spec;
  const summary = errorSummary(
    failures.map((failure) => {
      const name = failedFieldOf(failure, spec.records);
      const isConflict = failure.error === "conflict" && failure.at?.property !== undefined;
      const member = isConflict && markup`${memberName(failure.at.property)}: `;
      return { ...(name !== undefined && { name }), message: markup`${member}${formFailureText(failure)}` };
    }),
  );
  const comment = typeof form?.["_comment"] === "string" ? form["_comment"] : "";
  const note = field({ name: "_comment", label: t("edit.comment"), value: comment });
  const isConflict = failures.some(({ error }) => error === "conflict");
  const remove =
    mayDelete && markup`<button type="submit" name="_delete" value="true">${t("edit.delete")}</button>`;
  const body = markup`<p>${dots([link(spec.record, t("edit.back")), ...pictures(action), link(`${action.slice(0, -"/edit".length)}?m=history`, t("history.link"))])}</p>${summary}
${isConflict && markup`<p>${t("edit.conflict_hint")}</p>`}
<form method="post" action="${action}" class="record">${ENTER_SAVES}
${groups}${note}
<p class="line"><button type="submit" class="primary" name="_save" value="true">${t("edit.save")}</button> ${remove}</p>
</form>`;
  return page({ title: t("edit.title_of", { title }), body, status: failures.length === 0 ? 200 : 400 });
}

/** Renders links to the pictures of the record: `/books/OL1M/edit` has its covers at `/books/OL1M/manage-covers`. */
function pictures(action: string): Markup[] {
  const record = action.slice(0, -"/edit".length);
  return record.startsWith("/authors/")
    ? [
        link(`${record}/manage-photos`, memberName("photos")),
        link(`${record}/add-photo`, t("edit.photo_add")),
      ]
    : [
        link(`${record}/manage-covers`, memberName("covers")),
        link(`${record}/add-cover`, t("edit.cover_add")),
      ];
}
