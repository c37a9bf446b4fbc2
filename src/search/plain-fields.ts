import { codeOf } from "./fields.ts";

/** A field of authors, subjects or lists that queries may name, and where its values stand in the index. */
export interface PlainField {
  /** Its words have a column of this name in the full-text table. */
  readonly words?: "stemmed" | "plain";
  /** Words that name no field are looked for here. */
  readonly unnamed?: true;
  /** Its values are tokens `<code>=<value>` of the full-text index. */
  readonly code?: string;
  /** Keys count without their folder: `OL1A` for `/authors/OL1A`. */
  readonly lastSegment?: true;
  /** The table has a column of this name too: words have it for ranges. */
  readonly column?: "text" | "number";
  /** A few documents lack it: what `field:*` looks at. */
  readonly optional?: true;
  /** Programs may sort by it at the search listener. */
  readonly sorted?: true;
}

/** Those with words come in the order of the columns. */
const ROWS = {
  author: {
    key: { code: codeOf("key"), lastSegment: true },
    name: { words: "plain", unnamed: true, sorted: true },
    alternate_names: { words: "plain", unnamed: true, optional: true },
    birth_date: { words: "plain", column: "text", optional: true, sorted: true },
    death_date: { words: "plain", column: "text", optional: true },
    date: { words: "plain", optional: true },
    top_subjects: { words: "stemmed", optional: true },
    work_count: { column: "number", sorted: true },
  },
  subject: {
    key: { column: "text" },
    name: { words: "stemmed", unnamed: true, sorted: true },
    subject_type: { code: "ty" },
    work_count: { column: "number", sorted: true },
  },
  list: {
    key: { column: "text" },
    list_type: { code: "lt" },
    seed: { code: "s" },
    name: { words: "stemmed", unnamed: true, sorted: true },
    subject: { words: "stemmed", unnamed: true, optional: true },
    place: { words: "plain", unnamed: true, optional: true },
    person: { words: "plain", unnamed: true, optional: true },
    time: { words: "stemmed", unnamed: true, optional: true },
    subject_key: { code: codeOf("subject_key") },
    place_key: { code: codeOf("place_key") },
    person_key: { code: codeOf("person_key") },
    time_key: { code: codeOf("time_key") },
    last_modified: { column: "text", sorted: true },
    seed_count: { column: "number", sorted: true },
  },
} as const satisfies Record<string, Record<string, PlainField>>;

type Rows = typeof ROWS;
/** Schemes whose documents are searched without popularity tiers, facets and editions. */
export type PlainScheme = keyof Rows;

/** A column of words of a scheme. */
export interface PlainColumn<Kind extends PlainScheme = PlainScheme> {
  readonly name: {
    [Name in keyof Rows[Kind] & string]: Rows[Kind][Name] extends { words: string } ? Name : never;
  }[keyof Rows[Kind] & string];
  readonly stemmed: boolean;
}

/** The fields of each scheme by name. */
export const PLAIN_FIELDS: Readonly<Record<PlainScheme, ReadonlyMap<string, PlainField>>> = {
  author: new Map(Object.entries(ROWS.author)),
  subject: new Map(Object.entries(ROWS.subject)),
  list: new Map(Object.entries(ROWS.list)),
};

/** The columns of words of a scheme, in order, without `token`. */
export function plainColumns<Kind extends PlainScheme>(scheme: Kind): PlainColumn<Kind>[] {
  return [...PLAIN_FIELDS[scheme]].flatMap(([name, { words }]) =>
    // The filter is what the type says.
    words === undefined ? [] : [{ name: name as PlainColumn<Kind>["name"], stemmed: words === "stemmed" }],
  );
}
