import { decodeToken, encodeValue, fieldCode } from "../indexing/filter-token.ts";
import { type Leaf, type Query, type Value, isBetween, leavesOf } from "../query/query.ts";
import { fold } from "../text/fold.ts";
import { matchesGlob } from "../text/glob.ts";

/** Words or values that one condition stands for at most. */
export const EXPANSION_TERMS_MAX = 200;
/** Letters outside the wildcards of a text condition, at least. */
const PATTERN_LITERALS_MIN = 3;

/** Conditions that first have to be looked up among the terms of the index. */
export interface VocabularyRequest {
  /** Where the answer is kept: equal conditions are asked once. */
  readonly id: string;
  /** Words of texts, or tokens of a code. */
  readonly kind: "words" | "tokens";
  /** All terms wanted begin so; of tokens, with the code. May be empty for words. */
  readonly beginning: string;
  /** All terms wanted contain this. */
  readonly inside: string;
  /** Whether a term of the index is wanted. */
  readonly accepts: (term: string) => boolean;
}

/** Terms of the index by the id of the request. */
export type Vocabulary = ReadonlyMap<string, readonly string[]>;

type Pattern = Extract<Value, { kind: "pattern" }>;
type Range = Extract<Value, { kind: "range" }>;

/** Which of the fields are compared otherwise than by their tokens. */
interface VocabularyFields {
  readonly isText: (field: string | null) => boolean;
  /** Compared by a type of their own: never by wildcards. */
  readonly isTyped: (field: string) => boolean;
  /** Their ranges need no look-up. */
  readonly hasOrder: (field: string) => boolean;
}

/** Everything that has to be looked up before a query can be planned. */
export function vocabularyRequests(queries: readonly Query[], fields: VocabularyFields): VocabularyRequest[] {
  const requests = queries.flatMap(leavesOf).flatMap((leaf) => leafRequest(leaf, fields) ?? []);
  return [...new Map(requests.map((request) => [request.id, request])).values()];
}

/** Where the answer for a condition is kept. */
export function requestId({ field, value }: Leaf): string {
  return JSON.stringify([field, value]);
}

/** Whether a pattern is more than a beginning: `*b`, `a*b`. */
export function hasInnerWildcard({ parts }: Pattern): boolean {
  return parts.length > 2 || parts.at(-1) !== "" || parts[0] === "";
}

function leafRequest(
  leaf: Leaf,
  { isText, isTyped, hasOrder }: VocabularyFields,
): VocabularyRequest | undefined {
  const { field, value } = leaf;
  if (field !== null && isTyped(field)) return undefined;
  if (value.kind === "pattern" && hasInnerWildcard(value) && value.parts.some((part) => part !== "")) {
    return isText(field) ? wordsRequest(leaf, value) : tokensRequest(leaf, value);
  }
  if (value.kind === "range" && field !== null && !isText(field) && !hasOrder(field))
    return rangeRequest(leaf, value);
  return undefined;
}

function wordsRequest(leaf: Leaf, { parts }: Pattern): VocabularyRequest | undefined {
  const folded = parts.map(fold);
  if ([...folded.join("")].length < PATTERN_LITERALS_MIN) return undefined;
  return {
    id: requestId(leaf),
    kind: "words",
    beginning: folded[0] ?? "",
    inside: longest(folded),
    accepts: (term) => !term.includes("=") && matchesGlob(term, folded),
  };
}

function tokensRequest(leaf: Leaf, { parts }: Pattern): VocabularyRequest | undefined {
  const code = fieldCode(leaf.field ?? "");
  if (code === undefined) return undefined;
  return {
    id: requestId(leaf),
    kind: "tokens",
    beginning: `${code}=${encodeValue(parts[0] ?? "")}`,
    inside: longest(parts.map(encodeValue)),
    accepts: (term) => matchesGlob(decodeToken(term).value, parts),
  };
}

function rangeRequest(leaf: Leaf, range: Range): VocabularyRequest | undefined {
  const code = fieldCode(leaf.field ?? "");
  if (code === undefined) return undefined;
  return {
    id: requestId(leaf),
    kind: "tokens",
    beginning: `${code}=${encodeValue(commonBeginning(range.from ?? "", range.to ?? ""))}`,
    inside: "",
    accepts: (term) => isBetween(decodeToken(term).value, range, String),
  };
}

function commonBeginning(one: string, other: string): string {
  let length = 0;
  while (length < one.length && one[length] === other[length]) length += 1;
  return one.slice(0, length);
}

function longest(parts: readonly string[]): string {
  return parts.reduce((best, part) => (part.length > best.length ? part : best), "");
}
