import type { Scheme } from "../engine.ts";
import { FIELDS } from "../fields.ts";
import { PLAIN_FIELDS } from "../plain-fields.ts";
import { isWorkField } from "../query/fields.ts";
import { parsePlainQuery } from "../query/parse-query.ts";
import { type Leaf, type Query, ALL, NONE, allOf, anyOf, equals, leavesOf, not } from "../query/query.ts";

/** Thrown for a request of the search listener that cannot be answered; becomes 400 with the message. */
export class SolrRequestError extends Error {}

/** Kinds of documents, in the order in which a search over all of them goes through them. */
export const SCHEMES = ["work", "author", "subject", "list"] as const satisfies readonly Scheme[];

/** Every kind has these. */
const SHARED = new Set(["key", "type", "text"]);
const FOLDERS: readonly (readonly [start: string, scheme: Scheme])[] = [
  ["/works/", "work"],
  ["/authors/", "author"],
  ["/subjects/", "subject"],
  ["/lists/", "list"],
  ["/series/", "list"],
  ["/people/", "list"],
];

/**
 * The query as it is for one kind of documents: what it says of the type is decided, and what another kind has or
 * is finds nothing. `NONE` when no document of the kind can match.
 */
export function queryFor(scheme: Scheme, query: Query): Query {
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
      return opposite(queryFor(scheme, query.of));
    case "match":
      return leafFor(scheme, query);
    default:
      return query;
  }
}

/** Throws SolrRequestError for a field that no kind of documents has. */
export function checkFields(query: Query): void {
  for (const { field } of leavesOf(query)) {
    if (field !== null && !SCHEMES.some((scheme) => hasField(scheme, field)))
      throw new SolrRequestError(`undefined field ${field}`);
  }
}

/** Programs may name some fields of works that a search for works does not take. */
function hasField(scheme: Scheme, field: string): boolean {
  if (SHARED.has(field)) return true;
  if (scheme !== "work") return PLAIN_FIELDS[scheme].has(field);
  return isWorkField(field) || FIELDS.get(field)?.namedBy === "listener";
}

function leafFor(scheme: Scheme, leaf: Leaf): Query {
  const { field, value } = leaf;
  if (field === null) return leaf;
  if (!hasField(scheme, field)) return NONE;
  if (field === "text") return { ...leaf, field: null };
  if (field === "type") return typeQuery(scheme, leaf);
  const isKey = field === "key" && (value.kind === "word" || value.kind === "phrase");
  if (!isKey) return leaf;
  // Keys that start like no document's are nobody's.
  const isOwn = FOLDERS.some(([start, own]) => own === scheme && value.text.startsWith(start));
  return isOwn ? leaf : NONE;
}

function typeQuery(scheme: Scheme, { value }: Leaf): Query {
  if (value.kind === "exists") return ALL;
  if (value.kind !== "word" && value.kind !== "phrase") return NONE;
  if (scheme !== "list") return value.text === scheme ? ALL : NONE;
  const isSeries = equals("list_type", "series");
  if (value.text === "series") return isSeries;
  return value.text === "list" ? not(isSeries) : NONE;
}

function opposite(query: Query): Query {
  if (query.op === "all") return NONE;
  return query.op === "none" ? ALL : not(query);
}

const TERMS = /^\{!terms\s+f=["']?([\w.-]+)["']?(?:\s+separator=["']?([^"'}\s]+)["']?)?[^}]*\}(.*)$/s;
const LOCAL = /^\{!(\w+)?[^}]*\}/;
/** `*:*` beside other conditions. */
const EVERYTHING = /(?<=^|[\s(+-])\*:\*(?=$|[\s)])/g;
/** Parsers that read the text as this listener does. */
const SAME_PARSERS = new Set<string | undefined>([undefined, "lucene", "edismax", "dismax", "field"]);

/**
 * Reads one `q` or `fq` of the search listener: the query language with every name a field, and
 * `{!terms f=key}a,b,c`. Undefined: the text is empty. Throws SolrRequestError.
 */
export function rawQuery(text: string): Query | undefined {
  const terms = TERMS.exec(text.trim());
  if (terms !== null) return termsQuery(terms);
  const plain = withoutLocalParameters(text.trim());
  if (plain === "") return undefined;
  const parsed = parsePlainQuery(plain.replace(EVERYTHING, "*"), "raw");
  if (parsed.tooComplex) throw new SolrRequestError("too many boolean clauses, or nested too deeply");
  if (parsed.isLiteral)
    throw new SolrRequestError(`org.apache.solr.search.SyntaxError: Cannot parse '${plain}'`);
  return parsed.query;
}

function termsQuery([, field = "", separator = ",", list = ""]: RegExpExecArray): Query {
  const values = list.split(separator).map((value) => value.trim());
  return anyOf(values.filter((value) => value !== "").map((value) => equals(field, value)));
}

/** `{!edismax q.op=AND}text` is the text; other parsers are not to be had. */
function withoutLocalParameters(text: string): string {
  const local = LOCAL.exec(text);
  if (local === null) return text;
  if (!SAME_PARSERS.has(local[1])) throw new SolrRequestError(`Unknown query parser '${local[1]}'`);
  return text.slice(local[0].length).trim();
}

/** `q` with all `fq`; undefined when there is no `q`. Filters restrict as the query does. */
export function rawSelection(
  q: string,
  filters: readonly string[],
): { query: Query; filters: Query[] } | undefined {
  const query = rawQuery(q);
  if (query === undefined) return undefined;
  return { query, filters: filters.flatMap((filter) => rawQuery(filter) ?? []) };
}

/** A selection as one query. */
export function wholeQuery({ query, filters }: { query: Query; filters: readonly Query[] }): Query {
  return allOf([query, ...filters]);
}
