import { canonicalIsbn } from "../../catalog/identifiers/isbn.ts";
import { editionClausesOf, workNaming } from "./edition-clauses.ts";
import { type Tree, fieldTree, literalTree, wordOfParts } from "./syntax.ts";
import { freeWordsOf } from "./inspect.ts";
import { type ParseOptions, type Query, SEARCH_TEXT_LENGTH_MAX } from "./query.ts";
import { normalizeTree } from "./normalize.ts";
import { toQuery } from "./to-query.ts";
import { type WorkParameters, CLAUSE_PARAMETERS } from "./work-parameters.ts";

/** Conditions of the fielded parameters, which must all hold. */
interface FieldClauses {
  readonly clauses: readonly Query[];
  /** Clauses in edition fields that one edition must meet all together. */
  readonly editionClauses: readonly Query[];
  /** Words of title and author, whose spelling may be corrected. */
  readonly freeWords: readonly string[];
  /** True if a value is longer than the maximum for the text of a query. */
  readonly tooComplex: boolean;
}

const DIGITS = /\d+/g;
const AUTHOR_LETTER = "A";

/** Parameter with its text, as written and as plain words. */
interface Input {
  readonly name: (typeof CLAUSE_PARAMETERS)[number];
  readonly text: string;
  readonly words: Tree;
}

/**
 * Returns the clauses of `title=`, `author=`, `isbn=` and the other fielded parameters. Values are plain words, `*` is
 * a wildcard, and names are those of index fields: `title=` is about the work's title alone. `author_key` is a filter.
 */
export function clausesOf(parameters: WorkParameters, { prefix }: ParseOptions): FieldClauses {
  const inputs = CLAUSE_PARAMETERS.flatMap((name) => parseInput(name, parameters[name] ?? ""));
  const trees = inputs.map((input) => normalizeTree(treeOf(input, prefix), prefix));
  const freeWords = inputs
    .filter(
      ({ name, text }) => name === "title" || (name === "author" && findAuthorOlid(text, prefix) === undefined),
    )
    .flatMap(({ words }) => freeWordsOf(words));
  return {
    clauses: trees.map((tree) => toQuery(tree, workNaming)).filter((clause) => clause !== undefined),
    editionClauses: trees.flatMap(editionClausesOf),
    freeWords: [...new Set(freeWords)],
    tooComplex: CLAUSE_PARAMETERS.some((name) => isTooLong(parameters[name] ?? "")),
  };
}

function parseInput(name: Input["name"], text: string): Input[] {
  const words = isTooLong(text) ? undefined : literalTree(text.trim());
  return words === undefined ? [] : [{ name, text, words }];
}

function isTooLong(text: string): boolean {
  return text.length > SEARCH_TEXT_LENGTH_MAX;
}

function treeOf({ name, text, words }: Input, prefix: string): Tree {
  if (name === "author") return treeOfAuthor(findAuthorOlid(text, prefix), words);
  const isbn = name === "isbn" ? canonicalIsbn(text) : undefined;
  return fieldTree(name, isbn === undefined ? words : wordOfParts([isbn]));
}

/**
 * Returns the tree for the author with this OLID, or for an author with all the words in the name or in another name.
 */
function treeOfAuthor(olid: string | undefined, words: Tree): Tree {
  if (olid !== undefined) return fieldTree("author_key", wordOfParts([olid]));
  const names = ["author_name", "author_alternative_name"];
  return { kind: "or", of: names.map((name) => fieldTree(name, words)) };
}

/** Returns the first OLID of an author in a text. */
function findAuthorOlid(text: string, prefix: string): string | undefined {
  for (const { 0: digits, index } of text.matchAll(DIGITS)) {
    const isOlid = text.endsWith(prefix, index) && text.charAt(index + digits.length) === AUTHOR_LETTER;
    if (isOlid) return prefix + digits + AUTHOR_LETTER;
  }
  return undefined;
}
