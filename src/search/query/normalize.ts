import { normalizeNumber } from "../../catalog/identifiers/edition-identifiers.ts";
import { parseIsbn, toCanonicalIsbn } from "../../catalog/identifiers/isbn.ts";
import { keyOfAddress, lastSegmentOf } from "../../catalog/keys.ts";
import { marcCodeOf } from "../../catalog/language.ts";
import { parseAuthorHeading } from "../../catalog/matching/author-heading.ts";
import {
  normalizeDdc,
  normalizeDdcPrefix,
  toSortableLcc,
  toSortableLccPrefix,
} from "../text/classifications.ts";
import {
  type FieldSyntax,
  type RangeSyntax,
  type Tree,
  type Word,
  anyTree,
  bareTextsOf,
  fieldTree,
  literalTree,
  plainTextOf,
  wordOfParts,
} from "./syntax.ts";

/** Rules that convert values of a field to the form of the index. Undefined leaves the value as typed. */
interface ValueRules {
  value(text: string): string | undefined;
  /** Returns the form of the text before the first wildcard. */
  start?(text: string): string | undefined;
  end?(text: string): string | undefined;
  /** Returns the value of several bare words, joined by blanks, that may be one value. */
  words?(text: string): Tree | undefined;
  /** Returns all phrases that may stand for a phrase; the default is its value. */
  phrases?(text: string): readonly string[];
}

const ISBN: ValueRules = {
  value: toCanonicalIsbn,
  words: (text) => {
    const isbn = parseIsbn(text);
    return isbn === undefined ? undefined : wordOfParts([isbn]);
  },
};

const LCC: ValueRules = {
  value: toSortableLcc,
  start: toSortableLccPrefix,
  end: toSortableLcc,
  words: lccOfWords,
};

const DDC: ValueRules = { value: firstDdc, start: normalizeDdcPrefix, end: (text) => firstDdc(text) ?? text };

const LANGUAGE: ValueRules = {
  value: marcCodeOf,
  words: (text) => {
    const code = marcCodeOf(text);
    return code === undefined ? undefined : wordOfParts([code]);
  },
};

/** Rules for headings of authority files, which have the last name first, and dates (Q653). */
const AUTHOR: ValueRules = {
  value: () => undefined,
  words: (text) => literalTree(parseAuthorHeading(text).name),
  phrases: (text) => {
    const { name, naturalName } = parseAuthorHeading(text);
    return [...new Set([name, naturalName])];
  },
};

const RULES = new Map([
  ["isbn", ISBN],
  ["language", LANGUAGE],
  ["author_name", AUTHOR],
  ["author_alternative_name", AUTHOR],
  ["lcc", LCC],
  ["lcc_sort", LCC],
  ["ddc", DDC],
  ["ddc_sort", DDC],
]);

const OLID_FIELDS = new Map([
  ["edition_key", { path: "/books/", letter: "M" }],
  ["author_key", { path: "/authors/", letter: "A" }],
  ["series_key", { path: "/series/", letter: "L" }],
]);

/** Returns the rules of a field of works; undefined if its values stay unchanged. */
export function rulesOf(field: string, prefix: string): ValueRules | undefined {
  if (field === "key") return { value: (text) => keyOfAddress(text, prefix) };
  const olid = OLID_FIELDS.get(field);
  if (field.startsWith("id_")) return { value: (text) => normalizeNumber(field.slice("id_".length), text) };
  if (olid === undefined) return RULES.get(field);
  // Keys of records are accepted for OLIDs, even with the readable end of their URL.
  const { path, letter } = olid;
  return {
    value: (text) => {
      if (!text.startsWith(path)) return undefined;
      const [id = "", ...slug] = text.slice(path.length).split("/");
      const isOlid = id.startsWith(prefix) && id.endsWith(letter);
      return isOlid || slug.length === 0 ? id : undefined;
    },
    start: (text) => (text.startsWith(path) ? text.slice(path.length) : undefined),
  };
}

function firstDdc(text: string): string | undefined {
  return normalizeDdc(text)[0];
}

/** Returns the value of a call number: with a blank it is one value; without one it may be the beginning of others. */
function lccOfWords(text: string): Tree | undefined {
  const lcc = toSortableLcc(text);
  if (lcc === undefined) return undefined;
  return lcc.includes(" ") ? { kind: "phrase", text: lcc } : wordOfParts([lcc, ""]);
}

/** Returns the tree with the values of identifiers and classifications in the form of the index. */
export function normalizeTree(tree: Tree, prefix: string): Tree {
  return normalizePart(tree, { prefix, rules: undefined });
}

