import type { Leaf, Query } from "../query/query.ts";
import { queryTerms } from "../text/query-text.ts";

/** A word or phrase of a query that counts for the order of what it finds. */
export interface RankedTerm {
  /** Folded and unstemmed; several are a phrase. */
  readonly tokens: readonly string[];
  /** Other single tokens that do as well: written as one word, synonyms. */
  readonly others: readonly string[];
  /** The last token may go on. */
  readonly prefix: boolean;
  /** Index field; null: any of the default ones. */
  readonly field: string | null;
  readonly boost: number;
}

/** Fields of titles; their words are taken for a title as a whole. */
const TITLE_FIELDS = new Set<string | null>([null, "alternative_title", "title"]);

/** Words and phrases that results have or may have; not those that they must not have. */
export function rankedTerms(query: Query): RankedTerm[] {
  if (query.op === "and" || query.op === "or") return query.of.flatMap(rankedTerms);
  return query.op === "match" ? leafTerms(query) : [];
}

/**
 * The words that every result must have and that may be a title, in their order: what is compared with whole
 * titles. Words of fields other than the title are left out.
 */
export function titleWords(query: Query): string[] {
  if (query.op === "and") return query.of.flatMap(titleWords);
  if (query.op !== "match" || !TITLE_FIELDS.has(query.field) || !("text" in query.value)) return [];
  return queryTerms(query.value.text).flatMap(({ tokens }) => tokens);
}

function leafTerms({ field, value, boost }: Leaf): RankedTerm[] {
  if (value.kind === "pattern") {
    const tokens = queryTerms(value.parts[0] ?? "").flatMap((term) => term.tokens);
    return tokens.length === 0 ? [] : [{ tokens, others: [], prefix: true, field, boost }];
  }
  if (!("text" in value)) return [];
  const [first, ...more] = queryTerms(value.text);
  if (first === undefined) return [];
  if (more.length > 0) {
    const tokens = [first, ...more].flatMap((term) => term.tokens);
    return [{ tokens, others: [], prefix: false, field, boost }];
  }
  const others = first.catenation === undefined ? first.synonyms : [first.catenation, ...first.synonyms];
  return [{ tokens: first.tokens, others, prefix: false, field, boost }];
}
