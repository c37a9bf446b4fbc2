import { parseAuthorHeading } from "../../catalog/matching/author-heading.ts";
import { FIELDS } from "../fields.ts";
import { isWorkField } from "../query/field-names.ts";
import { type Tree, type Word, fieldTree, plainTextOf, unescapeText, wordOfParts } from "../query/syntax.ts";
import { type CqlIndex, ALL_RECORDS, CQL_SET, indexOf, qualifiedNameOf } from "./cql-indexes.ts";
import type { CqlClause, CqlModifier } from "./cql-parser.ts";
import { Diagnostic } from "./diagnostic.ts";

const ESCAPED_OR_SPECIAL = /\\([^]?)|[*?^]/g;
const ESCAPABLE = new Set(["*", "?", "^", '"', "\\"]);
const SPACES = /\s+/;

/**
 * Converts a part of a term to a word of the query language: `*` matches any characters, `\*` an asterisk. Throws
 * diagnostics 26, 28 (`?`: the index has no single-character wildcard) and 31.
 */
function wordOfTerm(raw: string): Word {
  const parts: string[] = [];
  let part = "";
  let last = 0;
  for (const match of raw.matchAll(ESCAPED_OR_SPECIAL)) {
    part += raw.slice(last, match.index);
    last = match.index + match[0].length;
    if (match[0] === "?") throw new Diagnostic(28, "?");
    if (match[0] === "^") throw new Diagnostic(31, "^");
    const escaped = match[1];
    if (escaped === undefined) {
      parts.push(part);
      part = "";
    } else if (ESCAPABLE.has(escaped)) part += escaped;
    else throw new Diagnostic(26, match[0]);
  }
  return wordOfParts([...parts, part + raw.slice(last)]);
}

/** Interpretation of special characters in terms. `unmasked` makes all of them literal. */
interface TermReading {
  isMasked: boolean;
}

/** Returns the separate words of a term. Throws diagnostic 27 if there is none. */
function wordsOfTerm(term: string, { isMasked }: TermReading): Word[] {
  const words = term.split(SPACES).filter((word) => word !== "");
  if (words.length === 0) throw new Diagnostic(27);
  return words.map((word) => (isMasked ? wordOfTerm(word) : wordOfParts([unescapeText(word)])));
}

/** Converts a term to a word, phrase or beginning. Throws diagnostic 33 for a mask before the end. */
function valueOfTerm(term: string, reading: TermReading): Tree {
  const words = wordsOfTerm(term, reading);
  const [first, ...more] = words;
  if (first !== undefined && more.length === 0) return first;
  const texts = words.map(plainTextOf);
  const last = words.at(-1)?.parts ?? [];
  const [lastWord = ""] = last;
  const before = texts.slice(0, -1);
  const isBeginning = last.length === 2 && last[1] === "" && lastWord !== "";
  if (before.includes(undefined) || (texts.at(-1) === undefined && !isBeginning)) throw new Diagnostic(33);
  if (isBeginning) return wordOfParts([[...before, lastWord].join(" "), ""]);
  return { kind: "phrase", text: texts.join(" ") };
}

/** Returns a term without masks in comparable form. Returns undefined if it has a mask. */
export function plainTermOf(term: string, reading: TermReading): string | undefined {
  const texts = wordsOfTerm(term, reading).map(plainTextOf);
  return texts.includes(undefined) ? undefined : texts.join(" ");
}

const ALL_TREE: Tree = wordOfParts(["", ""]);

/** Modifiers that request the default behaviour, or one that is supported. */
const MODIFIERS = new Set(
  "relevant ignorecase ignoreaccents stem word string isodate number uri masked unmasked".split(" "),
);
const ORDERS: Readonly<Record<string, { readonly isFrom: boolean; readonly isIncluded: boolean }>> = {
  "<": { isFrom: false, isIncluded: false },
  "<=": { isFrom: false, isIncluded: true },
  ">": { isFrom: true, isIncluded: false },
  ">=": { isFrom: true, isIncluded: true },
};
const TEXTUAL = new Set(["=", "scr", "adj", "all", "any", "<>"]);
const WHOLE = new Set(["==", "exact"]);
const NUMBER = /^[+-]?\d+(?:\.\d+)?$/;
const DATE = /^(\d{4})-\d\d(?:-\d\d)?$/;
const YEARS = new Set(["publish_year", "first_publish_year"]);
const TEXT_ORDERS = new Set(["lcc", "ddc", "lcc_sort", "ddc_sort", "ebook_access"]);

/** Converts a condition to a tree of the query language. Throws a `Diagnostic`. */
export function treeOfClause(clause: CqlClause): Tree {
  const { relation, modifiers } = clause;
  if (qualifiedNameOf(clause.index) === ALL_RECORDS) return ALL_TREE;
  const index = indexOf(clause.index);
  if (relation.set !== CQL_SET) throw new Diagnostic(19, relation.written);
  checkModifiers(modifiers);
  const isMasked = !modifiers.some(({ name }) => name.name === "unmasked");
  const isString = modifiers.some(({ name }) => name.name === "string");
  const context: ClauseContext = { index, clause, relation: relation.name, isMasked };
  if (WHOLE.has(relation.name) || (isString && TEXTUAL.has(relation.name))) return treeOfWholeValue(context);
  if (relation.name === "<>") {
    return { kind: "signed", sign: "NOT", of: treeOfValue({ ...context, relation: "=" }) };
  }
  if (TEXTUAL.has(relation.name)) return treeOfValue(context);
  if (relation.name in ORDERS || relation.name === "within") return treeOfRange(context);
  if (relation.name === "encloses") throw unsupported(context);
  throw new Diagnostic(19, relation.written);
}

