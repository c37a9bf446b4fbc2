export const CLAUSE_PARAMETERS = [
  "title",
  "publisher",
  "oclc",
  "lccn",
  "contributor",
  "subject",
  "place",
  "person",
  "time",
  "author",
  "isbn",
] as const;

/** Parameters that restrict, with one value each. */
export const FLAG_PARAMETERS = ["has_fulltext", "public_scan", "print_disabled"] as const;

/** Parameters that restrict and can be repeated. */
export const LIST_PARAMETERS = [
  "author_key",
  "author_facet",
  "subject_facet",
  "person_facet",
  "place_facet",
  "time_facet",
  "publisher_facet",
  "first_publish_year",
  "language",
  "public_scan_b",
] as const;

/** Parameters of a search for works besides `q`: from the query string, or from the JSON of `query`. */
export type WorkParameters = {
  readonly [name in (typeof CLAUSE_PARAMETERS)[number] | (typeof FLAG_PARAMETERS)[number]]?: string;
} & {
  readonly [name in (typeof LIST_PARAMETERS)[number]]?: readonly string[];
};

export interface QueryDictionary {
  readonly q?: string;
  readonly parameters: WorkParameters;
  readonly editionsSort?: string;
}

/** Reads the JSON of `query`: unknown members are ignored, scalars become texts, lists are joined. */
export function readQueryDictionary(dictionary: Readonly<Record<string, unknown>>): QueryDictionary {
  const parameters: Record<string, string | readonly string[]> = {};
  for (const name of [...CLAUSE_PARAMETERS, ...FLAG_PARAMETERS]) {
    const text = joinedTextOf(dictionary[name]);
    if (text !== undefined) parameters[name] = text;
  }
  for (const name of LIST_PARAMETERS) {
    const texts = textsOf(dictionary[name]).filter((text) => text.trim() !== "");
    if (texts.length > 0) parameters[name] = texts;
  }
  const q = joinedTextOf(dictionary["q"]);
  const editionsSort = joinedTextOf(dictionary["editions.sort"]);
  return {
    ...(q === undefined ? {} : { q }),
    parameters,
    ...(editionsSort === undefined ? {} : { editionsSort }),
  };
}

function joinedTextOf(value: unknown): string | undefined {
  const texts = textsOf(value);
  return texts.length === 0 ? undefined : texts.join(" ");
}

const SCALARS = new Set(["string", "number", "boolean"]);

function textsOf(value: unknown): string[] {
  // A list in JSON has values of any kind.
  const values: readonly unknown[] = Array.isArray(value) ? value : [value];
  return values.filter((element) => SCALARS.has(typeof element)).map(String);
}
