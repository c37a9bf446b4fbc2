import { type Tree, plainText } from "./syntax.ts";

/** Words and phrases that have no field and are not excluded, unescaped, each once, in order. */
export function freeWordsOf(tree: Tree): string[] {
  const words = new Set<string>();
  const visit = (part: Tree, isExcluded: boolean): void => {
    switch (part.kind) {
      case "word":
      case "phrase": {
        const text = part.kind === "word" ? plainText(part) : part.text;
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

/** Index fields that a tree names. */
export function fieldNamesOf(tree: Tree): Set<string> {
  const names = new Set<string>();
  const visit = (part: Tree): void => {
    if (part.kind === "and") for (const { tree: operand } of part.of) visit(operand);
    else if (part.kind === "or") for (const operand of part.of) visit(operand);
    else if (part.kind !== "word" && part.kind !== "phrase" && part.kind !== "range") {
      if (part.kind === "field") names.add(part.field.name);
      visit(part.of);
    }
  };
  visit(tree);
  return names;
}
