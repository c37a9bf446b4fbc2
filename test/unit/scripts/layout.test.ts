import { expect, it } from "vitest";
import { CHECKS, treeOf } from "../../../scripts/lib/layout-checks.ts";

const files = (count: number, lines: number) =>
  Object.fromEntries(
    Array.from({ length: count }, (_, at) => [`src/worker/ui/${at}.ts`, "\n".repeat(lines - 1)]),
  );
const upwards = (check: string, name: string, text: string, target: string) =>
  [check, { [name]: text }, [`${name}: must not import ${target}`]] as const;

const CYCLE = {
  "src/db/lists/a.ts": 'import { b } from "../works/b.ts";\nimport { c } from "../works/c.ts";',
  "src/db/works/b.ts": 'import { c } from "./c.ts";',
  "src/db/works/c.ts": 'import type { B } from "./b.ts";\nimport { d } from "./d.ts";',
  "src/db/works/d.ts": 'import { e } from "../lists/e.ts";',
};

it.each<readonly [string, Readonly<Record<string, string>>, readonly string[]]>([
  upwards("floors", "src/catalog/a.ts", 'import { b } from "../search/b.ts";', "src/search/b.ts"),
  upwards("floors", "src/search/a.ts", 'import type { B } from "../import/b.ts";', "src/import/b.ts"),
  upwards("floors", "src/db/lists/a.ts", 'export { b } from "../../durable/b.ts";', "src/durable/b.ts"),
  upwards("floors", "src/durable/a.ts", 'import "../worker/http/b.ts";', "src/worker/http/b.ts"),
  upwards("floors", "src/db/a.ts", 'const b = await import("../worker/b.ts");', "src/worker/b.ts"),
  upwards("floors", "src/worker/app.ts", 'type B = typeof import("../../bench/b.ts");', "bench/b.ts"),
  upwards("features", "src/worker/http/a.ts", 'import {\n  b,\n} from "../ui/b.ts";', "src/worker/ui/b.ts"),
  upwards("features", "src/worker/lists/a.ts", 'import * as b from "../app.ts";', "src/worker/app.ts"),
  [
    "cycles of files",
    CYCLE,
    [
      "src/db/works/b.ts: imports src/db/works/c.ts in a cycle",
      "src/db/works/c.ts: imports src/db/works/b.ts in a cycle",
    ],
  ],
  [
    "cycles of folders",
    CYCLE,
    ["src/db/lists: imports src/db/works in a cycle", "src/db/works: imports src/db/lists in a cycle"],
  ],
  [
    "alone",
    {
      "src/db/a.ts": 'import { b } from "./b.ts";',
      "src/db/b.ts": "\n",
      "test/b.ts": 'import "../src/db/b.ts";',
    },
    ["src/db/b.ts: 2 lines that only src/db/a.ts imports"],
  ],
  [
    "sizes",
    files(1, 401),
    [
      "src/: 50 % of the files may have 140 lines at most, not 401",
      "src/: 90 % of the files may have 225 lines at most, not 401",
    ],
  ],
  ["purity", { "src/catalog/a.ts": "Date.now()" }, ["src/catalog/a.ts: not pure: Date.now"]],
  ["sql", { "src/worker/ui/a.ts": "`SELECT a FROM b`" }, ["src/worker/ui/a.ts: SQL belongs into src/db"]],
  [
    "sql of two engines",
    { "src/db/lists/a.ts": "`SELECT iif(a = 1, b, c) FROM d WHERE c IS NOT d.e`" },
    [
      "src/db/lists/a.ts: iif( is not for both engines: CASE WHEN … THEN … ELSE … END",
      "src/db/lists/a.ts: IS NOT d.e is not for both engines: IS [NOT] DISTINCT FROM",
    ],
  ],
  [
    "citations",
    { "a.ts": `// docs/${"patrons"}.md` },
    [`a.ts: docs/${"patrons"}.md is not in the repository`],
  ],
  ["folders", files(46, 1), ["src/worker/ui/: 46 files, the cap is 45"]],
  ["folders", { "src/worker/odd/a.ts": "" }, ["src/worker/odd/: no feature of the layout"]],
  [
    "folders",
    { "src/worker/patrons/reading/old/a.ts": "" },
    ["src/worker/patrons/reading/old/: a folder in a part of a feature"],
  ],
])("the check of %s reports %j", (check, tree, problems) => {
  const sources = Object.entries(tree).map(([name, text]) => ({ name, text }));
  expect(CHECKS[check]?.(treeOf(sources))).toEqual(problems);
});
