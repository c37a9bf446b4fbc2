import { fieldCodeOf } from "../indexing/filter-token.ts";
import type { Match, TokensMatch } from "../plan/match.ts";
import type { PlainPlan } from "../plan/plain-query.ts";
import type { Bounds, Plan } from "../plan/plan.ts";

export type IndexKind = "work" | "edition" | "author" | "subject" | "list";

/** Token before the first one of every text. No text or query has it as a token of its own. */
export const FIRST = "\u22a2";

export const NO_DOCUMENT = "(*:* -*:*)";

/** Returns a query for a field with a text. Quoted text cannot be syntax. */
export function queryField(field: string, text: string): string {
  return `${field}:${quoteText(text)}`;
}

/** Returns a query for one of any number of values without commas; without values, it matches none. */
export function queryFieldIn(field: string, values: readonly (string | number)[]): string {
  return values.length === 0 ? NO_DOCUMENT : `{!terms f=${field} v=${quoteText(values.join(","))}}`;
}

/** Returns a query for documents by their ids. */
export function idsQuery(ids: readonly string[]): string {
  return ids.length === 0 ? NO_DOCUMENT : `(${ids.map((id) => queryField("id", id)).join(" ")})`;
}

/** Returns a query that requires all of some queries. */
export function conjoinQueries(queries: readonly string[]): string {
  return queries.map((query) => `+${query}`).join(" ");
}

/**
 * Returns the query of a full-text match over the fields of a kind, in parentheses. With `pointsOf`, its score is the sum of
 * the points of the columns that match.
 */
export function matchQuery(match: Match, kind: IndexKind, pointsOf?: (column: string) => string): string {
  switch (match.op) {
    case "tokens": {
      const queries = match.columns.map((column) => {
        const query = tokensQueryOf(fieldOf(kind, column), match);
        return pointsOf === undefined ? query : `(${query})^=${pointsOf(column)}`;
      });
      return `(${queries.join(" ")})`;
    }
    case "without":
      return `(+${matchQuery(match.from, kind, pointsOf)} -${matchQuery(match.less, kind)})`;
    default: {
      const sign = match.op === "and" ? "+" : "";
      return `(${match.of.map((part) => sign + matchQuery(part, kind, pointsOf)).join(" ")})`;
    }
  }
}

/** Returns the field of a column of full text. */
function fieldOf(kind: IndexKind, column: string): string {
  return column === "token" ? `${kind}_token` : `${kind}_text_${column}`;
}

/** Codes of fields whose values very many works have and many searches name: Solr caches the matches. */
const CACHED_CODES = new Set(["language", "has_fulltext", "public_scan_b"].map(fieldCodeOf));

function tokensQueryOf(field: string, match: TokensMatch): string {
  const { prefix, first } = match;
  const tokens = first ? [FIRST, ...match.tokens] : match.tokens;
  if (field === "work_token" && !prefix && CACHED_CODES.has(tokens[0]?.split("=", 1)[0])) {
    return `filter(${queryField(field, tokens.join(" "))})`;
  }
  if (!prefix) return queryField(field, tokens.join(" "));
  if (tokens.length === 1) return `${field}:${escapeToken(tokens[0] ?? "")}*`;
  const words = tokens.map(escapeToken).join(" ");
  return `{!complexphrase inOrder=true df=${field} v=${quoteText(`"${words}*"`)}}`;
}

/** Returns the query of a plan over the documents of a kind, in parentheses. */
export function toLuceneQuery(plan: Plan | PlainPlan, kind: IndexKind): string {
  switch (plan.kind) {
    case "all":
      return "*:*";
    case "none":
      return NO_DOCUMENT;
    case "match":
      return matchQuery(plan.match, kind);
    case "number":
      return boundsQueryOf(`n_${plan.column}`, plan.bounds, String);
    case "text":
      return boundsQueryOf(`s_${plan.column}`, plan.bounds, quoteText);
    case "values":
      return boundsQueryOf(`v_${plan.field}`, plan.bounds, quoteText);
    case "compare":
      return comparisonQueryOf(plan);
    case "present":
      return queryField("has", plan.member);
    case "edition":
      return `(n_edition_count:[0 TO 0] {!parent which=kind:work v=${quoteText(`+kind:edition +${matchQuery(plan.match, "edition")}`)}})`;
    case "not":
      return `(*:* -${toLuceneQuery(plan.of, kind)})`;
    default: {
      const sign = plan.kind === "and" ? "+" : "";
      return `(${plan.of.map((part) => sign + toLuceneQuery(part, kind)).join(" ")})`;
    }
  }
}

function boundsQueryOf<Type>(
  field: string,
  { from, to, includesFrom, includesTo }: Bounds<Type>,
  write: (value: Type) => string,
): string {
  const [low, high] = [from === undefined ? "*" : write(from), to === undefined ? "*" : write(to)];
  const [begin, end] = [
    from === undefined || includesFrom ? "[" : "{",
    to === undefined || includesTo ? "]" : "}",
  ];
  return `${field}:${begin}${low} TO ${high}${end}`;
}

type Comparison = Extract<PlainPlan, { kind: "compare" }>;

function comparisonQueryOf({ column, operator, value }: Comparison): string {
  const isText = typeof value === "string";
  const bound = { from: undefined, to: undefined, includesFrom: true, includesTo: true };
  const includes = operator.endsWith("=");
  const bounds = {
    ...bound,
    ...(operator !== "<" && operator !== "<=" && { from: value, includesFrom: includes }),
    ...(operator !== ">" && operator !== ">=" && { to: value, includesTo: includes }),
  };
  return boundsQueryOf(`${isText ? "s" : "n"}_${column}`, bounds, (limit) =>
    isText ? quoteText(String(limit)) : String(limit),
  );
}

/** Returns a text in quotes. */
export function quoteText(text: string): string {
  return `"${text.replaceAll(/[\\"]/g, String.raw`\$&`)}"`;
}

/** Returns a token with escapes, for use outside of quotes. */
export function escapeToken(token: string): string {
  return token.replaceAll(/[\0-\x7f]/g, (character) =>
    /[a-z0-9]/i.test(character) ? character : `\\${character}`,
  );
}

/** Bits of the parts of a hash, lowest first: Solr has 24 bits, and products of two parts up to 22. */
const PARTS = [11, 11, 9] as const;

/** Returns a hash of 31 bits as fields of its parts, lowest first. */
export function randomFieldsOf(hash: number): Readonly<Record<string, number>> {
  return Object.fromEntries(partsOf(hash).map((part, at) => [`n_random_${at}`, part]));
}

/**
 * Returns Solr functions whose values sort documents by `(hash * factor + summand) modulo 2 ** 31`, the most
 * significant first: long multiplication, part by part.
 */
export function randomFunctionsOf(factor: number, summand: number): string[] {
  const factors = partsOf(factor);
  const summands = partsOf(summand);
  let carry = "0";
  const digits = PARTS.map((bits, at) => {
    const products = factors
      .slice(0, at + 1)
      .map((digit, place) => `product(n_random_${at - place},${digit})`);
    const sum = `sum(${[...products, summands[at] ?? 0, carry].join(",")})`;
    carry = `floor(div(${sum},${2 ** bits}))`;
    return `mod(${sum},${2 ** bits})`;
  });
  return digits.toReversed();
}

function partsOf(number: number): number[] {
  let rest = number;
  return PARTS.map((bits) => {
    const part = rest % 2 ** bits;
    rest = Math.floor(rest / 2 ** bits);
    return part;
  });
}
