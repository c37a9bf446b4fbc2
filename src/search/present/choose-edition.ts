import { EBOOK_ACCESS_LEVELS } from "../../catalog/ebook-access.ts";
import { type Json, stringsOf } from "../../catalog/record.ts";
import type { Document, Sort } from "../engine.ts";
import { addAmpersands } from "../query/ampersand.ts";
import { type Query, leavesOf } from "../query/query.ts";
import { collationKeyOf, compareValues } from "../text/collation.ts";
import { queryTermsOf } from "../text/analysis.ts";
import {
  type DocumentTest,
  type TextTest,
  documentTestOf,
  termTestOf,
  analyzedTextOf,
} from "./document-test.ts";
import { HIDDEN_FIELDS } from "./selected-fields.ts";

type Comparable = string | number;

const HASH_START = 0x811c9dc5;
const HASH_FACTOR = 0x01000193;

function makeComparison(sorts: readonly Sort[]): (a: Document, b: Document) => number {
  return (a, b) => {
    for (const sort of sorts) {
      const order = compareValues(sortValueOf(a, sort), sortValueOf(b, sort));
      if (order !== 0) return sort.descending ? -order : order;
    }
    return 0;
  };
}

function sortValueOf(edition: Document, { field, descending, seed }: Sort): Comparable {
  switch (field) {
    case "random":
      return hashText(`${seed ?? ""} ${String(edition["key"])}`);
    case "language":
      return Number(stringsOf(edition["language"]).includes(seed ?? ""));
    case "publish_year":
      return yearOf(edition["publish_year"], descending);
    case "title_sort":
      return collationKeyOf(stringsOf(edition["title"]).join(""));
    case "ebook_access":
      return EBOOK_ACCESS_LEVELS.findIndex((name) => name === edition["ebook_access"]);
    case "key":
      return String(edition["key"]);
    default:
      return Number(edition[field] ?? 0);
  }
}

function yearOf(value: Json | undefined, descending: boolean): number {
  const years = Array.isArray(value) ? value.map(Number) : [];
  // Editions without a year come last in both directions.
  return descending ? Math.max(...years) : Math.min(...years);
}

/** Returns the FNV-1a hash over UTF-16 units. */
function hashText(text: string): number {
  let value = HASH_START;
  for (let index = 0; index < text.length; index += 1) {
    value = Math.imul(value ^ text.charCodeAt(index), HASH_FACTOR);
  }
  return value >>> 0;
}

const COMPARED_WORDS_MAX = 20;
const LANGUAGE_POINTS = 40;
const COVER_POINTS = 2;
const MOST_TERM_POINTS = 9.9;
const TITLE_TERM_POINTS = 2;
const OTHER_TERM_POINTS = 1;
const ACCESS_POINTS = new Map([
  ["public", 10],
  ["borrowable", 8],
  ["printdisabled", 2],
]);

export interface EditionCriteria {
  /** Conditions that the edition must meet, in edition fields. */
  readonly clauses: readonly Query[];
  /** MARC code of the client's language. */
  readonly language: string;
  readonly words: readonly string[];
  /** Orders that replace the choice by points. */
  readonly sort: readonly Sort[];
}

/** Fields that every choice reads: for points, for orders, and as fields that conditions give other names. */
const CHOICE_FIELDS =
  "alternative_title author_name chapter cover_i ebook_access isbn key language publish_year publisher subtitle title".split(
    " ",
  );

/** Returns the fields that editions are chosen by. */
export function choiceFieldsOf({ clauses, sort }: EditionCriteria): string[] {
  const clauseFields = clauses.flatMap(leavesOf).flatMap(({ field }) => field ?? []);
  return [...CHOICE_FIELDS, ...clauseFields, ...sort.map(({ field }) => field)];
}

export interface ChosenEdition {
  readonly numFound: number;
  readonly edition: Document | undefined;
}

function testOfClause(clause: Query): DocumentTest {
  return documentTestOf(addAmpersands(clause));
}

