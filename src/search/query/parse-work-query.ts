import { editionClausesOf, withoutEditionFields, workNaming } from "./edition-clauses.ts";
import { WORK_SCHEME } from "./fields.ts";
import { fieldNamesOf, freeWordsOf, printed } from "./inspect.ts";
import { isbnOfText, normalizedTree } from "./normalize.ts";
import { type ParseOptions, type ParsedQuery, ALL, NONE, isTooComplex } from "./query.ts";
import { type Tree, wordOfParts } from "./syntax.ts";
import { textTree } from "./parse.ts";
import { toQuery } from "./to-query.ts";

/** How everything is printed. */
const EVERYTHING = "*:*";

const EMPTY: ParsedQuery = {
  works: ALL,
  editionClauses: [],
  freeWords: [],
  namesField: () => false,
  printed: "",
  isLiteral: false,
  tooComplex: false,
};
const TOO_COMPLEX: ParsedQuery = { ...EMPTY, works: NONE, tooComplex: true };

/** Parses the `q` of a search for works. Any text is a query; none throws. */
export function parseWorkQuery(text: string, { prefix }: ParseOptions): ParsedQuery {
  const parsed = textTree(text, WORK_SCHEME);
  if (parsed.kind === "empty") return EMPTY;
  if (parsed.kind === "too-complex") return TOO_COMPLEX;
  const names = fieldNamesOf(parsed.tree);
  const isbn = names.size === 0 ? isbnOfText(text) : undefined;
  if (isbn !== undefined) names.add("isbn");
  const tree = isbn === undefined ? normalizedTree(parsed.tree, prefix) : isbnTree(isbn);
  const works = toQuery(tree, workNaming) ?? ALL;
  const editionClauses = editionClausesOf(tree);
  // Each by itself: clauses on editions repeat those on works.
  if (isTooComplex([works]) || isTooComplex(editionClauses)) return TOO_COMPLEX;
  const workTree = withoutEditionFields(tree);
  return {
    works,
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
