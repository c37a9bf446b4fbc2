import type { Mark, Scheme, Sort } from "../engine.ts";
import { FIELDS } from "../fields.ts";
import { PLAIN_FIELDS } from "../plain-fields.ts";
import { isEditionField } from "../plan/editions.ts";
import { isWorkField } from "../query/field-names.ts";
import { parsePlainQuery } from "../query/parse-query.ts";
import {
  type Leaf,
  type Query,
  ALL,
  NONE,
  QUERY_LEAVES_MAX,
  allOf,
  anyOf,
  equals,
  leavesOf,
  mapLeaves,
  not,
} from "../query/query.ts";
import { SolrRequestError, parseLocalParameters } from "./parameters.ts";

export type Kind = Scheme | "edition";

/** Kinds in the order of a search over all of them. */
export const KINDS = ["work", "author", "subject", "list", "edition"] as const satisfies readonly Kind[];

const SHARED = new Set(["key", "type", "text"]);
const FOLDERS: readonly (readonly [start: string, kind: Kind])[] = [
  ["/works/", "work"],
  ["/authors/", "author"],
  ["/subjects/", "subject"],
  ["/lists/", "list"],
  ["/series/", "list"],
  ["/people/", "list"],
  ["/books/", "edition"],
];

/** Returns the kinds that a query may find; editions only if it names their type or the key of one. */
export function kindsOf(query: Query): readonly Kind[] {
  const namesEditions = leavesOf(query).some(
    ({ field, value }) =>
      "text" in value &&
      (field === "type" ? value.text === "edition" : field === "key" && value.text.startsWith("/books/")),
  );
  return namesEditions ? KINDS : KINDS.filter((kind) => kind !== "edition");
}

/** Returns the query for one kind; conditions on fields or keys of other kinds find nothing (`NONE`). */
export function queryFor(scheme: Kind, query: Query): Query {
  switch (query.op) {
    case "and": {
      const parts = query.of.map((part) => queryFor(scheme, part));
      return parts.some(({ op }) => op === "none") ? NONE : allOf(parts);
    }
    case "or": {
      const parts = query.of.map((part) => queryFor(scheme, part)).filter(({ op }) => op !== "none");
      return parts.some(({ op }) => op === "all") ? ALL : anyOf(parts);
    }
    case "not":
      return negate(queryFor(scheme, query.of));
    case "match":
      return leafForKind(scheme, query);
    default:
      return query;
  }
}

/** Throws SolrRequestError for a field that no kind of documents has. */
export function checkFields(query: Query): void {
  for (const { field } of leavesOf(query)) {
    if (field !== null && !KINDS.some((scheme) => hasField(scheme, field)))
      throw new SolrRequestError("bad_request.solr_field", { field });
  }
}

/** Returns true if a kind has a field. Programs may name work fields that a search for works refuses. */
function hasField(scheme: Kind, field: string): boolean {
  if (SHARED.has(field)) return true;
  if (scheme === "edition") return isEditionField(field);
  if (scheme !== "work") return PLAIN_FIELDS[scheme].has(field);
  return isWorkField(field) || FIELDS.get(field)?.namedBy === "listener";
}

function leafForKind(scheme: Kind, leaf: Leaf): Query {
  const { field, value } = leaf;
  if (field === null) return leaf;
  if (!hasField(scheme, field)) return NONE;
  if (field === "text") return { ...leaf, field: null };
  if (field === "type") return typeQueryOf(scheme, leaf);
  const isKey = field === "key" && (value.kind === "word" || value.kind === "phrase");
  if (!isKey) return leaf;
  // Keys with the beginning of another kind match no document of this one.
  const isOwn = FOLDERS.some(([start, kind]) => kind === scheme && value.text.startsWith(start));
  return isOwn ? leaf : NONE;
}

function typeQueryOf(scheme: Kind, { value }: Leaf): Query {
  if (value.kind === "exists") return ALL;
  if (value.kind !== "word" && value.kind !== "phrase") return NONE;
  if (scheme !== "list") return value.text === scheme ? ALL : NONE;
  const isSeries = equals("list_type", "series");
  if (value.text === "series") return isSeries;
  return value.text === "list" ? not(isSeries) : NONE;
}

function negate(query: Query): Query {
  if (query.op === "all") return NONE;
  return query.op === "none" ? ALL : not(query);
}

const EVERYTHING = /(?<=^|[\s(+-])\*:\*(?=$|[\s)])/g;
const QUERY_PARSERS = new Set<string | undefined>([undefined, "lucene", "edismax", "dismax"]);
const VALUE_PARSERS = new Set<string | undefined>(["term", "raw", "field", "prefix", "terms"]);
const MINIMUM = /^(-?)(\d{1,4})(%?)$/;
const PERCENT = 100;

/** Options of a query: parameters of the request, or local ones before it. */
export interface QueryOptions {
  /** Operator of words; with `OR`, one of several words is enough. */
  readonly "q.op"?: string | undefined;
  /** Minimum number of the outermost words that must hold: `2`, `75%`, `-1`, `-25%`. */
  readonly mm?: string | undefined;
  readonly df?: string | undefined;
}

/**
 * Reads one `q` or `fq` of the search listener: the query language with every name a field, and `{!terms f=key}a,b,c`.
 * Returns undefined if the text is empty. Throws SolrRequestError.
 */