/** Returns a function that chooses an edition of a work, the first of equal ones. Deterministic. */
export function makeEditionChooser({
  clauses,
  language,
  words,
  sort,
}: EditionCriteria): (editions: readonly Document[]) => ChosenEdition {
  const strict = clauses.map(testOfClause);
  const visible = clauses.filter(
    (clause) => !leavesOf(clause).some(({ field }) => HIDDEN_FIELDS.has(field ?? "")),
  );
  const lenient = visible.length === clauses.length ? undefined : visible.map(testOfClause);
  const points: PointCriteria = { language, terms: distinctTermsOf(words) };
  return (editions) => {
    const eligible = selectEligible(editions, strict, lenient);
    const best =
      sort.length > 0 ? eligible.toSorted(makeComparison(sort)).at(0) : selectByPoints(eligible, points);
    return { numFound: eligible.length, edition: best };
  };
}

/**
 * Returns the editions that meet the conditions. The index may have found the work by a title that editions are not
 * returned with: if no edition meets all conditions, those on hidden fields are ignored.
 */
function selectEligible(
  editions: readonly Document[],
  strict: readonly DocumentTest[],
  lenient: readonly DocumentTest[] | undefined,
): readonly Document[] {
  const eligible = editions.filter((edition) => strict.every((test) => test(edition)));
  if (eligible.length > 0 || lenient === undefined) return eligible;
  return editions.filter((edition) => lenient.every((test) => test(edition)));
}

interface PointCriteria {
  language: string;
  terms: readonly Term[];
}

interface Term {
  word: string;
  stemmed: TextTest;
  unstemmed: TextTest;
}

function distinctTermsOf(words: readonly string[]): Term[] {
  const terms = words.flatMap((word) => queryTermsOf(word).map((term) => ({ word, term })));
  const distinct = new Map(terms.map((entry) => [entry.term.tokens.join(" "), entry]));
  return [...distinct.values()].slice(0, COMPARED_WORDS_MAX).map(({ word, term }) => ({
    word,
    stemmed: termTestOf(term, true),
    unstemmed: termTestOf(term, false),
  }));
}

/** Returns the first edition with the most points. Words, the slowest part, are compared only where they can decide. */
function selectByPoints(
  editions: readonly Document[],
  { language, terms }: PointCriteria,
): Document | undefined {
  const points = editions.map((edition) => pointsOf(edition, language));
  const highest = Math.max(...points);
  const mostOfTerms = Math.min(MOST_TERM_POINTS, TITLE_TERM_POINTS * terms.length);
  let best: Document | undefined;
  let most = Number.NEGATIVE_INFINITY;
  for (const [at, edition] of editions.entries()) {
    const base = points[at] ?? 0;
    if (base + mostOfTerms <= most || base + mostOfTerms < highest) continue;
    const total = base + Math.min(MOST_TERM_POINTS, termPointsOf(edition, terms));
    if (total > most) [best, most] = [edition, total];
  }
  return best;
}

function pointsOf(edition: Document, readersLanguage: string): number {
  const inLanguage = stringsOf(edition["language"]).includes(readersLanguage) ? LANGUAGE_POINTS : 0;
  const access = ACCESS_POINTS.get(String(edition["ebook_access"])) ?? 0;
  const cover = edition["cover_i"] === undefined ? 0 : COVER_POINTS;
  return inLanguage + access + cover;
}

function termPointsOf(edition: Document, terms: readonly Term[]): number {
  let points = 0;
  for (const { word, stemmed, unstemmed } of terms) {
    if (stemmed(analyzedTextOf(edition, "alternative_title", true))) points += TITLE_TERM_POINTS;
    else if (
      stringsOf(edition["isbn"]).includes(word) ||
      stemmed(analyzedTextOf(edition, "chapter", true)) ||
      stemmed(analyzedTextOf(edition, "publisher", true)) ||
      unstemmed(analyzedTextOf(edition, "author_name", false))
    ) {
      points += OTHER_TERM_POINTS;
    }
  }
  return points;
}
