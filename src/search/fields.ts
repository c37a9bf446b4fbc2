import { type ShelfCount, SHELVES } from "../catalog/patrons/shelves.ts";

interface Field {
  /** Documents that have it as a member; other fields are derived from members. */
  of?: "both" | "work" | "edition";
  /** Type of the member. documents/types.ts declares members of other types, and those that every document has. */
  holds?: keyof MemberTypes;
  /** Mark of a field for searches or sorts that is never returned. */
  hidden?: true;
  /** Mark of a field that works have in answers to requests without a list of fields. */
  byDefault?: true;
  /** Clients that may name it in a query: all, or only programs at the search listener. */
  namedBy?: "all" | "listener";
  /** Field of editions that a condition on it also applies to. */
  edition?: string;
  /** Mark of a field whose conditions apply to editions only if it is named with `edition.`. */
  editionIfNamed?: true;
  /** Mark of a field whose values in a work are exactly those of its editions. */
  gathered?: true;
  /** Type of its column of words: in `work_text`, and in `edition_text` if `edition` is the same name. */
  words?: "stemmed" | "plain";
  /** Code of the tokens `<code>=<value>` of its values in the full-text index. */
  code?: string;
  /** Mark of a field whose values are tokens of works and editions unchanged; `often`: values recur. */
  tokens?: "once" | "often";
  /** Mark in `facet_value` of a field whose values works are counted by; `work_facet` has a column of its name. */
  counted?: string;
  /** Role in queries without a field: searched words, words that count most, or values with a digit. */
  unnamed?: "words" | "strong" | "value";
  always?: true;
  /** Other field that has a value if and only if this one does. */
  presentWith?: string;
  /** Form in which its values are compared: as a column of `work`, or as rows of `work_value`. */
  compared?: "whole" | "fraction" | "text" | "values";
  /** Mark of a field that works are sorted by; works without a value count as 0, or come last. */
  sorted?: "all" | "zero" | "last";
}

interface MemberTypes {
  text: string;
  texts: readonly string[];
  number: number;
  numbers: readonly number[];
}

const WORK = { of: "work", holds: "texts", namedBy: "all" } as const;
const BOTH = { of: "both", holds: "texts", namedBy: "all" } as const;
const OF_ALL = { of: "both", byDefault: true, namedBy: "all", always: true } as const;
const EDITIONS = { ...BOTH, gathered: true } as const;
const COUNT = { namedBy: "all", always: true, compared: "whole", sorted: "all" } as const;
// Each shelf has a count.
const SHELF_COUNTS = Object.fromEntries(SHELVES.map(({ count }) => [`${count}_count`, COUNT])) as Readonly<
  Record<`${ShelfCount}_count`, typeof COUNT>
>;