interface ClauseContext {
  index: CqlIndex;
  clause: CqlClause;
  relation: string;
  isMasked: boolean;
}

function unsupported({ clause: { index, relation } }: ClauseContext): Diagnostic {
  return new Diagnostic(22, `${index.written} ${relation.written}`);
}

function checkModifiers(modifiers: readonly CqlModifier[]): void {
  for (const { name, comparison } of modifiers) {
    const isKnown = name.set === CQL_SET && MODIFIERS.has(name.name) && comparison === undefined;
    if (!isKnown) throw new Diagnostic(20, name.written);
  }
  const names = modifiers.map(({ name }) => name.name);
  const isBoth = (first: string, second: string): boolean => names.includes(first) && names.includes(second);
  if (isBoth("masked", "unmasked") || isBoth("word", "string")) throw new Diagnostic(21, names.join(" "));
}

/** Returns a tree for a value in any of the fields. Without fields it is unfielded text. */
function anyFieldTree(fields: readonly string[], valueOf: (field: string) => Tree): Tree {
  const trees = fields.map((field) => fieldTree(field, valueOf(field)));
  const [first, ...more] = trees;
  return first !== undefined && more.length === 0 ? first : { kind: "or", of: trees };
}

function treeOfValue({ index: { fields }, clause, relation, isMasked }: ClauseContext): Tree {
  const term = fields.includes("author_name") ? parseAuthorHeading(clause.term).name : clause.term;
  const words = (): Tree[] => wordsOfTerm(term, { isMasked });
  const inEach = (value: Tree): Tree => (fields.length === 0 ? value : anyFieldTree(fields, () => value));
  // Words may match in different fields, as in a search box.
  const isWords = relation === "all" || (fields.length === 0 && relation !== "any" && relation !== "adj");
  if (isWords) {
    return { kind: "and", of: words().map((word) => ({ joiner: "AND", tree: inEach(word) })) };
  }
  if (relation === "any") return { kind: "or", of: words().map(inEach) };
  if (fields.length === 0) return valueOfTerm(term, { isMasked });
  return anyFieldTree(fields, (field) => {
    const plain = plainTermOf(term, { isMasked });
    return plain !== undefined && isNumeric(field)
      ? { kind: "phrase", text: numberOf(plain, field) }
      : valueOfTerm(term, { isMasked });
  });
}

function treeOfWholeValue(context: ClauseContext): Tree {
  const { index, clause, isMasked } = context;
  const fields = index.whole ?? index.fields;
  if (fields.length === 0 || fields.some((field) => FIELDS.get(field)?.words !== undefined))
    throw unsupported(context);
  return anyFieldTree(fields, (field) => {
    const plain = plainTermOf(clause.term, { isMasked });
    if (plain === undefined) return valueOfTerm(clause.term, { isMasked });
    return { kind: "phrase", text: isNumeric(field) ? numberOf(plain, field) : plain };
  });
}

function treeOfRange(context: ClauseContext): Tree {
  const { index, clause, relation, isMasked } = context;
  if (index.fields.length === 0 || !index.fields.every(isOrdered)) throw unsupported(context);
  const term = plainTermOf(clause.term, { isMasked });
  if (term === undefined) throw new Diagnostic(36, clause.term);
  return anyFieldTree(index.fields, (field) => {
    const read = (text: string): string => (isNumeric(field) ? numberOf(text, field) : text);
    const order = ORDERS[relation];
    if (order === undefined) {
      const [from, to, ...more] = term.split(" ");
      if (from === undefined || to === undefined || more.length > 0) throw new Diagnostic(36, clause.term);
      return { kind: "range", from: read(from), to: read(to), includesFrom: true, includesTo: true };
    }
    const { isFrom, isIncluded } = order;
    const bound = read(term);
    return {
      kind: "range",
      from: isFrom ? bound : null,
      to: isFrom ? null : bound,
      includesFrom: isIncluded,
      includesTo: isIncluded,
    };
  });
}

function isNumeric(field: string): boolean {
  const compared = FIELDS.get(field)?.compared;
  return YEARS.has(field) || (compared !== undefined && !TEXT_ORDERS.has(field));
}

function isOrdered(field: string): boolean {
  return isWorkField(field) && (isNumeric(field) || TEXT_ORDERS.has(field));
}

/** Returns a number in the form of the field, or the year of a date. Throws diagnostic 36. */
function numberOf(text: string, field: string): string {
  const number = YEARS.has(field) ? (DATE.exec(text)?.[1] ?? text) : text;
  if (!NUMBER.test(number)) throw new Diagnostic(36, text);
  return number;
}
