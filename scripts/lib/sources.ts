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

/** Lists the imports on cycles, or between two of them: what is left without those that lead to an end or come from one. */
export function cyclesOf(imports: readonly Import[]) {
  let left = imports.filter(({ from, to }) => from !== to);
  for (let count = 0; count !== left.length;) {
    count = left.length;
    const importers = new Set(left.map(({ from }) => from));
    const imported = new Set(left.map(({ to }) => to));
    left = left.filter(({ from, to }) => imported.has(from) && importers.has(to));
  }
  return [...new Set(left.map(({ from, to }) => `${from}: imports ${to} in a cycle`))];
}
