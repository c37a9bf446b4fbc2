import { type Tree, plainTextOf } from "./syntax.ts";

/** Returns the words and phrases without a field that are not excluded, unescaped, each once, in order. */
export function freeWordsOf(tree: Tree): string[] {
  const words = new Set<string>();
  const visit = (part: Tree, isExcluded: boolean): void => {
    switch (part.kind) {
      case "word":
      case "phrase": {
        const text = part.kind === "word" ? plainTextOf(part) : part.text;
        if (!isExcluded && text !== undefined && text !== "") words.add(text);
        return;
      }
      case "and":
        for (const { tree: operand } of part.of) visit(operand, isExcluded);
        return;
      case "or":
        for (const operand of part.of) visit(operand, isExcluded);
        return;
      case "signed":
        visit(part.of, part.sign === "+" ? isExcluded : !isExcluded);
        return;
      case "group":
      case "boosted":
        visit(part.of, isExcluded);
        return;
      case "field":
      case "range":
    }
  };
  visit(tree, false);
  return [...words];
}

/** Returns true if any part of a tree has a field. */
export function namesField(tree: Tree): boolean {
  switch (tree.kind) {
    case "field":
      return true;
    case "word":
    case "phrase":
    case "range":
      return false;
    case "and":
      return tree.of.some(({ tree: operand }) => namesField(operand));
    case "or":
      return tree.of.some(namesField);
    default:
      return namesField(tree.of);
  }
}
