import { lccnSpellingsOf, oclcSpellingsOf } from "../../catalog/identifiers/edition-identifiers.ts";
import { lastSegmentOf } from "../../catalog/keys.ts";
import { FIELDS } from "../fields.ts";
import { NUMBER_COLUMN } from "../indexing/columns.ts";
import { fieldCodeOf, toFilterToken, presenceTokenOf } from "../indexing/filter-token.ts";

import type { Leaf, Query, Value } from "../query/query.ts";
import { type FieldColumns, planTypedLeaf } from "./field-conditions.ts";
import {
  type Match,
  type SearchColumn,
  EVERY_ROW,
  disjoinMatches,
  matchPrefix,
  matchWords,
  matchVocabulary,
  matchToken,
} from "./match.ts";
import { type Plan, EVERYTHING, NOTHING, planWith, toMatchPlan } from "./plan.ts";
import {
  type Vocabulary,
  type VocabularyRequest,
  hasInnerWildcard,
  requestIdOf,
  vocabularyRequestsOf,
} from "./vocabulary.ts";

interface PlanningContext {
  scheme: FieldColumns;
  vocabulary: Vocabulary;
}

interface PlanContext extends PlanningContext {
  /** Scheme for conditions under NOT, if they are searched elsewhere. */
  excludedScheme?: FieldColumns;
}

/** Minimum length of a beginning without a field that is searched among identifiers: shorter ones have many matches. */
const IDENTIFIER_PREFIX_LENGTH_MIN = 6;

const DIGIT = /\d/;
const LETTER = /\p{L}/u;
const ONLY_DIGITS = /^\d+$/;
/** Minimum length of a number without a field that is searched in all spellings: shorter ones are years. */
const SPELT_NUMBER_LENGTH_MIN = 6;
const HYPHENS = /-/g;

/** Plans one condition; undefined without a word. Unknown fields and other types match nothing. */
function planLeaf(leaf: Leaf, context: PlanningContext): Plan | undefined {
  const { field, value } = leaf;
  if (field === null) return isAnything(value) ? EVERYTHING : planUnnamed(leaf, context);
  if (isAnything(value)) return planPresence(field, context.scheme);
  const columns = context.scheme.texts.get(field);
  if (columns !== undefined) return planText(leaf, columns, context);
  if (field === "oclc" || field === "lccn") return planLibraryNumber(leaf, field, context);
  return planTypedLeaf(field, value, context.scheme) ?? planTokens(leaf, field, context);
}

function isAnything(value: Value): boolean {
  return value.kind === "exists" || (value.kind === "pattern" && value.parts.every((part) => part === ""));
}

function planUnnamed(leaf: Leaf, context: PlanningContext): Plan | undefined {
  const { scheme } = context;
  const text = planText(leaf, scheme.defaults, context);
  const [first, ...more] = matchIdentifiers(leaf.value, scheme.defaultTokens);
  if (first === undefined) return text;
  const identifiers = disjoinMatches([first, ...more]);
  return toMatchPlan(text?.kind === "match" ? disjoinMatches([text.match, identifiers]) : identifiers);
}

/** Returns the plan of a text; undefined if it has no word. Ranges of texts match nothing. */
function planText(
  leaf: Leaf,
  columns: readonly SearchColumn[],
  { vocabulary }: PlanningContext,
): Plan | undefined {
  const { value } = leaf;
  if (value.kind !== "word" && value.kind !== "phrase" && value.kind !== "pattern") return NOTHING;
  if (value.kind === "pattern" && hasInnerWildcard(value)) {
    return planExpansion(vocabulary.get(requestIdOf(leaf)), (word) => matchVocabulary(columns, word));
  }
  const match =
    value.kind === "pattern" ? matchPrefix(columns, value.parts[0] ?? "") : matchWords(columns, value.text);
  return match === undefined ? undefined : toMatchPlan(match);
}

function matchIdentifiers(value: Value, fields: readonly string[]): Match[] {
  if (value.kind === "word" || value.kind === "phrase") {
    if (!DIGIT.test(value.text)) return [];
    return fields.flatMap((field) => matchExactly(field, value.text));
  }
  if (value.kind !== "pattern" || hasInnerWildcard(value)) return [];
  const beginning = value.parts[0] ?? "";
  if (beginning.length < IDENTIFIER_PREFIX_LENGTH_MIN || !DIGIT.test(beginning)) return [];
  return fields.flatMap((field) => matchToken(toFilterToken(fieldCodeOf(field) ?? "", beginning), true));
}

