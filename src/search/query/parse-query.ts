import { bylineOf } from "./byline.ts";
import { parseAuthorNumber } from "../../catalog/identifiers/author-numbers.ts";
import { normalizeLccn } from "../../catalog/identifiers/edition-identifiers.ts";
import { parseIsbn } from "../../catalog/identifiers/isbn.ts";
import { parseAuthorHeading } from "../../catalog/matching/author-heading.ts";
import {
  type FieldRef,
  type Looseness,
  editionFieldOf,
  plainSchemeOf,
  RAW_SCHEME,
  WORK_SCHEME,
} from "./field-names.ts";
import { normalizeTree } from "./normalize.ts";
import { parseText } from "./parser.ts";
import {
  type Leaf,
  type ParseOptions,
  type Query,
  type Value,
  ALL,
  allOf,
  anyOf,
  equals,
  hasNot,
  isTooComplex,
  mapLeaves,
  NONE,
  not,
} from "./query.ts";
import {
  type FieldSyntax,
  type RangeSyntax,
  type Tree,
  type Word,
  fieldTree,
  freeWordsOf,
  namesField,
  wordOfParts,
} from "./syntax.ts";

interface ParsedWorkQuery {
  /** Query of the text; everything for an empty one. */
  query: Query;
  /** Clauses that one edition must meet all together, without those under OR or NOT. */
  editionClauses: readonly Query[];
  /** Distinct words and phrases without a field that are not excluded, as typed, unescaped. */
  freeWords: readonly string[];
  /** True if the text is too long, too deep or has too many conditions: the queries then match nothing. */
  tooComplex: boolean;
}

/** Beginning of an ISBN with its name, which the grammar reads as a field: `urn:isbn:`, `ISBN-13:`. */
const ISBN_PREFIX = /^\s*(?:urn\s*:\s*)?isbn/i;
/** Pattern of digits that may be an LCCN of this century, or an OCLC number, besides an ISBN or SBN. */
const OTHER_NUMBER = /^(?:20\d\d\p{Pd}?\d{6}|\d{9})$/u;
const OCLC_PREFIX = /^\(OCoLC\)/i;
/** Code of OCLC before a number in its field, which the grammar would read as a group. */
const OCLC_IN_FIELD = /(\boclc\s*:\s*)\(OCoLC\)\s*/gi;
const LONE_NUMBER = /^[A-Z-]*\d[\dA-Z-]*$/i;
const EMPTY: ParsedWorkQuery = { query: ALL, editionClauses: [], freeWords: [], tooComplex: false };
const TOO_COMPLEX: ParsedWorkQuery = { ...EMPTY, query: NONE, tooComplex: true };

/** Parses the `q` of a search for works. Any text is a query; never throws. */
export function parseWorkQuery(text: string, { prefix }: ParseOptions): ParsedWorkQuery {
  const parsed = parseText(text.replace(OCLC_IN_FIELD, "$1"), WORK_SCHEME);
  if (parsed.kind !== "tree") return parsed.kind === "empty" ? EMPTY : TOO_COMPLEX;
  const tree = treeOfIdentifier(text, parsed.tree, prefix) ?? normalizeTree(parsed.tree, prefix);
  const query = toQuery(tree, workNaming) ?? ALL;
  const editionClauses = editionClausesOf(tree);
  // Each is checked on its own: clauses on editions repeat those on works.
  if (isTooComplex([query]) || isTooComplex(editionClauses)) return TOO_COMPLEX;
  const words = freeWordsOf(tree);
  // The word before the author may be missing in results, so that its spelling is not corrected.
  const by = bylineOf(words, (word) => word)?.by;
  return { query, editionClauses, freeWords: words.filter((word) => word !== by), tooComplex: false };
}

/**
 * Returns the tree of a text that is an ISBN as a whole, in any spelling (Q48), or may be another number (Q651); undefined
 * for other texts.
 */
