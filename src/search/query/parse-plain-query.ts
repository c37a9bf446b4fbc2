import { RAW_SCHEME, plainScheme } from "./fields.ts";
import { fieldNamesOf, freeWordsOf, printed } from "./inspect.ts";
import { type ParsedPlainQuery, ALL, NONE, isTooComplex } from "./query.ts";
import { textTree } from "./parse.ts";
import { toQuery } from "./to-query.ts";

/** What is searched; `raw`: the search listener, where every name is a field and no value is rewritten. */
export type PlainScheme = "author" | "subject" | "list" | "raw";

const SCHEMES = {
  author: plainScheme("author"),
  subject: plainScheme("subject"),
  list: plainScheme("list"),
  raw: RAW_SCHEME,
};

const EMPTY: ParsedPlainQuery = {
  query: ALL,
  freeWords: [],
  namesField: () => false,
  printed: "",
  isLiteral: false,
  tooComplex: false,
};
const TOO_COMPLEX: ParsedPlainQuery = { ...EMPTY, query: NONE, tooComplex: true };

/**
 * Parses the `q` of a search for authors, subjects or lists, or of the search listener. Any text
 * is a query; none throws.
 */
export function parsePlainQuery(text: string, scheme: PlainScheme): ParsedPlainQuery {
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
