import { type ValueRules, rulesOf } from "./value-rules.ts";
import {
  type Field,
  type Range,
  type Tree,
  type Word,
  bareTexts,
  phraseOf,
  plainText,
  wordOfParts,
} from "./syntax.ts";

/** The tree with the values of identifiers and classifications in the form that the index has (search.md 3.6, 3.7). */
export function normalizedTree(tree: Tree, prefix: string): Tree {
  return normalized(tree, { prefix, rules: undefined });
}

interface Context {
  readonly prefix: string;
  /** Of the field that the tree is a value of. */
  readonly rules: ValueRules | undefined;
}

function normalized(tree: Tree, context: Context): Tree {
  const { rules } = context;
  switch (tree.kind) {
    case "word":
      return rules === undefined ? tree : normalizedWord(tree, rules);
    case "phrase": {
      const value = rules?.value(tree.text);
      return value === undefined ? tree : phraseOf(value);
    }
    case "range":
      return rules === undefined ? tree : normalizedRange(tree, rules);
    case "field":
      return normalizedField(tree, context.prefix);
    case "and":
      return {
        ...tree,
        of: tree.of.map(({ joiner, tree: part }) => ({ joiner, tree: normalized(part, context) })),
      };
    case "or":
      return { ...tree, of: tree.of.map((part) => normalized(part, context)) };
    default:
      return { ...tree, of: normalized(tree.of, context) };
  }
}

function normalizedField(tree: Field, prefix: string): Tree {
  const rules = rulesOf(tree.field.name, prefix);
  const texts = tree.of.kind === "group" ? bareTexts(tree.of.of) : undefined;
  const joined = texts === undefined || texts.length < 2 ? undefined : rules?.words?.(texts.join(" "));
  return { ...tree, of: joined ?? normalized(tree.of, { prefix, rules }) };
}

function normalizedWord(word: Word, rules: ValueRules): Word {
  const text = plainText(word);
  if (text !== undefined) {
    const value = rules.value(text);
    return value === undefined || value === text ? word : wordOfParts([value]);
  }
  const [first = "", ...others] = word.parts;
  const start = first === "" ? undefined : rules.start?.(first);
  return start === undefined || start === first ? word : wordOfParts([start, ...others]);
}

/** Both ends, or none: half a normalised range would compare two spellings (A11, Q53). */
function normalizedRange(range: Range, rules: ValueRules): Range {
  const ends = [range.from, range.to].map((end) => {
    if (end.text === null) return end;
    const text = rules.end?.(end.text);
    return text === undefined ? undefined : { raw: wordOfParts([text]).raw, text };
  });
  const [from, to] = ends;
  return from === undefined || to === undefined ? range : { ...range, from, to };
}
