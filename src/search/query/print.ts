import type { Range, Tree } from "./syntax.ts";

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