export function parseRawQuery(written: string, options: QueryOptions = {}): Query | undefined {
  const known = ["q.op", "mm", "df", "f", "separator"];
  const { parser, values, text } = parseLocalParameters(written.trim(), known);
  if (VALUE_PARSERS.has(parser)) return valueQueryOf(parser, text, values);
  if (!QUERY_PARSERS.has(parser))
    throw new SolrRequestError("bad_request.solr_parser", { parser: parser ?? "" });
  if (text === "") return undefined;
  const { "q.op": operator = "AND", mm, df } = { ...options, ...Object.fromEntries(values) };
  if (!/^(?:and|or)$/i.test(operator))
    throw new SolrRequestError("bad_request.solr_value", { name: "q.op", value: operator });
  const loose = { isAnyEnough: /^or$/i.test(operator), least: mm === undefined ? undefined : leastOf(mm) };
  const { query, ...parsed } = parsePlainQuery(text.replace(EVERYTHING, "*"), "raw", loose);
  if (parsed.tooComplex) throw new SolrRequestError("bad_request.solr_clauses");
  if (parsed.isLiteral) throw new SolrRequestError("bad_request.solr_syntax", { text });
  return df === undefined ? query : mapLeaves(query, (leaf) => ({ ...leaf, field: leaf.field ?? df }));
}

function valueQueryOf(
  parser: string | undefined,
  text: string,
  values: ReadonlyMap<string, string>,
): Query | undefined {
  const field = values.get("f");
  if (field === undefined) throw new SolrRequestError("bad_request.solr_missing", { name: `{!${parser} f}` });
  if (parser === "prefix") return { ...equals(field, text), value: { kind: "pattern", parts: [text, ""] } };
  if (parser !== "terms") return equals(field, text);
  const all = text.split(values.get("separator") ?? ",").map((value) => value.trim());
  return anyOf(all.filter((value) => value !== "").map((value) => equals(field, value)));
}

/** Parses `mm` to a function of the word count. Each choice is a query part. Throws SolrRequestError. */
function leastOf(mm: string): (count: number) => number {
  const [, minus, digits, percent] = MINIMUM.exec(mm.trim()) ?? [];
  if (digits === undefined) throw new SolrRequestError("bad_request.solr_value", { name: "mm", value: mm });
  return (count) => {
    const share = percent === "%" ? Math.floor((count * Number(digits)) / PERCENT) : Number(digits);
    const least = Math.max(0, Math.min(count, minus === "-" ? count - share : share));
    let choices = 1;
    for (let taken = 0; taken < least; taken += 1) choices = (choices * (count - taken)) / (taken + 1);
    if (choices * least > QUERY_LEAVES_MAX)
      throw new SolrRequestError("bad_request.solr_choices", { least, words: count });
    return least;
  };
}

/** Returns `q` with all `fq`; undefined without `q`. Filters restrict as the query does. Throws SolrRequestError. */
export function parseRawSelection(
  q: string,
  filters: readonly string[],
  options: QueryOptions = {},
): { query: Query; filters: Query[] } | undefined {
  const query = parseRawQuery(q, options);
  if (query === undefined) return undefined;
  const filterOptions = { ...options, mm: undefined };
  return { query, filters: filters.flatMap((filter) => parseRawQuery(filter, filterOptions) ?? []) };
}

/** Returns a selection as one query. */
export function toWholeQuery({ query, filters }: { query: Query; filters: readonly Query[] }): Query {
  return allOf([query, ...filters]);
}

export interface Cursor {
  /** Number of documents at its beginning: they are not counted again. */
  readonly numFound: number;
  readonly kind: Kind;
  readonly mark: Mark;
}

const BEGINNING = "*";

/** Reads `cursorMark`; returns undefined at the beginning. Throws SolrRequestError for one of another order. */
export function readCursor(text: string, sorts: readonly Sort[]): Cursor | undefined {
  if (text === BEGINNING) return undefined;
  const unparsable = new SolrRequestError("bad_request.solr_cursor", { text });
  try {
    const [order, numFound, place, ...mark]: unknown[] = JSON.parse(decodeBase64Url(text));
    const kind = KINDS.find((_kind, at) => at === place);
    const isMark = mark.length > 0 && mark.every(isMarked);
    if (order === signatureOf(sorts) && typeof numFound === "number" && kind !== undefined && isMark)
      return { numFound, kind, mark };
  } catch (error) {
    throw error instanceof Error ? unparsable : error;
  }
  throw unparsable;
}

/**
 * Returns a cursor in the form of `nextCursorMark`: base64url of `["key+", 520, 0, 101]`, order, total, kind and mark.
 */
export function writeCursor({ numFound, kind, mark }: Cursor, sorts: readonly Sort[]): string {
  const text = JSON.stringify([signatureOf(sorts), numFound, KINDS.indexOf(kind), ...mark]);
  const bytes = String.fromCharCode(...new TextEncoder().encode(text));
  return btoa(bytes).replaceAll("+", "-").replaceAll("/", "_").replaceAll("=", "");
}

function decodeBase64Url(text: string): string {
  const bytes = atob(text.replaceAll("-", "+").replaceAll("_", "/"));
  return new TextDecoder().decode(Uint8Array.from(bytes, (byte) => byte.charCodeAt(0)));
}

function signatureOf(sorts: readonly Sort[]): string {
  return sorts.map(({ field, descending, seed = "" }) => `${field}${descending ? "-" : "+"}${seed}`).join();
}

function isMarked(value: unknown): value is Mark[number] {
  return value === null || typeof value === "string" || typeof value === "number";
}
