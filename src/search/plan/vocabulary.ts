import { decodeToken, encodeValue, fieldCodeOf } from "../indexing/filter-token.ts";
import { type Leaf, type Query, type Value, isInRange, leavesOf, matchesGlob } from "../query/query.ts";
import { fold } from "../text/collation.ts";

export const EXPANSION_TERMS_MAX = 200;
/** Minimum number of letters outside the wildcards of a text condition. */
const PATTERN_LITERALS_MIN = 3;

export interface VocabularyRequest {
  /** Key of the answer: equal conditions are looked up once. */
  readonly id: string;
  readonly kind: "words" | "tokens";
  /** Beginning of all wanted terms; of tokens, with the code. May be empty for words. */
  readonly beginning: string;
  readonly inside: string;
  readonly accepts: (term: string) => boolean;
}

export type Vocabulary = ReadonlyMap<string, readonly string[]>;

type Pattern = Extract<Value, { kind: "pattern" }>;
type Range = Extract<Value, { kind: "range" }>;

interface VocabularyFields {
  isText: (field: string | null) => boolean;
  /** Returns true for fields that are compared by a type of their own, never by wildcards. */
  isTyped: (field: string) => boolean;
  /** Returns true for fields whose ranges need no look-up. */
  hasOrder: (field: string) => boolean;
}

/** Returns all look-ups needed before a query can be planned. */
export function vocabularyRequestsOf(
  queries: readonly Query[],
  fields: VocabularyFields,
): VocabularyRequest[] {
  const requests = queries.flatMap(leavesOf).flatMap((leaf) => requestOfLeaf(leaf, fields) ?? []);
  return [...new Map(requests.map((request) => [request.id, request])).values()];
}

/** Returns the key of the answer for a condition. */
export function requestIdOf({ field, value }: Leaf): string {
  return JSON.stringify([field, value]);
}

/** Returns true if a pattern is more than a beginning: `*b`, `a*b`. */
export function hasInnerWildcard({ parts }: Pattern): boolean {
  return parts.length > 2 || parts.at(-1) !== "" || parts[0] === "";
}

function requestOfLeaf(
  leaf: Leaf,
  { isText, isTyped, hasOrder }: VocabularyFields,
): VocabularyRequest | undefined {
  const { field, value } = leaf;
  if (field !== null && isTyped(field)) return undefined;
  if (value.kind === "pattern" && hasInnerWildcard(value) && value.parts.some((part) => part !== "")) {
    return isText(field) ? requestOfWords(leaf, value) : requestOfTokens(leaf, value);
  }
  if (value.kind === "range" && field !== null && !isText(field) && !hasOrder(field))
    return requestOfRange(leaf, value);
  return undefined;
}

function requestOfWords(leaf: Leaf, { parts }: Pattern): VocabularyRequest | undefined {
  const folded = parts.map(fold);
  if ([...folded.join("")].length < PATTERN_LITERALS_MIN) return undefined;
  return {
    id: requestIdOf(leaf),
    kind: "words",
    beginning: folded[0] ?? "",
    inside: longestOf(folded),
    accepts: (term) => !term.includes("=") && matchesGlob(term, folded),
  };
}

function requestOfTokens(leaf: Leaf, { parts }: Pattern): VocabularyRequest | undefined {
  const code = fieldCodeOf(leaf.field ?? "");
  if (code === undefined) return undefined;
  return {
    id: requestIdOf(leaf),
    kind: "tokens",
    beginning: `${code}=${encodeValue(parts[0] ?? "")}`,
    inside: longestOf(parts.map(encodeValue)),
    accepts: (term) => matchesGlob(decodeToken(term).value, parts),
  };
}

function requestOfRange(leaf: Leaf, range: Range): VocabularyRequest | undefined {
  const code = fieldCodeOf(leaf.field ?? "");
  if (code === undefined) return undefined;
  return {
    id: requestIdOf(leaf),
    kind: "tokens",
    beginning: `${code}=${encodeValue(commonBeginningOf(range.from ?? "", range.to ?? ""))}`,
    inside: "",
    accepts: (term) => isInRange(decodeToken(term).value, range, String),
  };
}

function commonBeginningOf(first: string, second: string): string {
  let length = 0;
  while (length < first.length && first[length] === second[length]) length += 1;
  return first.slice(0, length);
}

function longestOf(parts: readonly string[]): string {
  return parts.reduce((best, part) => (part.length > best.length ? part : best), "");
}

/** Suffix that sorts after every text with the same beginning. */
export const LAST = "\u{10FFFF}";
