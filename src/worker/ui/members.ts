import { type Markup, markup } from "./markup.ts";
import { type Words, say } from "./words.ts";

const NAMED = [
  "member.alternate_names",
  "member.authors",
  "member.bio",
  "member.birth_date",
  "member.by_statement",
  "member.contributors",
  "member.copyright_date",
  "member.covers",
  "member.date",
  "member.death_date",
  "member.description",
  "member.dewey_decimal_class",
  "member.dewey_number",
  "member.edition_name",
  "member.excerpts",
  "member.first_publish_date",
  "member.first_sentence",
  "member.fuller_name",
  "member.identifiers",
  "member.isbn_10",
  "member.isbn_13",
  "member.languages",
  "member.lc_classifications",
  "member.lccn",
  "member.links",
  "member.location",
  "member.name",
  "member.notes",
  "member.number_of_pages",
  "member.ocaid",
  "member.oclc_numbers",
  "member.original_languages",
  "member.other_titles",
  "member.pagination",
  "member.personal_name",
  "member.photos",
  "member.physical_dimensions",
  "member.physical_format",
  "member.publish_date",
  "member.publish_places",
  "member.publishers",
  "member.remote_ids",
  "member.seeds",
  "member.series",
  "member.source_records",
  "member.subject_people",
  "member.subject_places",
  "member.subject_times",
  "member.subjects",
  "member.subtitle",
  "member.table_of_contents",
  "member.tags",
  "member.title",
  "member.translated_from",
  "member.translated_titles",
  "member.translation_of",
  "member.type",
  "member.weight",
  "member.works",
] as const satisfies readonly Words[];

const BY_MEMBER: ReadonlyMap<string, Words> = new Map(
  NAMED.map((words) => [words.slice("member.".length), words]),
);

/** Returns the name of a member of records; rare members have no translation. */
export function memberName(member: string): Markup {
  const words = BY_MEMBER.get(member);
  return words === undefined ? markup`<code>${member}</code>` : say(words);
}
