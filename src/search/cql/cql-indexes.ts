import { FIELDS } from "../fields.ts";
import { WORK_SCHEME } from "../query/field-names.ts";
import { Diagnostic } from "./diagnostic.ts";

export const CQL_SET = "info:srw/cql-context-set/1/cql-v1.2";
const DC_SET = "info:srw/cql-context-set/1/dc-v1.1";
const BATH_SET = "http://zing.z3950.org/cql/bath/2.0/";
const REC_SET = "info:srw/cql-context-set/2/rec-1.1";
const SORT_SET = "info:srw/cql-context-set/1/sort-v1.0";
/** Context set of the field names used by searches. Names without a prefix are looked up in the other sets first. */
const OWN_SET = "tag:carrel,2026:cql";

export const CONTEXT_SETS: ReadonlyMap<string, string> = new Map([
  ["cql", CQL_SET],
  ["srw", CQL_SET],
  ["dc", DC_SET],
  ["bath", BATH_SET],
  ["rec", REC_SET],
  ["sort", SORT_SET],
  ["carrel", OWN_SET],
]);

const OTHER_URIS = new Map([
  ["info:srw/cql-context-set/1/cql-v1.1", CQL_SET],
  // URI used in examples of the specification.
  ["info:srw/context-sets/1/dc-v1.1", DC_SET],
  ["http://purl.org/dc/elements/1.1/", DC_SET],
  ["http://purl.org/dc/elements/1.1", DC_SET],
  ["http://www.loc.gov/zing/cql/dc-indexes/v1.0/", DC_SET],
  ["http://www.loc.gov/zing/cql/dc-indexes/", DC_SET],
]);

const PREFIXES = new Map([...CONTEXT_SETS].toReversed().map(([prefix, uri]) => [uri, prefix]));

export interface CqlName {
  readonly set: string | undefined;
  readonly name: string;
  readonly written: string;
}

export interface CqlIndex {
  readonly title: string;
  /** Names with prefixes, canonical one first. The prefixes `cql`, `dc` and `bath` may be left out. */
  readonly names: readonly string[];
  readonly fields: readonly string[];
  readonly whole?: readonly string[];
  readonly sort?: string;
  readonly scan?: string;
}

const ANYWHERE = [
  "cql.serverChoice",
  "cql.anywhere",
  "cql.keywords",
  "cql.anyIndexes",
  "cql.allIndexes",
  "bath.any",
];

/** Field of an identifier that editions name `issn`. */
const ISSN = "id_issn";

export const INDEXES: readonly CqlIndex[] = [
  { title: "Any words", names: ANYWHERE, fields: [] },
  {
    title: "Title",
    names: ["dc.title", "bath.title", "bath.uniformTitle", "bath.keyTitle"],
    fields: ["alternative_title"],
    sort: "title_sort",
  },
  { title: "Series", names: ["bath.seriesTitle"], fields: ["series_name"] },
  {
    title: "Author",
    // Koha and others name authors `dc.author`.
    names: [
      "dc.creator",
      "dc.author",
      "bath.author",
      "bath.name",
      "bath.personalName",
      "bath.corporateName",
      "bath.conferenceName",
    ],
    fields: ["author_name", "author_alternative_name"],
    scan: "author_facet",
  },
  { title: "Other people", names: ["dc.contributor"], fields: ["contributor"] },
  {
    title: "Subject, place, person or time",
    names: ["dc.subject", "bath.subject", "bath.topicalSubject"],
    fields: ["subject", "place", "person", "time"],
    whole: ["subject_facet", "place_facet", "person_facet", "time_facet"],
    scan: "subject_facet",
  },
  {
    title: "Place or time that the book is about",
    names: ["dc.coverage"],
    fields: ["place", "time"],
    whole: ["place_facet", "time_facet"],
    scan: "place_facet",
  },
  {
    title: "Publisher",
    names: ["dc.publisher"],
    fields: ["publisher"],
    whole: ["publisher_facet"],
    scan: "publisher_facet",
  },
  // Q597: records state the date of the first edition.
  {
    title: "Year of an edition, or of the first one",
    names: ["dc.date"],
    fields: ["publish_year", "first_publish_year"],
    sort: "first_publish_year",
    scan: "publish_year",
  },
  {
    title: "Language, by its code of three letters",
    names: ["dc.language"],
    fields: ["language"],
    scan: "language",
  },
  { title: "Format", names: ["dc.format"], fields: ["format"] },
  {
    title: "ISBN, ISSN, LCCN, OCLC number or identifier of a scan",
    names: ["dc.identifier", "bath.standardIdentifier"],
    fields: ["isbn", ISSN, "lccn", "oclc", "ia"],
  },
  { title: "ISBN", names: ["bath.isbn"], fields: ["isbn"] },
  { title: "ISSN", names: ["bath.issn"], fields: [ISSN] },
  { title: "LCCN", names: ["bath.lccn"], fields: ["lccn"] },
  {
    title: "Number, key or address of a work or an edition",
    names: ["rec.identifier", "rec.id"],
    fields: ["key", "edition_key"],
  },
];

const BY_NAME = new Map(
  INDEXES.flatMap((index) => index.names.map((name) => [name.toLowerCase(), index] as const)),
);

/** Name of the index in `cql.allRecords = 1`. Its term is ignored. */
export const ALL_RECORDS = "cql.allrecords";
const RESULT_SET = "cql.resultsetid";

const WHOLE: Readonly<Record<string, string>> = Object.fromEntries(
  ["publisher", "subject", "place", "person", "time"].map((name) => [name, `${name}_facet`]),
);

/** Sets of names without a prefix, the default set of `explain` first. */
const DEFAULT_SETS = ["cql", "dc", "bath"];

/** Returns the name of an index with the prefix of its set in this service. Throws diagnostic 15 for an unknown set. */
export function qualifiedNameOf({ set, name, written }: CqlName): string {
  if (set === undefined) {
    const names = DEFAULT_SETS.map((prefix) => `${prefix}.${name}`);
    return names.find((each) => BY_NAME.has(each) || each === ALL_RECORDS || each === RESULT_SET) ?? name;
  }
  const prefix = PREFIXES.get(OTHER_URIS.get(set) ?? set);
  if (prefix === undefined) throw new Diagnostic(15, written);
  return `${prefix}.${name}`;
}

/** Returns the index with a name. Throws diagnostics 15 (set), 16 (index), 50 (result sets). */
export function indexOf(written: CqlName): CqlIndex {
  const name = qualifiedNameOf(written);
  if (name === RESULT_SET) throw new Diagnostic(50, written.written);
  const index = BY_NAME.get(name);
  if (index !== undefined) return index;
  const fieldName = written.set === undefined ? name : name.startsWith("carrel.") ? written.name : undefined;
  const field = fieldName === undefined ? undefined : WORK_SCHEME.resolve(fieldName)?.name;
  if (field === undefined) throw new Diagnostic(16, written.written);
  return fieldIndexOf(field);
}

function fieldIndexOf(field: string): CqlIndex {
  const { sorted, counted } = FIELDS.get(field) ?? {};
  const whole = WHOLE[field];
  const byName = field === "author_name" ? "author_facet" : field;
  return {
    title: field,
    names: [`carrel.${field}`],
    fields: [field],
    ...(whole !== undefined && { whole: [whole] }),
    ...(field === "title" ? { sort: "title_sort" } : sorted !== undefined && { sort: field }),
    ...((counted !== undefined || byName !== field) && { scan: whole ?? byName }),
  };
}