const ROWS = {
  // The order is that of the columns of words.
  title: { ...BOTH, holds: "text", byDefault: true, edition: "title", words: "stemmed", always: true },
  subtitle: { ...BOTH, holds: "text", byDefault: true, edition: "subtitle", words: "stemmed" },
  alternative_title: {
    ...BOTH,
    hidden: true,
    edition: "alternative_title",
    words: "stemmed",
    unnamed: "strong",
  },
  alternative_subtitle: { ...WORK, hidden: true, edition: "subtitle", words: "stemmed" },
  author_name: { ...BOTH, byDefault: true, words: "plain", unnamed: "strong", presentWith: "author_key" },
  series_name: { ...WORK, byDefault: true, words: "stemmed", unnamed: "strong", presentWith: "series_key" },
  chapter: { ...BOTH, edition: "chapter", words: "stemmed", unnamed: "words" },
  author_alternative_name: { ...BOTH, words: "plain", unnamed: "words" },
  subject: { ...WORK, words: "stemmed", unnamed: "words", counted: "sf" },
  place: { ...WORK, words: "plain", unnamed: "words", counted: "lf" },
  person: { ...WORK, words: "plain", unnamed: "words", counted: "pf" },
  time: { ...WORK, words: "stemmed", unnamed: "words", counted: "tf" },
  publisher: { ...EDITIONS, edition: "publisher", words: "stemmed", unnamed: "words", counted: "uf" },
  contributor: { ...WORK, words: "plain", unnamed: "words" },
  publish_place: { ...WORK, words: "stemmed" },
  publish_date: { ...EDITIONS, edition: "publish_date", words: "stemmed" },
  by_statement: { ...WORK, hidden: true, words: "stemmed" },
  first_sentence: { ...WORK, words: "stemmed" },
  format: { ...EDITIONS, edition: "format", words: "stemmed" },

  language: { ...EDITIONS, byDefault: true, edition: "language", code: "l", tokens: "often", counted: "l" },
  ia: { ...EDITIONS, byDefault: true, edition: "ia", code: "ia", tokens: "once", unnamed: "value" },
  ia_collection: {
    ...EDITIONS,
    byDefault: true,
    edition: "ia_collection",
    code: "ic",
    tokens: "often",
    counted: "ic",
  },
  ia_box_id: { ...EDITIONS, namedBy: "listener", edition: "ia_box_id", code: "bx", tokens: "once" },
  oclc: { ...EDITIONS, editionIfNamed: true, code: "o", tokens: "once", unnamed: "value" },
  lccn: { ...EDITIONS, editionIfNamed: true, code: "n", tokens: "once", unnamed: "value" },
  ebook_provider: { ...EDITIONS, editionIfNamed: true, code: "ep", tokens: "often", counted: "ep" },
  isbn: { ...EDITIONS, edition: "isbn", code: "i", unnamed: "value" },
  key: { ...OF_ALL, editionIfNamed: true, gathered: true, code: "k", unnamed: "value" },
  redirects: { namedBy: "all", code: "rd" },
  edition_key: { ...WORK, edition: "key", gathered: true, code: "ek", unnamed: "value" },
  author_key: { ...BOTH, byDefault: true, code: "ak", unnamed: "value", counted: "af" },
  author_facet: { namedBy: "all", code: "af", presentWith: "author_key" },
  series_key: { ...WORK, byDefault: true, code: "sr", unnamed: "value", counted: "sr" },
  series_position: { ...WORK, byDefault: true, code: "sp", unnamed: "value", presentWith: "series_key" },
  subject_key: { namedBy: "all", code: "sk", presentWith: "subject" },
  person_key: { namedBy: "all", code: "pk", presentWith: "person" },
  place_key: { namedBy: "all", code: "lk", presentWith: "place" },
  time_key: { namedBy: "all", code: "tk", presentWith: "time" },
  subject_facet: { namedBy: "listener", code: "sf", presentWith: "subject" },
  person_facet: { namedBy: "listener", code: "pf", presentWith: "person" },
  place_facet: { namedBy: "listener", code: "lf", presentWith: "place" },
  time_facet: { namedBy: "listener", code: "tf", presentWith: "time" },
  publisher_facet: {
    namedBy: "all",
    edition: "publisher_facet",
    gathered: true,
    code: "uf",
    presentWith: "publisher",
  },
  lcc: { ...WORK, code: "lc", compared: "values" },
  ddc: { ...WORK, code: "dc", compared: "values" },
  lexile: { ...WORK, holds: "numbers", compared: "values" },
  lcc_sort: { ...WORK, holds: "text", presentWith: "lcc", compared: "text", sorted: "last" },
  ddc_sort: { ...WORK, holds: "text", presentWith: "ddc", compared: "text", sorted: "last" },

  ebook_access: { ...OF_ALL, edition: "ebook_access", code: "ea", sorted: "all", counted: "ea" },
  has_fulltext: { ...OF_ALL, edition: "has_fulltext", code: "hf" },
  public_scan_b: { ...OF_ALL, namedBy: "listener", edition: "public_scan_b", code: "ps" },
  publish_year: { ...EDITIONS, holds: "numbers", edition: "publish_year", code: "y", counted: "y" },
  first_publish_year: {
    ...WORK,
    holds: "number",
    byDefault: true,
    code: "fy",
    presentWith: "publish_year",
    sorted: "last",
    counted: "fy",
  },

  edition_count: { ...COUNT, of: "work", byDefault: true },
  ebook_count_i: { ...COUNT, of: "work", namedBy: "listener" },
  number_of_pages_median: { ...WORK, holds: "number", compared: "whole" },
  osp_count: { ...WORK, holds: "number", compared: "whole", sorted: "zero" },
  ratings_count: { namedBy: "all", always: true, compared: "whole" },
  ratings_sortable: { namedBy: "listener", always: true, compared: "fraction", sorted: "all" },
  readinglog_count: COUNT,
  ...SHELF_COUNTS,
  trending_score_hourly_sum: COUNT,
  trending_z_score: { ...COUNT, compared: "fraction" },
  cover_i: { ...BOTH, holds: "number", byDefault: true, edition: "cover_i", compared: "whole" },

  // Fields that are only returned, or searched in ways of their own.
  text: { namedBy: "listener", edition: "text" },
  title_suggest: { namedBy: "all", edition: "title_suggest", always: true },
  title_sort: { of: "work", hidden: true, sorted: "all" },
  cover_width: { of: "both", holds: "number", byDefault: true },
  cover_height: { of: "both", holds: "number", byDefault: true },
  cover_edition_key: { of: "work", holds: "text", byDefault: true },
  lending_edition_s: { of: "work", holds: "text", byDefault: true },
  lending_identifier_s: { of: "work", holds: "text", byDefault: true },
  printdisabled_s: { of: "work", holds: "text" },
  last_modified_i: { of: "work" },
  work_key: { of: "edition" },
  edition_name: { of: "edition", holds: "texts" },
} as const satisfies Record<string, Field>;

type Rows = typeof ROWS;
export type FieldName = keyof Rows;

export type NamesWith<Condition> = {
  [Name in FieldName]: Rows[Name] extends Condition ? Name : never;
}[FieldName];

export type HiddenField = NamesWith<{ hidden: true }>;

/** Members of the documents of one side with their types; each may be missing. */
export type MembersOf<Side extends NonNullable<Field["of"]>> = {
  readonly [Name in NamesWith<{ of: Side; holds: keyof MemberTypes }>]?: Rows[Name] extends {
    holds: infer Type extends keyof MemberTypes;
  }
    ? MemberTypes[Type]
    : never;
};

export const FIELDS: ReadonlyMap<string, Field> = new Map(Object.entries(ROWS));

/** Returns the code before the values of a field in its tokens. */
export function codeOf(name: NamesWith<{ code: string }>): string {
  return ROWS[name].code;
}

/** Returns the names of the fields that meet all conditions. */
export function findFieldsWith<const Condition extends Field>(condition: Condition): NamesWith<Condition>[] {
  const wanted = Object.entries(condition);
  // The filter matches the type.
  return Object.entries<Readonly<Record<string, unknown>>>(ROWS).flatMap(([name, row]) =>
    wanted.every(([member, value]) => row[member] === value) ? [name as NamesWith<Condition>] : [],
  );
}

/** Returns the names of the fields that have a member, with its value. */
export function findFieldsHaving<Member extends keyof Field>(
  member: Member,
): (readonly [name: NamesWith<Record<Member, unknown>>, value: NonNullable<Field[Member]>])[] {
  return [...FIELDS].flatMap(([name, { [member]: value }]) =>
    // The filter matches the type.
    value === undefined ? [] : [[name as NamesWith<Record<Member, unknown>>, value] as const],
  );
}
