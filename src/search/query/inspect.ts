import { type Range, type Tree, plainText } from "./syntax.ts";

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

/** A tree as text that reads back as the same tree. */
export function printed(tree: Tree): string {
  switch (tree.kind) {
    case "word":
      return tree.raw;
    case "phrase":
      return `"${tree.raw}"`;
    case "range":
      return printedRange(tree);
    case "group":
      return `(${printed(tree.of)})`;
    case "field":
      return `${tree.field.name}:${printed(tree.of)}`;
    case "signed":
      return `${tree.sign === "NOT" ? "NOT " : tree.sign}${printed(tree.of)}`;
    case "boosted":
      return `${printed(tree.of)}${tree.raw}`;
    case "and":
      return tree.of
        .map(({ joiner, tree: part }) => `${joiner === "" ? "" : "AND "}${printed(part)}`)
        .join(" ");
    case "or":
      return tree.of.map(printed).join(" OR ");
  }
}

function printedRange({ from, to, includesFrom, includesTo }: Range): string {
  return `${includesFrom ? "[" : "{"}${from.raw} TO ${to.raw}${includesTo ? "]" : "}"}`;
}
