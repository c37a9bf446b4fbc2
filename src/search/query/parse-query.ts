import { editionClausesOf, withoutEditionFields, workNaming } from "./edition-clauses.ts";
import { RAW_SCHEME, WORK_SCHEME, plainScheme } from "./fields.ts";
import { fieldNamesOf, freeWordsOf, printed } from "./inspect.ts";
import { isbnOfText, normalizedTree } from "./normalize.ts";
import { textTree } from "./parse.ts";
import {
  type ParseOptions,
  type ParsedQuery,
  type ParsedWorkQuery,
  ALL,
  NONE,
  isTooComplex,
} from "./query.ts";
import { type Tree, wordOfParts } from "./syntax.ts";
import { toQuery } from "./to-query.ts";

/** How everything is printed. */
const EVERYTHING = "*:*";

const EMPTY: ParsedQuery = {
  query: ALL,
  freeWords: [],
  namesField: () => false,
  printed: "",
  isLiteral: false,
  tooComplex: false,
};
const TOO_COMPLEX: ParsedQuery = { ...EMPTY, query: NONE, tooComplex: true };

/** Parses the `q` of a search for works. Any text is a query; none throws. */
export function parseWorkQuery(text: string, { prefix }: ParseOptions): ParsedWorkQuery {
  const parsed = textTree(text, WORK_SCHEME);
  if (parsed.kind === "empty") return { ...EMPTY, editionClauses: [] };
  if (parsed.kind === "too-complex") return { ...TOO_COMPLEX, editionClauses: [] };
  const names = fieldNamesOf(parsed.tree);
  const isbn = names.size === 0 ? isbnOfText(text) : undefined;
  if (isbn !== undefined) names.add("isbn");
  const tree = isbn === undefined ? normalizedTree(parsed.tree, prefix) : isbnTree(isbn);
  const query = toQuery(tree, workNaming) ?? ALL;
  const editionClauses = editionClausesOf(tree);
  // Each by itself: clauses on editions repeat those on works.
  if (isTooComplex([query]) || isTooComplex(editionClauses)) return { ...TOO_COMPLEX, editionClauses: [] };
  const workTree = withoutEditionFields(tree);
  return {
    query,
    editionClauses,
    freeWords: freeWordsOf(tree),
    namesField: (name) => names.has(name),
    printed: workTree === undefined ? EVERYTHING : printed(workTree),
    isLiteral: parsed.isLiteral,
    tooComplex: false,
  };
}

function isbnTree(isbn: string): Tree {
  return {
    kind: "field",
    field: { name: "isbn", scope: "any" },
    of: { kind: "group", of: wordOfParts([isbn]) },
  };
}

/** What is searched; `raw`: the search listener, where every name is a field and no value is rewritten. */
type PlainSyntax = "author" | "subject" | "list" | "raw";

const SCHEMES = {
  author: plainScheme("author"),
  subject: plainScheme("subject"),
  list: plainScheme("list"),
  raw: RAW_SCHEME,
};

/**
 * Parses the `q` of a search for authors, subjects or lists, or of the search listener. Any text
 * is a query; none throws.
 */
export function parsePlainQuery(text: string, scheme: PlainSyntax): ParsedQuery {
  const parsed = textTree(text, SCHEMES[scheme]);
  if (parsed.kind === "empty") return EMPTY;
  if (parsed.kind === "too-complex") return TOO_COMPLEX;
  const { tree, isLiteral } = parsed;
  const query = toQuery(tree, ({ name }) => name) ?? ALL;
  if (isTooComplex([query])) return TOO_COMPLEX;
  const names = fieldNamesOf(tree);
  return {
    query,
    freeWords: freeWordsOf(tree),
    namesField: (name) => names.has(name),
    printed: printed(tree),
    isLiteral,
    tooComplex: false,
  };
}
