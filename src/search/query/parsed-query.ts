import type { Query } from "./query.ts";

/** What every parsed text has, whatever is searched. */
interface ParsedText {
  /** Distinct words and phrases without a field that are not excluded, as typed, unescaped. */
  readonly freeWords: readonly string[];
  /** Whether the text names this index field (after aliases), anywhere. */
  namesField(name: string): boolean;
  /** The text as it was understood: aliases replaced, values normalised, literals escaped. */
  readonly printed: string;
  /** The text broke the grammar and was taken as plain words (search.md 3.1 step 4). */
  readonly isLiteral: boolean;
  /** Too long, too deep or too many conditions (search.md 2.8): the queries match nothing then. */
  readonly tooComplex: boolean;
}

/** A text that searches works. */
export interface ParsedQuery extends ParsedText {
  /** Everything, for an empty text. */
  readonly works: Query;
  /**
   * Clauses that one edition of the work has to meet all together, in edition fields (search.md 6.2, 6.3): what
   * stands under OR or NOT, and text without a field, is not among them.
   */
  readonly editionClauses: readonly Query[];
}

/** A text that searches authors, subjects or lists. */
export interface ParsedPlainQuery extends ParsedText {
  /** Everything, for an empty text. */
  readonly query: Query;
}

/** What parsing depends on besides the text. */
export interface ParseOptions {
  /** Prefix of record ids, such as `OL`. */
  readonly prefix: string;
}
