import type { Sort } from "../engine.ts";
import { FIELDS } from "../fields.ts";
import { normalizeTree } from "../query/normalize.ts";
import { type ParseOptions, type Query, ALL, isTooComplex } from "../query/query.ts";
import { type Tree, literalTree } from "../query/syntax.ts";
import { toQuery, workNaming } from "../query/to-query.ts";
import { treeOfClause } from "./clause.ts";
import { indexOf } from "./cql-indexes.ts";
import { type CqlModifier, type CqlNode, type CqlSortKey, indexName, parseCql } from "./cql-parser.ts";
import { Diagnostic } from "./diagnostic.ts";
import { treeOfProximity } from "./proximity.ts";

interface CqlSearch {
  readonly query: Query;
  readonly sort: readonly Sort[];
}

/** Parses a CQL query into a search for engines. Throws a `Diagnostic`. */
export function cqlSearch(text: string, options: ParseOptions): CqlSearch {
  const { root, sort } = parseCql(text);
  return { query: queryOf(treeOfNode(root), options), sort: deduplicateSorts(sort.map(sortOf)) };
}

/** Converts plain words, all of which must match, to a search. Throws a `Diagnostic`. */
export function wordsSearch(text: string, options: ParseOptions): CqlSearch {
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
export function sortKeysOf(text: string): Sort[] {
  const keys = text.split(/\s+/).filter((key) => key !== "");
  const sorts = keys.map((key): Sort => {
    const [path = "", , ascending = "", caseSensitive = "", missing = ""] = key.split(",");
    const { sort } = indexOf(indexName(path));
    if (sort === undefined) throw new Diagnostic(82, path);
    if (caseSensitive === "1") throw new Diagnostic(91, path);
    if (missing !== "") throw new Diagnostic(92, missing);
    return { field: sort, descending: ascending === "0" };
  });
  return deduplicateSorts(sorts);
}

/** Returns the names of the service's own indexes: the fields that queries may name. */
export function ownIndexNames(): string[] {
  return [...FIELDS].filter(([, { namedBy }]) => namedBy === "all").map(([name]) => name);
}
