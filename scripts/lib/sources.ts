import { readFile, readdir } from "node:fs/promises";
import path from "node:path";
import { ROOT } from "./paths.ts";

export interface Source {
  name: string;
  text: string;
}

export interface Import {
  from: string;
  to: string;
}

/** Relative imports and re-exports: statements, expressions, types and JSDoc tags. */
const IMPORT = /\b(?:from|import)\s*\(?\s*"(\.[^"]+)"/g;

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
  return [...text.matchAll(IMPORT)].map(([, target = ""]) => ({
    from: name,
    to: path.join(path.dirname(name), target),
  }));
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
