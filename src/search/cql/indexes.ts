import { FIELDS } from "../fields.ts";
import { WORK_SCHEME } from "../query/fields.ts";
import { prefixOf } from "./context-sets.ts";
import { Diagnostic } from "./diagnostic.ts";
import type { CqlName } from "./parse.ts";

/** What an index of CQL is in the index of works. */
export interface CqlIndex {
  readonly title: string;
  /** With their prefixes; the first one is that of the index. Those of `dc` and `bath` may go without. */
  readonly names: readonly string[];
  /** Fields, of which one is enough; empty: text without a field. */
  readonly fields: readonly string[];
  /** Fields of whole values, where they are others. */
  readonly whole?: readonly string[];
  /** The field that it is sorted by. */
  readonly sort?: string;
  /** The field that can be counted, which is what `scan` lists. */
  readonly scan?: string;
}

/** Words of every field. */
const ANYWHERE = ["cql.serverChoice", "cql.anywhere", "cql.keywords", "cql.anyIndexes", "cql.allIndexes"];

/** Indexes with a name in a set that others know. */
export const INDEXES: readonly CqlIndex[] = [
  { title: "Any words", names: ANYWHERE, fields: [] },
  { title: "Title", names: ["dc.title", "bath.title"], fields: ["alternative_title"], sort: "title_sort" },
  {
    title: "Author",
    names: ["dc.creator", "bath.author", "bath.name"],
    fields: ["author_name", "author_alternative_name"],
    scan: "author_facet",
  },
  { title: "Other people", names: ["dc.contributor"], fields: ["contributor"] },
  {
    title: "Subject, place, person or time",
    names: ["dc.subject", "bath.subject"],
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
  // Q597: records say the first one's.
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
    title: "ISBN, LCCN, OCLC number or identifier of a scan",
    names: ["dc.identifier", "bath.standardIdentifier"],
    fields: ["isbn", "lccn", "oclc", "ia"],
  },
  { title: "ISBN", names: ["bath.isbn"], fields: ["isbn"] },
  { title: "LCCN", names: ["bath.lccn"], fields: ["lccn"] },
  { title: "Key of a work or an edition", names: ["rec.identifier"], fields: ["key", "edition_key"] },
];

const BY_NAME = new Map(
  INDEXES.flatMap((index) => index.names.map((name) => [name.toLowerCase(), index] as const)),
);

/** `cql.allRecords = 1`, whatever is compared with. */
export const ALL_RECORDS = "cql.allrecords";
const RESULT_SET = "cql.resultsetid";

/** Fields that whole values are compared in, by the fields of their words. */
const WHOLE: Readonly<Record<string, string>> = Object.fromEntries(
  ["publisher", "subject", "place", "person", "time"].map((name) => [name, `${name}_facet`]),
);

/** The name of an index with the prefix that its set has here. */
export function qualifiedName({ set, name, written }: CqlName): string {
  if (set === undefined) return name;
  const prefix = prefixOf(set);
  if (prefix === undefined) throw new Diagnostic(15, written);
  return `${prefix}.${name}`;
}

/** The index of a name. Throws diagnostic 15 for a set and 16 for an index that there is not, 50 for sets of results. */
export function indexOf(written: CqlName): CqlIndex {
  const name = qualifiedName(written);
  if (name === RESULT_SET) throw new Diagnostic(50, written.written);
  const sets = written.set === undefined ? ["dc.", "bath."] : [""];
  const known = sets.flatMap((prefix) => BY_NAME.get(prefix + name) ?? [])[0];
  if (known !== undefined) return known;
  const own = written.set === undefined ? name : name.startsWith("carrel.") ? written.name : undefined;
  const field = own === undefined ? undefined : WORK_SCHEME.resolve(own)?.name;
  if (field === undefined) throw new Diagnostic(16, written.written);
  return fieldIndex(field);
}

/** A field by its own name. */
function fieldIndex(field: string): CqlIndex {
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
