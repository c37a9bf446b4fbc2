import { readFile, readdir } from "node:fs/promises";
import path from "node:path";
import { ROOT } from "./paths.ts";

export interface Source {
  name: string;
  text: string;
}

/** `names` is `["*"]` for all that the file exports. */
export interface Import {
  from: string;
  to: string;
  names: string[];
}

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

/** Files below a folder of the checkout whose names end so, with their text. Paths are relative to the root. */
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

/** What a file imports of the project's files. */
export function importsOf({ name, text }: Source): Import[] {
  const one = (target: string, names: string[]) => ({
    from: name,
    to: path.join(path.dirname(name), target),
    names,
  });
  return [
    ...[...text.matchAll(STATEMENT)].map(([, clause = "", target = ""]) => one(target, taken(clause))),
    ...[...text.matchAll(DOC_TAG)].map(([, clause = "", target = ""]) => one(target, taken(clause))),
    ...[...text.matchAll(EFFECT)].map(([, target = ""]) => one(target, [])),
    ...[...text.matchAll(EXPRESSION)].map(([, target = "", member = "*"]) => one(target, [member])),
  ];
}

/** Names under which a file exports. */
export function exportsOf(text: string) {
  return [
    ...[...text.matchAll(DECLARATION)].map(([, name = ""]) => name),
    ...[...text.matchAll(LIST)].flatMap(([, list = ""]) =>
      members(list).map((member) => member.at(-1) ?? ""),
    ),
    ...(/^export default\b/m.test(text) ? ["default"] : []),
  ];
}

/** Cycles of a graph that share no edge: one cut in each of them is needed, at least. */
export function cyclesOf(edges: readonly { from: string; to: string }[]) {
  const graph: Map<string, Set<string>> = new Map();
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

/** The shortest way from a node back to itself. */
function wayBack(graph: ReadonlyMap<string, ReadonlySet<string>>, start: string) {
  const reachedFrom: Map<string, string> = new Map();
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

  function wayTo(end: string) {
    const way = [end];
    for (let at = reachedFrom.get(end); at !== undefined; at = reachedFrom.get(at)) way.unshift(at);
    return way;
  }
}

/** The names that an import's clause takes. */
function taken(clause: string) {
  if (clause.includes("*")) return ["*"];
  const [, first, list = ""] = /^([\w$]+)?,?\s*(?:\{([^]*)\})?$/.exec(clause) ?? [];
  return [...(first === undefined ? [] : ["default"]), ...members(list).map(([name = ""]) => name)];
}

/** Members of a list in braces: the name, and the one that it gets. */
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
