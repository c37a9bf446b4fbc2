// Everything a machine can check: format, lint, types, the interface description (lib/openapi-lint.ts), and the layout of
// the tree (lib/layout.ts).
import { spawnSync } from "node:child_process";
import path from "node:path";
import { readOptions } from "./lib/command.ts";
import { importSource } from "./lib/import-source.ts";
import { CHECKS, exportsForTests, treeOf } from "./lib/layout-checks.ts";
import { openApiProblems } from "./lib/openapi-lint.ts";
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
];
/** Maximum number of problems per kind in the summary. */
const SHOWN = 10;

const { values } = readOptions(HELP, {
  options: { layout: { type: "boolean" }, under: { type: "string" } },
});
const passed = (values.layout ? [] : PROGRAMS).map(runs);
if (!values.layout) passed.push(await holdsDescription());
passed.push(await holdsLayout());
process.exit(passed.every(Boolean) ? 0 : 1);

function runs([program, args]: [string, string[]]) {
  const file = path.join(ROOT, "node_modules/.bin", program);
  const { status } = spawnSync(file, args, { cwd: ROOT, stdio: "inherit" });
  console.log(`${status === 0 ? "passed" : "FAILED"}: ${program} ${args.join(" ")}`);
  return status === 0;
}

/** Lints `/openapi.json` as generated from the route table. */
async function holdsDescription() {
  const { ROUTES: routes } = await importSource("src/worker/routes.ts");
  const { load } = routes.find((route: { path: string }) => route.path === "/openapi.json");
  const settings = { RECORD_PREFIX: "OL", BASE_URL: "https://books.example" };
  const operation = await load();
  const { body } = await operation.handle({}, { routes, settings });
  const problems = openApiProblems(JSON.parse(body));
  console.log(`${problems.length === 0 ? "passed" : "FAILED"}: interface description`);
  for (const problem of problems) console.log(`  ${problem}`);
  return problems.length === 0;
}

/** Runs the layout checks. Returns false if an enforced one fails. */
async function holdsLayout() {
  const folders = ["src", "scripts", "test", "bench"];
  const files = await Promise.all(folders.map((folder) => sourceFiles(folder, /\.(?:ts|mjs)$/)));
  const tree = treeOf(files.flat());
  const under = values.under?.replace(/\/$/, "");
  let holds = true;
  for (const [name, find] of Object.entries({ ...CHECKS, "exports for tests alone": exportsForTests })) {
    const problems = find(tree)
      .filter((problem) => under === undefined || isUnder(problem, under))
      .sort();
    // Exports that only tests import are counted, not enforced: most are limits.
    const isEnforced = name in CHECKS;
    if (isEnforced && problems.length > 0) holds = false;
    const verdict = problems.length === 0 ? "passed" : isEnforced ? "FAILED" : "counted";
    console.log(`${verdict}: ${name}${problems.length === 0 ? "" : `, ${problems.length} problems`}`);
    const shown =
      under === undefined && values.layout ? SHOWN : under !== undefined || isEnforced ? Infinity : 0;
    for (const problem of problems.slice(0, shown)) console.log(`  ${problem}`);
  }
  return holds;
}

function isUnder(problem: string, under: string) {
  return problem.split(/[\s:]+/).some((word) => word === under || word.startsWith(`${under}/`));
}
