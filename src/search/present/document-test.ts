import { EBOOK_ACCESS_LEVELS } from "../../catalog/ebook-access.ts";
import { normalizeNumber, normalizeNumbers } from "../../catalog/identifiers/edition-identifiers.ts";
import { type Json, stringsOf } from "../../catalog/record.ts";
import type { Document } from "../engine.ts";
import { findFieldsWith } from "../fields.ts";
import { EDITION_TEXT_COLUMNS } from "../indexing/columns.ts";
import { type Leaf, type Query, type Value, isInRange, matchesGlob } from "../query/query.ts";
import { type QueryTerm, toIndexText, queryTermsOf } from "../text/analysis.ts";
import { stem } from "../text/stem.ts";

/** Values of a field in the form for word searches: analysed tokens between blanks. */
type AnalysedText = string;

export type TextTest = (text: AnalysedText) => boolean;

function analyse(values: readonly string[], stemmed: boolean): AnalysedText {
  return ` ${toIndexText(values, { stemmed })} `;
}

/** Returns the test for one word of a query: its tokens in a row, its form as one word, or a synonym. */
export function termTestOf({ tokens, others }: QueryTerm, stemmed: boolean): TextTest {
  const spellings = [tokens, ...others.map((other) => [other])].map((spelling) =>
    needleOf(spelling, stemmed),
  );
  return (text) => spellings.some((spelling) => text.includes(spelling));
}

function textTestOf(value: Value, stemmed: boolean): TextTest {
  switch (value.kind) {
    case "word": {
      const terms = queryTermsOf(value.text).map((term) => termTestOf(term, stemmed));
      return (text) => terms.every((test) => test(text));
    }
    case "phrase": {
      const phrase = needleOf(tokensOf(value.text), stemmed);
      return (text) => text.includes(phrase);
    }
    case "pattern": {
      // Words with wildcards are folded, not stemmed.
      const parts = value.parts.map((part) => tokensOf(part).join(""));
      return (text) => text.split(" ").some((token) => token !== "" && matchesGlob(token, parts));
    }
    case "exists":
      return (text) => text.trim() !== "";
    case "range":
      return () => false;
  }
}

function tokensOf(text: string): string[] {
  return queryTermsOf(text).flatMap(({ tokens }) => tokens);
}

function needleOf(tokens: readonly string[], stemmed: boolean): string {
  return ` ${(stemmed ? tokens.map(stem) : tokens).join(" ")} `;
}

export type DocumentTest = (document: Document) => boolean;

/** Fields of editions that are searched by words; true if the words are stemmed. */
const TEXT_FIELDS: ReadonlyMap<string, boolean> = new Map([
  ...EDITION_TEXT_COLUMNS.map(({ name, stemmed }) => [name, stemmed] as const),
  ["title_suggest", false],
  ["alternative_subtitle", true],
  ["oclc", true],
  ["lccn", false],
]);
/** Fields of numbers that records have in several spellings (Q651). */
const SPELT_FIELDS: ReadonlySet<string> = new Set(["oclc", "lccn"]);
const NUMBER_FIELDS: ReadonlySet<string> = new Set([
  ...findFieldsWith({ of: "both", holds: "number" }),
  ...findFieldsWith({ of: "both", holds: "numbers" }),
]);
const NUMBER = /^\s*-?\d+(?:\.\d+)?\s*$/;

/**
 * Returns the test of a condition in edition fields for editions in the form of the index. Text without a field never
 * restricts editions. Conditions on fields missing from editions fail.
 */
export function documentTestOf(query: Query): DocumentTest {
  switch (query.op) {
    case "all":
      return () => true;
    case "none":
      return () => false;
    case "and": {
      const tests = query.of.map(documentTestOf);
      return (document) => tests.every((test) => test(document));
    }
    case "or": {
      const tests = query.of.map(documentTestOf);
      return (document) => tests.some((test) => test(document));
    }
    case "not": {
      const test = documentTestOf(query.of);
      return (document) => !test(document);
    }
    case "match":
      return leafTestOf(query);
  }
}

function leafTestOf({ field, value }: Leaf): DocumentTest {
  if (field === null) return () => true;
  const stemmed = TEXT_FIELDS.get(field);
  if (stemmed !== undefined) {
    const test = textTestOf(value, stemmed);
    const number =
      "text" in value && SPELT_FIELDS.has(field) ? normalizeNumber(field, value.text) : undefined;
    return (document) =>
      test(analyzedTextOf(document, field, stemmed)) ||
      (number !== undefined && normalizeNumbers(field, document[field]).includes(number));
  }
  if (field === "ebook_access") return (document) => matchesLevel(levelOf(document["ebook_access"]), value);
  if (NUMBER_FIELDS.has(field)) return (document) => matchesNumber(numbersOf(document[field]), value);
  // Copies of other fields are not always in the document.
  const member = field === "publisher_facet" ? "publisher" : field;
  return (document) => matchesString(valuesOf(document[member]), value);
}

/** Cache of analyses: each text is analysed once for all conditions. */
const analyses = new WeakMap<Document, Map<string, AnalysedText>>();

/** Returns the analysed text of a field of a document. */
export function analyzedTextOf(document: Document, field: string, stemmed: boolean): AnalysedText {
  const known = analyses.get(document) ?? new Map<string, AnalysedText>();
  analyses.set(document, known);
  const text = known.get(field) ?? analyse(textValues(document, field), stemmed);
  known.set(field, text);
  return text;
}

/** Returns the texts of a field; the alternative titles include the title with its subtitle. */
function textValues(document: Document, field: string): string[] {
  if (field === "title_suggest") return stringsOf(document["title"]);
  if (field === "alternative_subtitle") return stringsOf(document["subtitle"]);
  if (field !== "alternative_title") return stringsOf(document[field]);
  const { title, subtitle } = document;
  const full =
    typeof subtitle === "string" ? [`${stringsOf(title).join("")}: ${subtitle}`] : stringsOf(title);
  return [...full, ...stringsOf(document["alternative_title"])];
}

function matchesString(values: readonly string[], value: Value): boolean {
  switch (value.kind) {
    case "word":
    case "phrase":
      return values.includes(value.text);
    case "pattern":
      return values.some((candidate) => matchesGlob(candidate, value.parts));
    case "exists":
      return values.length > 0;
    case "range":
      return values.some((candidate) => isInRange(candidate, value, String));
  }
}

function matchesLevel(level: number, value: Value): boolean {
  if (value.kind === "exists") return true;
  if (value.kind === "range") return isInRange(level, value, levelOf);
  return value.kind !== "pattern" && level === levelOf(value.text);
}

function matchesNumber(values: readonly number[], value: Value): boolean {
  if (value.kind === "exists") return values.length > 0;
  if (value.kind === "range") return values.some((candidate) => isInRange(candidate, value, numberOf));
  return value.kind !== "pattern" && values.includes(numberOf(value.text));
}

function levelOf(value: Json | undefined): number {
  const level = EBOOK_ACCESS_LEVELS.findIndex((name) => name === value);
  return level === -1 ? Number.NaN : level;
}

function numberOf(text: string): number {
  return NUMBER.test(text) ? Number(text) : Number.NaN;
}

function numbersOf(value: Json | undefined): number[] {
  const values = Array.isArray(value) ? value : [value];
  return values.filter((candidate) => typeof candidate === "number");
}

function valuesOf(value: Json | undefined): string[] {
  return typeof value === "boolean" ? [String(value)] : stringsOf(value);
}
