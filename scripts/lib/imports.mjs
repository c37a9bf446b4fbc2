import path from "node:path";
import { sourceFiles } from "./sources.mjs";

/** Which folders of src/ a folder may import from, besides itself: the arrows of docs/architecture.md. */
/** @type {Record<string, string[]>} */
const ALLOWED = {
  catalog: [],
  search: ["catalog"],
  import: ["catalog", "search"],
  db: ["catalog", "search", "import"],
  durable: ["catalog", "search", "import", "db"],
  worker: ["catalog", "search", "import", "db", "durable"],
};
/** Folders that know neither bindings nor the web framework nor a clock. */
const PURE = new Set(["catalog", "search", "import"]);
const IMPURE = /\b(?:Date\.now|new Date\(\)|Math\.random|crypto\.|cloudflare:|from "hono|drizzle-orm)/;
const SQL = /\b(?:SELECT\s[\s\S]{1,200}?\bFROM\b|INSERT INTO|UPDATE \w+ SET|DELETE FROM)\b/;
const IMPORT = /(?:from|import)\s+"(\.{1,2}\/[^"]+)"/g;

/** Imports that point the wrong way, impure code in pure folders, SQL outside src/db and the objects. */
export async function importProblems() {
  const files = await sourceFiles("src", /\.ts$/);
  return files.flatMap(({ name, text }) => {
    const folder = folderOf(name);
    const allowed = new Set([folder, ...(ALLOWED[folder] ?? [])]);
    const problems = [...text.matchAll(IMPORT)]
      .map(([, target = ""]) => path.join(path.dirname(name), target))
      .filter((target) => !allowed.has(folderOf(target)))
      .map((target) => `${name}: ${folder} must not import ${target}`);
    if (PURE.has(folder) && IMPURE.test(text)) problems.push(`${name}: not pure: ${IMPURE.exec(text)?.[0]}`);
    if (folder === "worker" && SQL.test(text)) problems.push(`${name}: SQL belongs into src/db`);
    return problems;
  });
}

/** @param {string} name */
function folderOf(name) {
  return name.split(path.sep)[1] ?? "";
}
