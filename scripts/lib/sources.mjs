import { readFile, readdir } from "node:fs/promises";
import path from "node:path";
import { ROOT } from "./paths.mjs";

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