function treeOfIdentifier(text: string, parsed: Tree, prefix: string): Tree | undefined {
  if (namesField(parsed) && !ISBN_PREFIX.test(text)) return undefined;
  const isbn = parseIsbn(text);
  const ofIsbn = isbn === undefined ? [] : [fieldTree("isbn", wordOfParts([isbn]))];
  const digits = text.trim();
  if (isbn !== undefined && !OTHER_NUMBER.test(digits)) return ofIsbn[0];
  const field = fieldOfLibraryNumber(digits);
  if (field === undefined && isbn === undefined) return undefined;
  const ofOther = field === undefined ? [] : [fieldTree(field, { kind: "phrase", text: digits })];
  return { kind: "or", of: [...ofIsbn, ...ofOther, normalizeTree(parsed, prefix)] };
}

function fieldOfLibraryNumber(text: string): "oclc" | "lccn" | undefined {
  if (OCLC_PREFIX.test(text)) return "oclc";
  return normalizeLccn(text) === undefined ? undefined : "lccn";
}

/** Signs and operators of a text that is more than a name or title. */
const SYNTAX = /[:"*^]|\b(?:AND|OR|NOT)\b/;
const SCHEMES = {
  author: plainSchemeOf("author"),
  subject: plainSchemeOf("subject"),
  list: plainSchemeOf("list"),
  // On the search listener, every name is a field and no value is rewritten.
  raw: RAW_SCHEME,
};

/** Parsed text of another search. `isLiteral` is true if the text broke the grammar and was read as plain words. */
interface ParsedPlainQuery extends Pick<ParsedWorkQuery, "query" | "tooComplex"> {
  isLiteral: boolean;
}

/** Parses the `q` of a search for authors, subjects or lists, or of the listener. Never throws. */
export function parsePlainQuery(
  text: string,
  scheme: keyof typeof SCHEMES,
  loose?: Looseness,
): ParsedPlainQuery {
  const plain = scheme === "author" && !SYNTAX.test(text) ? parseAuthorHeading(text).name : text;
  const parsed = parseText(plain, { ...SCHEMES[scheme], ...(loose && { loose }) });
  const isLiteral = parsed.kind === "tree" && parsed.isLiteral;
  const number = scheme === "author" ? authorNumberOf(text) : undefined;
  if (parsed.kind === "empty") return { query: ALL, isLiteral, tooComplex: false };
  const words = parsed.kind === "tree" ? (toQuery(parsed.tree, ({ name }) => name) ?? ALL) : NONE;
  const query = number === undefined ? words : anyOf([words, equals("remote_ids", number)]);
  const tooComplex = parsed.kind === "too-complex" || isTooComplex([query]);
  return { query: tooComplex ? NONE : query, isLiteral, tooComplex };
}

/** Returns the number of an author that a text may be as a whole (Q786), with or without its scheme. */
function authorNumberOf(text: string): string | undefined {
  return parseAuthorNumber(text)?.value ?? LONE_NUMBER.exec(text.trim())?.[0];
}

type FieldNaming = (field: FieldRef) => string | undefined;

interface LeafContext {
  field: string | null;
  boost: number;
}

/** Returns a tree as a query, with fields pushed down to the leaves; undefined if nothing remains of it. */
export function toQuery(tree: Tree, naming: FieldNaming): Query | undefined {
  const convert = (part: Tree, context: LeafContext): Query | undefined => {
    switch (part.kind) {
      case "word":
        return wordQuery(part, context);
      case "phrase":
        return toLeaf(context, { kind: "phrase", text: part.text });
      case "range":
        return rangeQuery(part, context);
      case "group":
        return convert(part.of, context);
      case "boosted":
        return convert(part.of, { ...context, boost: context.boost * part.factor });
      case "signed": {
        const of = convert(part.of, context);
        return of === undefined || part.sign === "+" ? of : negate(of);
      }
      case "field": {
        const field = naming(part.field);
        return field === undefined ? undefined : convert(part.of, { ...context, field });
      }
      case "and":
        return conjoinParts(part.of.map(({ tree: operand }) => convert(operand, context)));
      case "or":
        return disjoinParts(part.of.map((operand) => convert(operand, context)));
    }
  };
  return convert(tree, { field: null, boost: 1 });
}

function toLeaf({ field, boost }: LeafContext, value: Value): Leaf {
  return { op: "match", field, value, boost };
}

function wordQuery({ parts }: Word, context: LeafContext): Query {
  const [text = "", ...others] = parts;
  if (others.length === 0) return toLeaf(context, { kind: "word", text });
  if (parts.some((part) => part !== "")) return toLeaf(context, { kind: "pattern", parts });
  return context.field === null ? ALL : toLeaf(context, { kind: "exists" });
}

/** Returns the query of a range. Without a field, a range has no meaning: its ends are words (Q49). */
function rangeQuery({ from, to, includesFrom, includesTo }: RangeSyntax, context: LeafContext): Query {
  if (context.field === null) {
    const ends = [from, to].filter((text) => text !== null);
    return allOf(ends.map((text) => toLeaf(context, { kind: "word", text })));
  }
  if (from === null && to === null) return toLeaf(context, { kind: "exists" });
  return toLeaf(context, { kind: "range", from, to, includesFrom, includesTo });
}

function negate(query: Query): Query {
  if (query.op === "not") return query.of;
  if (query.op === "all") return NONE;
  return query.op === "none" ? ALL : not(query);
}

function conjoinParts(parts: readonly (Query | undefined)[]): Query | undefined {
  const operands = parts.filter((part) => part !== undefined);
  if (operands.length === 0) return undefined;
  return allOf(operands.flatMap((part) => (part.op === "and" ? part.of : [part])));
}

function disjoinParts(parts: readonly (Query | undefined)[]): Query | undefined {
  const operands = parts.filter((part) => part !== undefined);
  if (operands.length === 0) return undefined;
  return anyOf(operands.flatMap((part) => (part.op === "or" ? part.of : [part])));
}

const EDITION_PATH = "/books/";

/**
 * Returns the conditions of a query on one edition: its clauses on edition fields that hold in any case. Clauses under
 * OR or NOT need not hold, and text without a field is about works (Q50).
 */
export function editionClausesOf(tree: Tree): Query[] {
  switch (tree.kind) {
    case "field":
      return fieldClausesOf(tree);
    case "group":
    case "boosted":
      return editionClausesOf(tree.of);
    case "signed":
      return tree.sign === "+" ? editionClausesOf(tree.of) : [];
    case "and":
      return tree.of.flatMap(({ tree: part }) => editionClausesOf(part));
    default:
      return [];
  }
}

function fieldClausesOf(tree: FieldSyntax): Query[] {
  if (editionFieldOf(tree.field) === undefined) return [];
  const query = toQuery(tree, editionFieldOf);
  const clause = query === undefined ? undefined : dropNegations(query);
  return clause === undefined || clause.op === "all" ? [] : [mapLeaves(clause, toEditionKeys)];
}

/** Returns the parts that must hold and exclude nothing: `foo` of `title:(foo -bar)`. */
function dropNegations(query: Query): Query | undefined {
  if (!hasNot(query)) return query;
  if (query.op !== "and") return undefined;
  const parts = query.of.map(dropNegations).filter((part) => part !== undefined);
  return parts.length === 0 ? undefined : allOf(parts);
}

/** Returns a leaf with whole keys, as editions have them; works have the OLIDs of their editions. */
function toEditionKeys(leaf: Leaf): Leaf {
  return leaf.field === "key" ? { ...leaf, value: keyValueOf(leaf.value) } : leaf;
}

function keyValueOf(value: Value): Value {
  switch (value.kind) {
    case "word":
    case "phrase":
      return { kind: value.kind, text: editionKeyOf(value.text) };
    case "pattern": {
      const [first = "", ...others] = value.parts;
      return first === "" ? value : { kind: "pattern", parts: [editionKeyOf(first), ...others] };
    }
    case "range":
      return {
        ...value,
        from: value.from && editionKeyOf(value.from),
        to: value.to && editionKeyOf(value.to),
      };
    case "exists":
      return value;
  }
}

function editionKeyOf(text: string): string {
  return text.startsWith("/") ? text : EDITION_PATH + text;
}

/** Returns the name of a field in the query for works; undefined for conditions on editions only. */
export function workNaming({ name, scope }: FieldRef): string | undefined {
  return scope === "edition" ? undefined : name;
}
