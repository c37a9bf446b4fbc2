// Everything a machine can check: format, lint, types, unused code (knip, in package.json), and the layout of the tree
// (lib/layout.ts).
import { spawn } from "node:child_process";
import { once } from "node:events";
import path from "node:path";
import { readOptions } from "./lib/command.ts";
import { CHECKS, treeOf } from "./lib/layout-checks.ts";
import { ROOT } from "./lib/paths.ts";
import { sourceFiles } from "./lib/sources.ts";

const HELP = `usage: npm run check -- [options]

  --layout       only what concerns the layout of the tree: counts, and the first of each kind
  --under PATH   only files and folders below this one, and all of each kind
  --help         this text`;

const PROGRAMS: [string, string[]][] = [
  ["oxfmt", ["--check"]],
  ["oxlint", ["--deny-warnings"]],
  ["tsc", ["-p", "tsconfig.json"]],
  ["knip", []],
];
/** Maximum number of problems per kind in the summary. */
const SHOWN = 10;

const { values } = readOptions(HELP, {
  options: { layout: { type: "boolean" }, under: { type: "string" } },
});
// Side by side: some use one core only.
const programs = (values.layout ? [] : PROGRAMS).map(runs);
const passed = [await holdsLayout(), ...(await Promise.all(programs))];
process.exit(passed.every(Boolean) ? 0 : 1);

/** Runs a program, and prints its output when it ends. */
async function runs([program, args]: [string, string[]]) {
  const file = path.join(ROOT, "node_modules/.bin", program);
  const child = spawn(file, args, { cwd: ROOT, stdio: ["ignore", "pipe", "pipe"] });
  let output = "";
  for (const stream of [child.stdout, child.stderr]) stream.on("data", (part) => (output += String(part)));
  const [status] = (await once(child, "close")) as [number | null];
  console.log(`${output}${status === 0 ? "passed" : "FAILED"}: ${program} ${args.join(" ")}`);
  return status === 0;
}

/** Runs the layout checks. Returns false if one fails. */
async function holdsLayout() {
  const folders = ["src", "scripts", "test", "bench"];
  const files = await Promise.all(folders.map((folder) => sourceFiles(folder, /\.(?:ts|mjs)$/)));
  const tree = treeOf(files.flat());
  const under = values.under?.replace(/\/$/, "");
  let holds = true;
  for (const [name, find] of Object.entries(CHECKS)) {
    const problems = find(tree)
      .filter((problem) => under === undefined || isUnder(problem, under))
      .sort();
    if (problems.length > 0) holds = false;
    console.log(problems.length === 0 ? `passed: ${name}` : `FAILED: ${name}, ${problems.length} problems`);
    const shown = values.layout && under === undefined ? SHOWN : Infinity;
    for (const problem of problems.slice(0, shown)) console.log(`  ${problem}`);
  }
  return holds;
}

function isUnder(problem: string, under: string) {
  return problem.split(/[\s:]+/).some((word) => word === under || word.startsWith(`${under}/`));
}
