import { readFile, readdir } from "node:fs/promises";
import path from "node:path";
import { ROOT } from "./paths.ts";

export interface Source {
  name: string;
  text: string;
}

/** `names` is `["*"]` for all exports. */
export interface Import {
  from: string;
  to: string;
  names: string[];
}

// Formatted code: a statement begins its line, and its clause holds no braces but its own.
const STATEMENT =
  /^(?:import|export)\s+(?:type\s+)?((?:[\w$]+,\s*)?(?:\{[^{}]*\}|\*(?:\s+as\s+[\w$]+)?)|[\w$]+)\s+from\s+"(\.[^"]+)"/gm;
const EFFECT = /^import\s+"(\.[^"]+)"/gm;
/** `import("./a.ts")` as an expression or type, optionally with one member. */
const EXPRESSION = /\bimport\(\s*"(\.[^"]+)"\s*\)\)?(?:\.([\w$]+))?/g;
const DOC_TAG = /@import\s+(\{[^{}]*\})\s+from\s+"(\.[^"]+)"/g;
const DECLARATION =
  /^export\s+(?:declare\s+|abstract\s+|async\s+)*(?:function\*?|const|let|class|interface|type|enum)\s+([\w$]+)/gm;
const LIST = /^export\s+(?:type\s+)?\{([^{}]*)\}/gm;

/** Reads the files below a folder whose names match. Paths are relative to the root. */
export async function sourceFiles(folder: string, ending: RegExp) {
  const entries = await readdir(path.join(ROOT, folder), { recursive: true, withFileTypes: true });
  const files = entries.filter((entry) => entry.isFile() && ending.test(entry.name));
  return Promise.all(
    files.map(async (entry) => {
      const file = path.join(entry.parentPath, entry.name);
      return { name: path.relative(ROOT, file), text: await readFile(file, "utf8") };
    }),
  );
}

/** Lists the relative imports of a file. */
export function importsOf({ name, text }: Source): Import[] {
  const one = (target: string, names: string[]) => ({
    from: name,
    to: path.join(path.dirname(name), target),
    names,
  });
  return [
    ...[...text.matchAll(STATEMENT)].map(([, clause = "", target = ""]) =>
      one(target, importedNames(clause)),
    ),
    ...[...text.matchAll(DOC_TAG)].map(([, clause = "", target = ""]) => one(target, importedNames(clause))),
    ...[...text.matchAll(EFFECT)].map(([, target = ""]) => one(target, [])),
    ...[...text.matchAll(EXPRESSION)].map(([, target = "", member = "*"]) => one(target, [member])),
  ];
}

/** Lists the exported names of a file. */
export function exportsOf(text: string) {
  return [
    ...[...text.matchAll(DECLARATION)].map(([, name = ""]) => name),
    ...[...text.matchAll(LIST)].flatMap(([, list = ""]) =>
      members(list).map((member) => member.at(-1) ?? ""),
    ),
    ...(/^export default\b/m.test(text) ? ["default"] : []),
  ];
}

/** Finds cycles of a graph that share no edge. Each needs at least one cut. */
export function cyclesOf(edges: readonly { from: string; to: string }[]) {
  const graph: Map<string, Set<string>> = new Map();
  for (const { from, to } of edges) if (from !== to) graph.set(from, (graph.get(from) ?? new Set()).add(to));
  const cycles = [];
  for (const node of [...graph.keys()].sort()) {
    for (let way = findShortestCycle(graph, node); way !== undefined; way = findShortestCycle(graph, node)) {
      cycles.push(way);
      for (const [at, step] of way.entries()) graph.get(step)?.delete(way[at + 1] ?? node);
    }
  }
  return cycles;
}

/** Finds the shortest cycle through a node. */
function findShortestCycle(graph: ReadonlyMap<string, ReadonlySet<string>>, start: string) {
  const reachedFrom: Map<string, string> = new Map();
  const queue = [start];
  for (const node of queue) {
    for (const next of graph.get(node) ?? []) {
      if (next === start) return pathTo(node);
      if (reachedFrom.has(next)) continue;
      reachedFrom.set(next, node);
      queue.push(next);
    }
  }
  return undefined;

  function pathTo(end: string) {
    const way = [end];
    for (let at = reachedFrom.get(end); at !== undefined; at = reachedFrom.get(at)) way.unshift(at);
    return way;
  }
}

/** Lists the names in an import clause. */
function importedNames(clause: string) {
  if (clause.includes("*")) return ["*"];
  const [, first, list = ""] = /^([\w$]+)?,?\s*(?:\{([^]*)\})?$/.exec(clause) ?? [];
  return [...(first === undefined ? [] : ["default"]), ...members(list).map(([name = ""]) => name)];
}

/** Parses a list in braces into names and aliases. */
function members(list: string) {
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
