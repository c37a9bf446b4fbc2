import type { Words } from "../ui/words.ts";

export interface MemberField {
  readonly member: string;
  readonly type?: "text" | "textarea";
  readonly says?: Words;
  /** Example in the text of `says`. */
  readonly example?: string;
  readonly required?: boolean;
}

export interface FieldSection {
  readonly words: Words;
  readonly fields: readonly MemberField[];
}

const long = (member: string, says?: Words, example?: string): MemberField => ({
  member,
  type: "textarea",
  ...(says !== undefined && { says }),
  ...(example !== undefined && { example }),
});
const lines = (member: string): MemberField => long(member, "edit.lines");
const commas = (member: string): MemberField => long(member, "edit.commas");

/** Editable members of an edition, besides its work. */
export const EDITION_SECTIONS: readonly FieldSection[] = [
  {
    words: "edit.edition_legend",
    fields: [
      { member: "title", required: true },
      { member: "subtitle" },
      { member: "edition_name" },
      { member: "by_statement" },
      long("languages", "edit.names_lines"),
      lines("series"),
    ],
  },
  {
    words: "edit.publication",
    fields: [
      long("publishers", "edit.semicolons"),
      { member: "publish_places", says: "edit.semicolons" },
      { member: "publish_date" },
      { member: "copyright_date" },
      { member: "number_of_pages" },
      { member: "pagination" },
      { member: "physical_format" },
    ],
  },
  {
    words: "edit.numbers",
    fields: [
      lines("isbn_10"),
      lines("isbn_13"),
      lines("lccn"),
      lines("oclc_numbers"),
      { member: "ocaid" },
      long("identifiers", "edit.identifiers_hint", "goodreads: 1885"),
    ],
  },
  { words: "edit.classes", fields: [lines("lc_classifications"), lines("dewey_decimal_class")] },
  {
    words: "edit.contents",
    fields: [
      long("table_of_contents", "edit.toc_hint", "** 1 | Alice | 5"),
      long("first_sentence"),
      long("description"),
      long("notes"),
    ],
  },
];

/** Editable members of a work, besides its authors and series. */
export const WORK_SECTIONS: readonly FieldSection[] = [
  {
    words: "edit.work_legend",
    fields: [{ member: "title", required: true }, { member: "subtitle" }, { member: "first_publish_date" }],
  },
  {
    words: "edit.about",
    fields: [
      commas("subjects"),
      commas("subject_people"),
      commas("subject_places"),
      commas("subject_times"),
      long("description"),
    ],
  },
];

export const AUTHOR_SECTIONS: readonly FieldSection[] = [
  {
    words: "edit.author_legend",
    fields: [
      { member: "name", required: true },
      { member: "personal_name" },
      { member: "fuller_name" },
      lines("alternate_names"),
      { member: "birth_date" },
      { member: "death_date" },
      { member: "date", says: "edit.date_hint" },
      long("bio"),
      long("remote_ids", "edit.identifiers_hint", "wikidata: Q36322"),
    ],
  },
];