function normalizePart(tree: Tree, context: { prefix: string; rules: ValueRules | undefined }): Tree {
  const { rules } = context;
  switch (tree.kind) {
    case "word":
      return rules === undefined ? tree : normalizeWord(tree, rules);
    case "phrase": {
      const texts = rules?.phrases?.(tree.text) ?? [rules?.value(tree.text) ?? tree.text];
      return anyTree(texts.map((text) => ({ kind: "phrase", text })));
    }
    case "range":
      return rules === undefined ? tree : normalizeRange(tree, rules);
    case "field":
      return normalizeField(tree, context.prefix);
    case "and":
      return {
        ...tree,
        of: tree.of.map(({ joiner, tree: part }) => ({ joiner, tree: normalizePart(part, context) })),
      };
    case "or":
      return { ...tree, of: tree.of.map((part) => normalizePart(part, context)) };
    default:
      return { ...tree, of: normalizePart(tree.of, context) };
  }
}

const HOST = /^\s*(?:https?:\/\/)?[^/\s]*(?=\/)/i;
const NUMBER_ADDRESS = /^\/(isbn|oclc|lccn|ia)\/([\w-]+)(?:[./?#]\S*)?$/i;
const KEY_FIELDS = new Map([
  ["works", "key"],
  ["books", "edition_key"],
  ["authors", "author_key"],
]);

/** Returns the condition for the record that a text names by its number, key or address, with or without a host; undefined for other texts. */
export function keyConditionOf(text: string, prefix: string): { field: string; value: string } | undefined {
  const path = text.trim().replace(HOST, "");
  const [, type, number = ""] = NUMBER_ADDRESS.exec(path) ?? [];
  if (type !== undefined) return { field: type.toLowerCase(), value: number };
  const key = keyOfAddress(path, prefix);
  const field = KEY_FIELDS.get(key?.split("/")[1] ?? "");
  if (key === undefined || field === undefined) return undefined;
  return { field, value: field === "key" ? key : lastSegmentOf(key) };
}

/** Returns a value of `key:` as a condition on the field of its key: `/books/OL1M` as `edition_key:OL1M` (Q795). */
function conditionOfKey(tree: Tree, prefix: string): Tree {
  if (tree.kind === "group") return { ...tree, of: conditionOfKey(tree.of, prefix) };
  if (tree.kind === "or") return { ...tree, of: tree.of.map((part) => conditionOfKey(part, prefix)) };
  const text = tree.kind === "word" ? plainTextOf(tree) : tree.kind === "phrase" ? tree.text : undefined;
  const condition = text === undefined ? undefined : keyConditionOf(text, prefix);
  if (condition === undefined || condition.field === "key") return tree;
  return fieldTree(condition.field, wordOfParts([condition.value]));
}

function normalizeField(tree: FieldSyntax, prefix: string): Tree {
  if (tree.field.name === "key") {
    const of = conditionOfKey(tree.of, prefix);
    if (of.kind === "field") return normalizeField(of, prefix);
    if (of !== tree.of) return { ...tree, of: normalizePart(of, { prefix, rules: rulesOf("key", prefix) }) };
  }
  const rules = rulesOf(tree.field.name, prefix);
  const texts = tree.of.kind === "group" ? bareTextsOf(tree.of.of) : undefined;
  const joined = texts === undefined || texts.length < 2 ? undefined : rules?.words?.(texts.join(" "));
  const { also, ...field } = tree.field;
  const of = joined ?? normalizePart(tree.of, { prefix, rules });
  return anyTree(
    [field.name, also ?? []].flat().map((name) => ({ kind: "field", field: { ...field, name }, of })),
  );
}

function normalizeWord(word: Word, rules: ValueRules): Word {
  const text = plainTextOf(word);
  if (text !== undefined) {
    const value = rules.value(text);
    return value === undefined || value === text ? word : wordOfParts([value]);
  }
  const [first = "", ...others] = word.parts;
  const start = first === "" ? undefined : rules.start?.(first);
  return start === undefined || start === first ? word : wordOfParts([start, ...others]);
}

/** Returns a range with both ends normalised, or neither: a half-normalised range would compare two spellings (Q53). */
function normalizeRange(range: RangeSyntax, rules: ValueRules): RangeSyntax {
  const [from, to] = [range.from, range.to].map((end) => (end === null ? null : rules.end?.(end)));
  return from === undefined || to === undefined ? range : { ...range, from, to };
}
