import { type Tree, fieldTree } from "../query/syntax.ts";
import { QUERY_LEAVES_MAX } from "../query/query.ts";
import { CQL_SET, indexOf } from "./cql-indexes.ts";
import { Diagnostic } from "./diagnostic.ts";
import type { CqlBoolean, CqlNode } from "./cql-parser.ts";
import { plainTerm } from "./clause.ts";

const SAME = new Set(["=", "scr", "adj"]);

interface Phrases {
  readonly fields: readonly string[];
  readonly texts: readonly string[];
}

/** Converts `prox` of distance 1 to phrases. Throws diagnostics 33 and 39 to 42 for other proximity. */
export function treeOfProximity(node: CqlBoolean): Tree {
  const { fields, texts } = phrasesOf(node);
  const value: Tree = { kind: "or", of: texts.map((text) => ({ kind: "phrase", text })) };
  return fields.length === 0 ? value : { kind: "or", of: fields.map((field) => fieldTree(field, value)) };
}

function phrasesOf(node: CqlNode): Phrases {
  if (node.kind === "clause") return clausePhrases(node);
  if (node.operator !== "prox") throw new Diagnostic(39, node.operator);
  const isOrdered = orderOf(node);
  const [left, right] = [phrasesOf(node.left), phrasesOf(node.right)];
  if (left.fields.join() !== right.fields.join()) throw new Diagnostic(39, "different indexes");
  const pairs = left.texts.flatMap((first) => right.texts.map((second) => [first, second] as const));
  const texts = pairs.flatMap(([first, second]) =>
    isOrdered ? [`${first} ${second}`] : [`${first} ${second}`, `${second} ${first}`],
  );
  if (texts.length > QUERY_LEAVES_MAX) throw new Diagnostic(38, "prox");
  return { fields: left.fields, texts };
}

function clausePhrases({ index, relation, modifiers, term }: Extract<CqlNode, { kind: "clause" }>): Phrases {
  const isPlain = relation.set === CQL_SET && SAME.has(relation.name) && modifiers.length === 0;
  if (!isPlain) throw new Diagnostic(39, relation.written);
  const text = plainTerm(term, { isMasked: true });
  if (text === undefined) throw new Diagnostic(33, term);
  return { fields: indexOf(index).fields, texts: [text] };
}

/** Returns true if the left part must come first. Supports `unit`, `distance`, `ordered`, `unordered`. */
function orderOf({ modifiers }: CqlBoolean): boolean {
  let isOrdered = false;
  for (const { name, comparison } of modifiers) {
    const { name: modifier, set, written } = name;
    if (set !== CQL_SET) throw new Diagnostic(46, written);
    if (modifier === "unit" && comparison?.sign === "=") {
      if (comparison.value.toLowerCase() !== "word") throw new Diagnostic(42, comparison.value);
    } else if (modifier === "distance" && comparison !== undefined) checkDistance(comparison);
    else if ((modifier === "ordered" || modifier === "unordered") && comparison === undefined)
      isOrdered = modifier === "ordered";
    else throw new Diagnostic(46, written);
  }
  return isOrdered;
}

/** Accepts a distance of 1 only: adjacent words. */
function checkDistance({ sign, value }: { readonly sign: string; readonly value: string }): void {
  if (![..."<", "<=", "=", "=="].includes(sign)) throw new Diagnostic(40, sign);
  const isOne = sign === "<" ? value === "2" : value === "1";
  if (!isOne) throw new Diagnostic(41, `${sign}${value}`);
}
