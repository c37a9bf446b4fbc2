import { readFile, readdir } from "node:fs/promises";
import path from "node:path";
import { ROOT } from "./paths.mjs";

/**
 * @typedef {{ name: string, text: string }} Source
 * @typedef {{ from: string, to: string, names: string[] }} Import `names` is `["*"]` for all that the file exports
 */

// Formatted code: a statement begins its line, and its clause holds no braces but its own.
const STATEMENT =
  /^(?:import|export)\s+(?:type\s+)?((?:[\w$]+,\s*)?(?:\{[^{}]*\}|\*(?:\s+as\s+[\w$]+)?)|[\w$]+)\s+from\s+"(\.[^"]+)"/gm;
const EFFECT = /^import\s+"(\.[^"]+)"/gm;
/** `import("./a.ts")`, as an expression or in a type, and the one member that is taken of it, if it is one. */
const EXPRESSION = /\bimport\(\s*"(\.[^"]+)"\s*\)\)?(?:\.([\w$]+))?/g;
const DOC_TAG = /@import\s+(\{[^{}]*\})\s+from\s+"(\.[^"]+)"/g;
const DECLARATION =
  /^export\s+(?:declare\s+|abstract\s+|async\s+)*(?:function\*?|const|let|class|interface|type|enum)\s+([\w$]+)/gm;
const LIST = /^export\s+(?:type\s+)?\{([^{}]*)\}/gm;

/**
 * Files below a folder of the checkout whose names end so, with their text. Paths are relative to the root.
 * @param {string} folder
 * @param {RegExp} ending
 */
export async function sourceFiles(folder, ending) {
  const entries = await readdir(path.join(ROOT, folder), { recursive: true, withFileTypes: true });
  const files = entries.filter((entry) => entry.isFile() && ending.test(entry.name));
  return Promise.all(
    files.map(async (entry) => {
      const file = path.join(entry.parentPath, entry.name);
      return { name: path.relative(ROOT, file), text: await readFile(file, "utf8") };
    }),
  );
}

/** What a file imports of the project's files. @param {Source} file @returns {Import[]} */
export function importsOf({ name, text }) {
  /** @param {string} target @param {string[]} names */
  const one = (target, names) => ({ from: name, to: path.join(path.dirname(name), target), names });
  return [
    ...[...text.matchAll(STATEMENT)].map(([, clause = "", target = ""]) => one(target, taken(clause))),
    ...[...text.matchAll(DOC_TAG)].map(([, clause = "", target = ""]) => one(target, taken(clause))),
    ...[...text.matchAll(EFFECT)].map(([, target = ""]) => one(target, [])),
    ...[...text.matchAll(EXPRESSION)].map(([, target = "", member = "*"]) => one(target, [member])),
  ];
}

/** Names under which a file exports. @param {string} text */
export function exportsOf(text) {
  return [
    ...[...text.matchAll(DECLARATION)].map(([, name = ""]) => name),
    ...[...text.matchAll(LIST)].flatMap(([, list = ""]) =>
      members(list).map((member) => member.at(-1) ?? ""),
    ),
    ...(/^export default\b/m.test(text) ? ["default"] : []),
  ];
}

/**
 * Cycles of a graph that share no edge: one cut in each of them is needed, at least.
 * @param {readonly { from: string, to: string }[]} edges
 */
export function cyclesOf(edges) {
  /** @type {Map<string, Set<string>>} */
  const graph = new Map();
  for (const { from, to } of edges) if (from !== to) graph.set(from, (graph.get(from) ?? new Set()).add(to));
  const cycles = [];
  for (const node of [...graph.keys()].sort()) {
    for (let way = wayBack(graph, node); way !== undefined; way = wayBack(graph, node)) {
      cycles.push(way);
      for (const [at, step] of way.entries()) graph.get(step)?.delete(way[at + 1] ?? node);
    }
  }
  return cycles;
}

/**
 * The shortest way from a node back to itself.
 * @param {ReadonlyMap<string, ReadonlySet<string>>} graph
 * @param {string} start
 */
function wayBack(graph, start) {
  /** @type {Map<string, string>} */
  const reachedFrom = new Map();
  const queue = [start];
  for (const node of queue) {
    for (const next of graph.get(node) ?? []) {
      if (next === start) return wayTo(node);
      if (reachedFrom.has(next)) continue;
      reachedFrom.set(next, node);
      queue.push(next);
    }
  }
  return undefined;

  /** @param {string} end */
  function wayTo(end) {
    const way = [end];
    for (let at = reachedFrom.get(end); at !== undefined; at = reachedFrom.get(at)) way.unshift(at);
    return way;
  }
}

/** The names that an import's clause takes. @param {string} clause */
function taken(clause) {
  if (clause.includes("*")) return ["*"];
  const [, first, list = ""] = /^([\w$]+)?,?\s*(?:\{([^]*)\})?$/.exec(clause) ?? [];
  return [...(first === undefined ? [] : ["default"]), ...members(list).map(([name = ""]) => name)];
}

/** Members of a list in braces: the name, and the one that it gets. @param {string} list */
function members(list) {
  return list
    .split(",")
    .map((member) =>
      member
        .trim()
        .replace(/^type\s+/, "")
        .split(/\s+as\s+/),
    )
    .filter(([name]) => name !== "");
}
