import { parsePlainQuery } from "../query/parse-plain-query.ts";
import { type Query, allOf, anyOf, equals } from "../query/query.ts";
import { SolrRequestError } from "./solr-error.ts";

const TERMS = /^\{!terms\s+f=["']?([\w.-]+)["']?(?:\s+separator=["']?([^"'}\s]+)["']?)?[^}]*\}(.*)$/s;
const LOCAL = /^\{!(\w+)?[^}]*\}/;
/** `*:*` beside other conditions. */
const EVERYTHING = /(?<=^|[\s(+-])\*:\*(?=$|[\s)])/g;
/** Parsers that read the text as this listener does. */
const SAME_PARSERS = new Set<string | undefined>([undefined, "lucene", "edismax", "dismax", "field"]);

/**
 * Reads one `q` or `fq` of the search listener (search.md 12): the query language with every name a field, and
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
