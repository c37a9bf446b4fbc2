import { bylineOf } from "./byline.ts";
import { editionClausesOf, toQuery, workNaming } from "./to-query.ts";
import { type Looseness, RAW_SCHEME, WORK_SCHEME, plainSchemeOf } from "./field-names.ts";
import { fieldTree, freeWordsOf, namesField, wordOfParts } from "./syntax.ts";
import { isbnOfText, normalizeTree } from "./normalize.ts";
import { parseText } from "./parser.ts";
import { type ParseOptions, type Query, ALL, NONE, isTooComplex } from "./query.ts";

interface ParsedWorkQuery {
  /** Query of the text; everything for an empty one. */
  readonly query: Query;
  /** Clauses that one edition must meet all together, without those under OR or NOT. */
  readonly editionClauses: readonly Query[];
  /** Distinct words and phrases without a field that are not excluded, as typed, unescaped. */
  readonly freeWords: readonly string[];
  /** True if the text is too long, too deep or has too many conditions: the queries then match nothing. */
  readonly tooComplex: boolean;
}

const EMPTY: ParsedWorkQuery = { query: ALL, editionClauses: [], freeWords: [], tooComplex: false };
const TOO_COMPLEX: ParsedWorkQuery = { ...EMPTY, query: NONE, tooComplex: true };

/** Parses the `q` of a search for works. Any text is a query; never throws. */
export function parseWorkQuery(text: string, { prefix }: ParseOptions): ParsedWorkQuery {
  const parsed = parseText(text, WORK_SCHEME);
  if (parsed.kind !== "tree") return parsed.kind === "empty" ? EMPTY : TOO_COMPLEX;
  const isbn = namesField(parsed.tree) ? undefined : isbnOfText(text);
  const tree =
    isbn === undefined ? normalizeTree(parsed.tree, prefix) : fieldTree("isbn", wordOfParts([isbn]));
  const query = toQuery(tree, workNaming) ?? ALL;
  const editionClauses = editionClausesOf(tree);
  // Each is checked on its own: clauses on editions repeat those on works.
  if (isTooComplex([query]) || isTooComplex(editionClauses)) return TOO_COMPLEX;
  const words = freeWordsOf(tree);
  // The word before the author may be missing in results, so that its spelling is not corrected.
  const by = bylineOf(words, (word) => word)?.by;
  return { query, editionClauses, freeWords: words.filter((word) => word !== by), tooComplex: false };
}

const SCHEMES = {
  author: plainSchemeOf("author"),
  subject: plainSchemeOf("subject"),
  list: plainSchemeOf("list"),
  // On the search listener, every name is a field and no value is rewritten.
  raw: RAW_SCHEME,
};

/** Parsed text of another search. `isLiteral` is true if the text broke the grammar and was read as plain words. */
interface ParsedPlainQuery extends Pick<ParsedWorkQuery, "query" | "tooComplex"> {
  readonly isLiteral: boolean;
}

/** Parses the `q` of a search for authors, subjects or lists, or of the listener. Never throws. */
export function parsePlainQuery(
  text: string,
  scheme: keyof typeof SCHEMES,
  loose?: Looseness,
): ParsedPlainQuery {
  const parsed = parseText(text, { ...SCHEMES[scheme], ...(loose && { loose }) });
  const isLiteral = parsed.kind === "tree" && parsed.isLiteral;
  if (parsed.kind === "empty") return { query: ALL, isLiteral, tooComplex: false };
  const query = parsed.kind === "tree" ? (toQuery(parsed.tree, ({ name }) => name) ?? ALL) : NONE;
  const tooComplex = parsed.kind === "too-complex" || isTooComplex([query]);
  return { query: tooComplex ? NONE : query, isLiteral, tooComplex };
}
