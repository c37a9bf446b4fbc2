import { remoteIdText } from "../../catalog/editing/author-form.ts";
import { identifierText } from "../../catalog/editing/form-identifiers.ts";
import { fieldText } from "../../catalog/editing/form-members.ts";
import { type CatalogRecord, isObject } from "../../catalog/record.ts";
import type { Reply } from "../http/reply.ts";
import { type Field, errorSummary, field } from "../ui/form.ts";
import { page } from "../ui/layout.ts";
import { type Markup, markup } from "../ui/markup.ts";
import { link } from "../ui/parts.ts";
import type { FormFailure } from "./sent-form.ts";

/** A member of a record that a form shows. */
export interface MemberField {
  readonly member: string;
  readonly label: string;
  readonly type?: "text" | "textarea";
  readonly hint?: string;
  readonly required?: boolean;
}

const long = (member: string, label: string, hint?: string): MemberField => ({
  member,
  label,
  type: "textarea",
  ...(hint === undefined ? {} : { hint }),
});
const LINES = "One a line.";
const COMMAS = "Separated by commas; in quotation marks when there is a comma inside.";
const SUBJECTS: readonly MemberField[] = [
  long("subjects", "Subjects", COMMAS),
  long("subject_people", "People", COMMAS),
  long("subject_places", "Places", COMMAS),
  long("subject_times", "Times", COMMAS),
];

/** Members of an edition that people edit. */
export const EDITION_FIELDS: readonly MemberField[] = [
  { member: "title", label: "Title", required: true },
  { member: "subtitle", label: "Subtitle" },
  { member: "edition_name", label: "Edition" },
  { member: "by_statement", label: "By statement" },
  { member: "publishers", label: "Publishers", hint: "Separated by semicolons." },
  { member: "publish_places", label: "Places of publication", hint: "Separated by semicolons." },
  { member: "publish_date", label: "Date of publication" },
  { member: "copyright_date", label: "Copyright date" },
  long("languages", "Languages", "MARC codes such as eng, one a line."),
  { member: "number_of_pages", label: "Number of pages" },
  { member: "pagination", label: "Pagination" },
  { member: "physical_format", label: "Format" },
  long("series", "Series", LINES),
  long("isbn_10", "ISBN 10", LINES),
  long("isbn_13", "ISBN 13", LINES),
  long("lccn", "LCCN", LINES),
  long("oclc_numbers", "OCLC numbers", LINES),
  { member: "ocaid", label: "Internet Archive ID" },
  long("identifiers", "Other identifiers", "A name, a colon and a number, one a line: goodreads: 1885"),
  long("lc_classifications", "Library of Congress classes", LINES),
  long("dewey_decimal_class", "Dewey classes", LINES),
  long("table_of_contents", "Table of contents", "One chapter a line: ** label | title | page"),
  long("first_sentence", "First sentence"),
  long("description", "Description"),
  long("notes", "Notes"),
];

/** Members of a work that people edit, besides its authors. */
export const WORK_FIELDS: readonly MemberField[] = [
  { member: "title", label: "Title", required: true },
  { member: "subtitle", label: "Subtitle" },
  { member: "first_publish_date", label: "First published" },
  ...SUBJECTS,
  long("description", "Description"),
];

/** Members of an author that people edit. */
export const AUTHOR_FIELDS: readonly MemberField[] = [
  { member: "name", label: "Name", required: true },
  { member: "personal_name", label: "Name as catalogued" },
  { member: "fuller_name", label: "Fuller name" },
  long("alternate_names", "Other names", LINES),
  { member: "birth_date", label: "Born" },
  { member: "death_date", label: "Died" },
  { member: "date", label: "Dates", hint: "When there is more to say than two dates." },
  long("bio", "About the author"),
  long("remote_ids", "Identifiers", "A name, a colon and a number, one a line: wikidata: Q36322"),
];

/** A record in a form. */
export interface ShownRecord {
  /** Part before the member in the names of the fields: `edition`, `work` or `author`. */
  readonly prefix: string;
  readonly key: string;
  readonly type: string;
  readonly record: CatalogRecord;
  /** Newest revision: so that others' changes made meanwhile are not taken back. */
  readonly revision: number;
  /** What was sent, when the form is shown again. */
  readonly sent: CatalogRecord | undefined;
}

