import { codeOf } from "./fields.ts";

export interface PlainField {
  /** Type of the column of this name with its words in the full-text table. */
  readonly words?: "stemmed" | "plain";
  /** Mark of a field that is searched for words without a field. */
  readonly unnamed?: true;
  /** Code of the tokens `<code>=<value>` of its values in the full-text index. */
  readonly code?: string;
  /** Mark of keys that are indexed without their folder: `OL1A` for `/authors/OL1A`. */
  readonly lastSegment?: true;
  /** Type of the column of this name in the table; fields of words have it for ranges. */
  readonly column?: "text" | "number";
  /** Mark of a field that some documents lack: `field:*` tests it. */
  readonly optional?: true;
  /** Mark of a field that programs may sort by at the search listener. */
  readonly sorted?: true;
}

/** Fields with words come in the order of the columns. */
const ROWS = {
  author: {
    key: { code: codeOf("key"), lastSegment: true },
    name: { words: "plain", unnamed: true, sorted: true },
    alternate_names: { words: "plain", unnamed: true, optional: true },
    birth_date: { words: "plain", column: "text", optional: true, sorted: true },
    death_date: { words: "plain", column: "text", optional: true },
    date: { words: "plain", optional: true },
    remote_ids: { code: "id", optional: true },
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
export type PlainScheme = keyof Rows;

export interface PlainColumn<Kind extends PlainScheme = PlainScheme> {
  readonly name: {
    [Name in keyof Rows[Kind] & string]: Rows[Kind][Name] extends { words: string } ? Name : never;
  }[keyof Rows[Kind] & string];
  readonly stemmed: boolean;
}

export const PLAIN_FIELDS: Readonly<Record<PlainScheme, ReadonlyMap<string, PlainField>>> = {
  author: new Map(Object.entries(ROWS.author)),
  subject: new Map(Object.entries(ROWS.subject)),
  list: new Map(Object.entries(ROWS.list)),
};

/** Returns the columns of words of a scheme, in order, without `token`. */
export function plainColumnsOf<Kind extends PlainScheme>(scheme: Kind): PlainColumn<Kind>[] {
  return [...PLAIN_FIELDS[scheme]].flatMap(([name, { words }]) =>
    // The filter matches the type.
    words === undefined ? [] : [{ name: name as PlainColumn<Kind>["name"], stemmed: words === "stemmed" }],
  );
}
