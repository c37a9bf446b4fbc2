import type { Sort } from "../engine.ts";
import { FIELDS } from "../fields.ts";
import { normalizeTree } from "../query/normalize.ts";
import { type ParseOptions, type Query, ALL, QUERY_LEAVES_MAX, isTooComplex } from "../query/query.ts";
import { type Tree, fieldTree, literalTree } from "../query/syntax.ts";
import { toQuery, workNaming } from "../query/parse-query.ts";
import { plainTermOf, treeOfClause } from "./clause.ts";
import { CQL_SET, indexOf } from "./cql-indexes.ts";
import {
  type CqlBoolean,
  type CqlModifier,
  type CqlNode,
  type CqlSortKey,
  parseIndexName,
  parseCql,
} from "./cql-parser.ts";
import { Diagnostic } from "./diagnostic.ts";

const SAME = new Set(["=", "scr", "adj"]);

interface Phrases {
  fields: readonly string[];
  texts: readonly string[];
}

/** Converts `prox` of distance 1 to phrases. Throws diagnostics 33 and 39 to 42 for other proximity. */
function treeOfProximity(node: CqlBoolean): Tree {
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
  const text = plainTermOf(term, { isMasked: true });
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

function checkDistance({ sign, value }: { sign: string; value: string }): void {
  if (![..."<", "<=", "=", "=="].includes(sign)) throw new Diagnostic(40, sign);
  const isOne = sign === "<" ? value === "2" : value === "1";
  if (!isOne) throw new Diagnostic(41, `${sign}${value}`);
}

interface CqlSearch {
  query: Query;
  sort: readonly Sort[];
}

/** Parses a CQL query into a search for engines. Throws a `Diagnostic`. */
export function parseCqlSearch(text: string, options: ParseOptions): CqlSearch {
  const { root, sort } = parseCql(text);
  return { query: queryOf(treeOfNode(root), options), sort: deduplicateSorts(sort.map(sortOf)) };
}

/** Converts plain words, all of which must match, to a search. Throws a `Diagnostic`. */
export function parseWordsSearch(text: string, options: ParseOptions): CqlSearch {
  const tree = literalTree(text.trim());
  if (tree === undefined) throw new Diagnostic(27);
  return { query: queryOf(tree, options), sort: [] };
}

function queryOf(tree: Tree, { prefix }: ParseOptions): Query {
  const query = toQuery(normalizeTree(tree, prefix), workNaming) ?? ALL;
  if (isTooComplex([query])) throw new Diagnostic(38);
  return query;
}

function treeOfNode(node: CqlNode): Tree {
  if (node.kind === "clause") return treeOfClause(node);
  if (node.operator === "prox") return treeOfProximity(node);
  const [modifier] = node.modifiers;
  if (modifier !== undefined) throw new Diagnostic(46, modifier.name.written);
  const [left, right] = [treeOfNode(node.left), treeOfNode(node.right)];
  if (node.operator === "or") return { kind: "or", of: [left, right] };
  const second: Tree = node.operator === "not" ? { kind: "signed", sign: "NOT", of: right } : right;
  return {
    kind: "and",
    of: [
      { joiner: "AND", tree: left },
      { joiner: "AND", tree: second },
    ],
  };
}

const SORTS_MAX = 10;

/** Returns the first key of each field: later ones have no effect. Throws 82 beyond `SORTS_MAX`. */
function deduplicateSorts(sorts: readonly Sort[]): Sort[] {
  const byField = new Map<string, Sort>();
  for (const sort of sorts) if (!byField.has(sort.field)) byField.set(sort.field, sort);
  if (byField.size > SORTS_MAX) throw new Diagnostic(82, `more than ${SORTS_MAX} indexes`);
  return [...byField.values()];
}

/** Converts a sort key. Its modifiers belong to the set `sort` or have no set. Texts are compared ignoring case. */
function sortOf({ index, modifiers }: CqlSortKey): Sort {
  const { sort, names } = indexOf(index);
  if (sort === undefined) throw new Diagnostic(82, index.written);
  const name = names[0] ?? "";
  return {
    field: sort,
    descending: modifiers.reduce((descending, modifier) => isDescending(modifier, descending, name), false),
  };
}

function isDescending({ name, comparison }: CqlModifier, before: boolean, key: string): boolean {
  const { name: modifier, written } = name;
  if (comparison !== undefined) throw new Diagnostic(modifier.startsWith("missing") ? 92 : 82, written);
  if (modifier === "ascending" || modifier === "descending") return modifier === "descending";
  if (modifier === "respectcase") throw new Diagnostic(91, key);
  if (modifier.startsWith("missing")) throw new Diagnostic(92, written);
  if (modifier !== "ignorecase") throw new Diagnostic(82, written);
  return before;
}

/**
 * Parses `sortKeys` of SRU 1.1 and 2.0: `path,schema,ascending,caseSensitive,missingValue`, separated by blanks, with
 * index names as paths. Throws a `Diagnostic`.
 */
export function parseSortKeys(text: string): Sort[] {
  const keys = text.split(/\s+/).filter((key) => key !== "");
  const sorts = keys.map((key): Sort => {
    const [path = "", , ascending = "", caseSensitive = "", missing = ""] = key.split(",");
    const { sort } = indexOf(parseIndexName(path));
    if (sort === undefined) throw new Diagnostic(82, path);
    if (caseSensitive === "1") throw new Diagnostic(91, path);
    if (missing !== "") throw new Diagnostic(92, missing);
    return { field: sort, descending: ascending === "0" };
  });
  return deduplicateSorts(sorts);
}

/** Returns the names of the service's own indexes: the fields that queries may name. */
export function listFieldIndexes(): string[] {
  return [...FIELDS].filter(([, { namedBy }]) => namedBy === "all").map(([name]) => name);
}
