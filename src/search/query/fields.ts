/** Which names before a colon are fields; others are text. */

/** A field that a query names. */
export interface FieldRef {
  /** Index field. */
  readonly name: string;
  /** `work.` and `edition.` in front of a name restrict it to that side. */
  readonly scope: "any" | "work" | "edition";
}

/** How names are read in one kind of search. */
export interface FieldScheme {
  /** The field of a name as written; undefined when it is none. */
  resolve(name: string): FieldRef | undefined;
  /** Whether a field takes the bare words after it too. */
  readonly isGreedy: boolean;
}

/** Longest name that may be one of a field, in characters: others are not looked at. */
const FIELD_NAME_LENGTH = 100;
const IDENTIFIER = /^id_[-\w]+$/;
const SCOPED = /^(work|edition)\.(.+)$/;
const RAW_NAME = /^[A-Za-z_][-\w.]*$/;

const WORK_FIELDS = new Set(
  // Texts.
  (
    "title subtitle alternative_title alternative_subtitle chapter by_statement publish_date publish_place " +
    "publisher first_sentence series_name format subject time oclc title_suggest lccn contributor place person " +
    "author_name author_alternative_name " +
    // Exact values.
    "key redirects edition_key author_key author_facet publisher_facet ia ia_collection isbn language " +
    "ebook_provider series_key series_position subject_key person_key place_key time_key lcc ddc lcc_sort " +
    "ddc_sort ebook_access has_fulltext " +
    // Numbers.
    "cover_i edition_count publish_year first_publish_year number_of_pages_median lexile ratings_count " +
    "readinglog_count want_to_read_count currently_reading_count already_read_count stopped_reading_count " +
    "osp_count trending_score_hourly_sum trending_z_score"
  ).split(" "),
);

const ALIASES = new Map([
  ["author", "author_name"],
  ["authors", "author_name"],
  ["by", "author_name"],
  ["title", "alternative_title"],
  ["publishers", "publisher"],
  ["number_of_pages", "number_of_pages_median"],
  ["subtitle", "alternative_subtitle"],
  ["work_title", "title"],
  ["work_subtitle", "subtitle"],
  ["trending", "trending_z_score"],
]);

/** Fields of the authors that editions have from their work alone, so that they say the same of both. */
const OF_THE_WORK = new Set(["author_name", "author_alternative_name", "author_key", "author_facet"]);

/** Work field to edition field; what is missing says nothing about editions. */
const EDITION_FIELDS = new Map(
  (
    "title title_suggest alternative_title cover_i format language chapter publisher publisher_facet " +
    "publish_date publish_year isbn ebook_access has_fulltext ia ia_collection ia_box_id public_scan_b text subtitle"
  )
    .split(" ")
    .map((name) => [name, name]),
)
  .set("edition_key", "key")
  .set("alternative_subtitle", "subtitle");

/** Fields of editions that only `edition.` reaches. */
const EDITION_ONLY = new Set(["key", "lccn", "oclc", "ebook_provider"]);

const PLAIN_FIELDS = {
  author: "key name alternate_names birth_date death_date date top_subjects work_count",
  subject: "key name subject_type work_count",
  list:
    "key name list_type seed subject subject_key person person_key place place_key time time_key " +
    "last_modified seed_count",
} as const;

/** Names in a search for works. */
export const WORK_SCHEME: FieldScheme = { resolve: workField, isGreedy: true };

/** Every name is a field, nothing is an alias, and a field has one value only: what is sent to a search engine. */
export const RAW_SCHEME: FieldScheme = {
  resolve: (name) => (RAW_NAME.test(name) ? { name, scope: "any" } : undefined),
  isGreedy: false,
};

/** Names of one of the schemes that have no aliases. */
export function plainScheme(scheme: keyof typeof PLAIN_FIELDS): FieldScheme {
  const fields = new Set(PLAIN_FIELDS[scheme].split(" "));
  return {
    resolve: (written) => {
      if (written.length > FIELD_NAME_LENGTH) return undefined;
      const name = written.toLowerCase();
      return fields.has(name) ? { name, scope: "any" } : undefined;
    },
    isGreedy: true,
  };
}

/** Whether a query for works may name this index field. */
export function isWorkField(name: string): boolean {
  return WORK_FIELDS.has(name) || IDENTIFIER.test(name);
}

/** What a field of a work is called in its editions; undefined when it says nothing about them. */
export function editionField({ name, scope }: FieldRef): string | undefined {
  if (scope === "work") return undefined;
  if (scope === "edition" && EDITION_ONLY.has(name)) return name;
  return IDENTIFIER.test(name) ? name : EDITION_FIELDS.get(name);
}

/** Names are read in any case, the scope in front of them too (Q52). */
function workField(written: string): FieldRef | undefined {
  if (written.length > FIELD_NAME_LENGTH) return undefined;
  const name = written.toLowerCase();
  const [, scope, rest = ""] = SCOPED.exec(name) ?? [];
  if (scope === undefined) return known(ALIASES.get(name) ?? name, "any");
  const scoped = isWorkField(rest) ? rest : (ALIASES.get(rest) ?? rest);
  return known(scoped, scope === "work" || OF_THE_WORK.has(scoped) ? "work" : "edition");
}

function known(name: string, scope: FieldRef["scope"]): FieldRef | undefined {
  return isWorkField(name) ? { name, scope } : undefined;
}
