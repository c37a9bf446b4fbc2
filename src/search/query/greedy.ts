import type { Joined, Tree } from "./syntax.ts";

/**
 * Lets a field whose value is one bare word take the bare words after it, with the operators between them, as
 * one group (search.md 3.2): `title:foo OR bar baz` is `title:(foo OR bar baz)` (A12, Q51).
 */
export function withGreedyFields(operands: readonly Joined[]): Joined[] {
  const bound: Joined[] = [];
  let taken = 0;
  for (const [index, { joiner, tree }] of operands.entries()) {
    if (index < taken) continue;
    const words = tree.kind === "field" && tree.of.kind === "word" ? wordsFrom(operands, index + 1) : [];
    bound.push({ joiner, tree: words.length === 0 ? tree : taking(tree, words) });
    taken = index + 1 + words.length;
  }
  return bound;
}

/** A sequence by precedence: AND, or nothing between two operands, binds closer than OR (Q47). */
export function sequenceTree(operands: readonly Joined[]): Tree {
  const alternatives: Joined[][] = [];
  for (const { joiner, tree } of operands) {
    const current = alternatives.at(-1);
    if (current === undefined || joiner === "OR") alternatives.push([{ joiner: "", tree }]);
    else current.push({ joiner, tree });
  }
  const trees = alternatives.map(allTree);
  const [first, ...more] = trees;
  return first !== undefined && more.length === 0 ? first : { kind: "or", of: trees };
}

function wordsFrom(operands: readonly Joined[], start: number): readonly Joined[] {
  let end = start;
  while (operands[end]?.tree.kind === "word") end += 1;
  return operands.slice(start, end);
}

function taking(tree: Tree, words: readonly Joined[]): Tree {
  if (tree.kind !== "field") return tree;
  const value: Joined = { joiner: "", tree: tree.of };
  return { ...tree, of: { kind: "group", of: sequenceTree([value, ...words]) } };
}

function allTree(operands: readonly Joined[]): Tree {
  const [first, ...more] = operands;
  return first !== undefined && more.length === 0 ? first.tree : { kind: "and", of: operands };
}
