// Everything a machine can check: format, lint, types, import direction, size caps.
import { spawnSync } from "node:child_process";
import path from "node:path";
import { ROOT } from "./lib/paths.mjs";
import { importProblems } from "./lib/imports.mjs";
import { sizeProblems } from "./lib/sizes.mjs";

const bin = path.join(ROOT, "node_modules/.bin");

/** @type {[string, string[]][]} */
const PROGRAMS = [
  ["oxfmt", ["--check"]],
  ["oxlint", ["--deny-warnings"]],
  ["tsc", ["-p", "tsconfig.json"]],
  ["tsc", ["-p", "tsconfig.scripts.json"]],
];

let failed = false;
for (const [program, args] of PROGRAMS) {
  const { status } = spawnSync(path.join(bin, program), args, { cwd: ROOT, stdio: "inherit" });
  if (status !== 0) failed = true;
  console.log(`${status === 0 ? "passed" : "FAILED"}: ${program} ${args.join(" ")}`);
}
const problems = [...(await importProblems()), ...(await sizeProblems())];
for (const problem of problems) console.error(problem);
console.log(`${problems.length === 0 ? "passed" : "FAILED"}: import direction, size caps`);
process.exit(failed || problems.length > 0 ? 1 : 0);