/** The fields of a record, filled, with what is wrong. */
export function memberFields(
  fields: readonly MemberField[],
  shown: ShownRecord,
  failures: readonly FormFailure[],
): Markup[] {
  const { prefix, revision, sent } = shown;
  const base = typeof sent?.["revision"] === "string" ? sent["revision"] : String(revision);
  const hidden = field({ name: `${prefix}--revision`, label: "", type: "hidden", value: base });
  return [
    hidden,
    ...fields.map(({ member, ...spec }) => {
      const error = failures.find(({ at }) => at?.key === shown.key && at.property === member)?.message;
      const filled: Field = { ...spec, name: `${prefix}--${member}`, value: textOf(member, shown), error };
      return field(filled);
    }),
  ];
}

function textOf(member: string, { type, record, sent }: ShownRecord): string {
  const typed = sent?.[member];
  if (typeof typed === "string") return typed;
  if (member === "identifiers") return identifierText(record[member]);
  if (member === "remote_ids") return remoteIdText(record[member]);
  return fieldText(type, member, record[member]);
}

/** The object under a name of a form. */
export function sentObject(form: CatalogRecord | undefined, name: string): CatalogRecord | undefined {
  const value = form?.[name];
  return isObject(value) ? value : undefined;
}

/** A group of fields with its heading. */
export function fieldGroup(legend: string, fields: readonly (Markup | undefined)[]): Markup {
  return markup`<fieldset><legend><h2>${legend}</h2></legend>${fields}</fieldset>`;
}

/** Name of the field that a failure is about, when the form has it. */
function failedField({ at }: FormFailure, shown: RecordForm["shown"]): string | undefined {
  const record = shown.find(
    ({ key, fields }) => key === at?.key && fields.some(({ member }) => member === at.property),
  );
  return record === undefined || at?.property === undefined ? undefined : `${record.prefix}--${at.property}`;
}

/** The page with the form of one record or two. */
interface RecordForm {
  readonly title: string;
  /** Where the form is sent. */
  readonly action: string;
  /** Page of the record. */
  readonly record: string;
  readonly groups: readonly Markup[];
  readonly shown: readonly {
    readonly prefix: string;
    readonly key: string;
    readonly fields: readonly MemberField[];
  }[];
  readonly failures: readonly FormFailure[];
  /** What was sent, when the form is shown again. */
  readonly form: CatalogRecord | undefined;
  /** Whether the record may be deleted here. */
  readonly mayDelete: boolean;
}

/** A complete page; 400 when something is wrong. */
export function recordForm(spec: RecordForm): Reply {
  const { title, action, groups, failures, form, mayDelete } = spec;
  const summary = errorSummary(
    failures.map((failure) => {
      const name = failedField(failure, spec.shown);
      return name === undefined ? { message: failure.message } : { name, message: failure.message };
    }),
  );
  const comment = typeof form?.["_comment"] === "string" ? form["_comment"] : "";
  const note = field({ name: "_comment", label: "What have you changed, and why?", value: comment });
  const remove =
    mayDelete && markup`<p><button type="submit" name="_delete" value="true">Delete</button></p>`;
  const body = markup`<p>${link(spec.record, "Back to the record")} ${pictures(action)}</p>${summary}
<form method="post" action="${action}">
${groups}${note}
<p><button type="submit" name="_save" value="true">Save</button></p>
${remove}
</form>`;
  return page({ title, body, status: failures.length === 0 ? 200 : 400 });
}

/** Where the pictures of the record are: `/books/OL1M/edit` has its covers at `/books/OL1M/manage-covers`. */
function pictures(action: string): Markup {
  const record = action.slice(0, -"/edit".length);
  return record.startsWith("/authors/")
    ? markup`${link(`${record}/manage-photos`, "Photos")} ${link(`${record}/add-photo`, "Add a photo")}`
    : markup`${link(`${record}/manage-covers`, "Covers")} ${link(`${record}/add-cover`, "Add a cover")}`;
}