function matchExactly(field: string, text: string): Match[] {
  const code = fieldCodeOf(field) ?? "";
  const forms = field === "isbn" ? [text.replace(HYPHENS, "").toUpperCase()] : [];
  const spellings = text.length < SPELT_NUMBER_LENGTH_MIN ? [] : spellingsOf(field, text);
  return [...new Set([text, ...forms, ...spellings])].map((value) => matchToken(toFilterToken(code, value)));
}

function spellingsOf(field: string, text: string): string[] {
  if (field === "oclc") return oclcSpellingsOf(text);
  return field === "lccn" ? lccnSpellingsOf(text) : [];
}

// Q72: oclc and lccn share a column of words, so that digits alone are compared as a whole.
/** Returns the plan of library numbers in all spellings: as a whole, or by their words if they have letters (Q651). */
function planLibraryNumber(leaf: Leaf, field: string, context: PlanningContext): Plan | undefined {
  const { value } = leaf;
  const whole = planTokens(leaf, field, context);
  if ((value.kind !== "word" && value.kind !== "phrase") || whole.kind !== "match") return whole;
  const spellings = spellingsOf(field, value.text);
  const typed = ONLY_DIGITS.test(value.text) ? [] : [value.text];
  const words = [...typed, ...spellings.filter((text) => LETTER.test(text))].flatMap(
    (text) => matchWords([NUMBER_COLUMN], text) ?? [],
  );
  if (typed.length > 0 && words.length === 0) return undefined;
  const tokens = spellings.map((text) => matchToken(toFilterToken(fieldCodeOf(field) ?? "", text)));
  return toMatchPlan(disjoinMatches([whole.match, ...tokens, ...words]));
}

function planTokens(leaf: Leaf, field: string, { scheme, vocabulary }: PlanningContext): Plan {
  const { value } = leaf;
  const code = codeOf(field, scheme);
  if (code === undefined || value.kind === "exists") return NOTHING;
  if (value.kind === "range" || (value.kind === "pattern" && hasInnerWildcard(value))) {
    return planExpansion(vocabulary.get(requestIdOf(leaf)), (token) => matchToken(token));
  }
  const valueOf = (text: string): string => (code === "ek" ? lastSegmentOf(text) : text);
  if (value.kind === "pattern") {
    return toMatchPlan(matchToken(toFilterToken(code, valueOf(value.parts[0] ?? "")), true));
  }
  return toMatchPlan(matchToken(toFilterToken(code, valueOf(value.text))));
}

/** Returns the code of a field. Editions are found by the OLIDs of their keys. */
function codeOf(field: string, scheme: FieldColumns): string | undefined {
  return fieldCodeOf(field === "key" && !scheme.defaultTokens.includes("key") ? "edition_key" : field);
}

function planExpansion(terms: readonly string[] | undefined, matchOf: (term: string) => Match): Plan {
  const [first, ...more] = (terms ?? []).map(matchOf);
  return toMatchPlan(first === undefined ? undefined : disjoinMatches([first, ...more]));
}

function planPresence(field: string, scheme: FieldColumns): Plan {
  const isCount = scheme.numbers.has(field) && FIELDS.get(field)?.always;
  return isCount ? EVERYTHING : toMatchPlan(matchToken(presenceTokenOf(field)));
}

/** Returns the plan of a query for works or editions. */
export function planQuery(query: Query, { excludedScheme, ...context }: PlanContext): Plan {
  const excluded = { ...context, scheme: excludedScheme ?? context.scheme };
  const leaf = (condition: Leaf, isExcluded: boolean): Plan | undefined =>
    planLeaf(condition, isExcluded ? excluded : context);
  return planWith(query, { leaf, everyRow: EVERY_ROW });
}

/** Returns the look-ups among the terms of the index that some queries need before they can be planned. */
export function requestsOf(queries: readonly Query[], scheme: FieldColumns): VocabularyRequest[] {
  return vocabularyRequestsOf(queries, {
    isText: (field) => field === null || scheme.texts.has(field),
    isTyped: (field) => scheme.strings.has(field) || scheme.numbers.has(field) || TYPED.has(field),
    hasOrder: (field) => scheme.values.has(field),
  });
}

const TYPED = new Set([
  "ebook_access",
  "has_fulltext",
  "public_scan_b",
  "publish_year",
  "first_publish_year",
  "lexile",
]);
