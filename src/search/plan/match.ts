import { accessToken } from "../index/filter-token.ts";

/** Column of exact values. */
export const TOKEN_COLUMN = "token";

/** What full-text rows match, as data: printed as an expression of FTS5 by `matchText`. */
export type Match =
  /** Tokens in a row, in one value of one of the columns; `prefix`: the last one may go on. */
  | {
      readonly op: "tokens";
      readonly columns: readonly string[];
      readonly tokens: readonly string[];
      readonly prefix: boolean;
    }
  | { readonly op: "and" | "or"; readonly of: readonly Match[] }
  | { readonly op: "without"; readonly from: Match; readonly less: Match };

/** Tokens in a row in one of some columns. */
export function inColumns(columns: readonly string[], tokens: readonly string[], prefix = false): Match {
  return { op: "tokens", columns, tokens, prefix };
}

/** An exact value, or the beginning of one. */
export function withToken(token: string, prefix = false): Match {
  return inColumns([TOKEN_COLUMN], [token], prefix);
}

/** All rows: each has the lowest level of access. FTS5 has no other word for everything. */
export const EVERY_ROW: Match = withToken(accessToken(0));

/** Rows that all of one or more match. Equal parts come once. */
export function allMatch(matches: readonly [Match, ...Match[]]): Match {
  return combined("and", matches);
}

/** Rows that at least one of one or more matches. */
export function anyMatch(matches: readonly [Match, ...Match[]]): Match {
  return combined("or", matches);
}

/** Rows that one matches and another does not. */
export function matchWithout(from: Match, less: Match): Match {
  // One NOT for all: a chain of them would be as deep as it is long.
  if (from.op === "without") {
    return { op: "without", from: from.from, less: anyMatch([from.less, less]) };
  }
  return { op: "without", from, less };
}

/**
 * The expression of FTS5 (search.md 13.1): every token is quoted, every operator has its parentheses, the deepest
 * part stands first, which takes the parser of FTS5 least memory.
 */
export function matchText(match: Match): string {
  const known = texts.get(match);
  if (known !== undefined) return known;
  const text = textOf(match);
  texts.set(match, text);
  return text;
}

/** Parts of an expression are parts of many others. */
const texts = new WeakMap<Match, string>();

function textOf(match: Match): string {
  switch (match.op) {
    case "tokens":
      return `{${match.columns.join(" ")}} : ${quoted(match)}`;
    case "without":
      return `${nested(match.from)} NOT ${nested(match.less)}`;
    default: {
      const parts = match.of.toSorted((one, other) => depthOf(other) - depthOf(one));
      return parts.map(nested).join(match.op === "and" ? " AND " : " OR ");
    }
  }
}

function nested(match: Match): string {
  return match.op === "tokens" ? matchText(match) : `(${matchText(match)})`;
}

function quoted({ tokens, prefix }: Extract<Match, { op: "tokens" }>): string {
  return `"${tokens.join(" ").replaceAll('"', '""')}"${prefix ? " *" : ""}`;
}

function depthOf(match: Match): number {
  if (match.op === "tokens") return 1;
  const parts = match.op === "without" ? [match.from, match.less] : match.of;
  return 1 + Math.max(...parts.map(depthOf));
}

function combined(op: "and" | "or", matches: readonly [Match, ...Match[]]): Match {
  const flat = matches.flatMap((match) => (match.op === op ? match.of : [match]));
  const distinct = new Map(flat.map((match) => [matchText(match), match]));
  const of = [...distinct.values()];
  const [first] = of;
  return first !== undefined && of.length === 1 ? first : { op, of };
}
