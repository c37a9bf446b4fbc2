import type { FieldRef } from "./fields.ts";
import type { Joined, Tree } from "./syntax.ts";

/** Name of a field in the query for works; undefined for what is asked of editions only (search.md 3.3). */
export function workNaming({ name, scope }: FieldRef): string | undefined {
  return scope === "edition" ? undefined : name;
}

/** The tree without the clauses on editions; undefined when nothing remains. */
export function withoutEditionFields(tree: Tree): Tree | undefined {
  switch (tree.kind) {
    case "word":
    case "phrase":
    case "range":
      return tree;
    case "and":
      return allTree(tree.of);
    case "or": {
      const parts = tree.of.map(withoutEditionFields).filter((part) => part !== undefined);
      return parts.length > 1 ? { kind: "or", of: parts } : parts[0];
    }
    default: {
      if (tree.kind === "field" && tree.field.scope === "edition") return undefined;
      const of = withoutEditionFields(tree.of);
      return of === undefined ? undefined : { ...tree, of };
    }
  }
}

function allTree(operands: readonly Joined[]): Tree | undefined {
  const kept: Joined[] = [];
  for (const { joiner, tree } of operands) {
    const part = withoutEditionFields(tree);
    if (part !== undefined) kept.push({ joiner: kept.length === 0 ? "" : joiner, tree: part });
  }
  return kept.length > 1 ? { kind: "and", of: kept } : kept[0]?.tree;
}
