import { describe, expect, it } from "vitest";
import { CHECKS, exportsForTests, treeOf } from "../../../scripts/lib/layout-checks.ts";

/** What a check says of files, given by their names and texts. */
function problems(check: string, files: Record<string, string>): string[] {
  const find = CHECKS[check];
  if (find === undefined) throw new Error(`no check ${check}`);
  return find(tree(files));
}

function tree(files: Record<string, string>) {
  return treeOf(Object.entries(files).map(([name, text]) => ({ name, text })));
}

const lines = (count: number) => "\n".repeat(count - 1);

describe("floors and features", () => {
  const upwards = (files: Record<string, string>) => [
    ...problems("floors", files),
    ...problems("features", files),
  ];

  it.each([
    ["src/catalog/a.ts", 'import { b } from "../search/b.ts";'],
    ["src/search/a.ts", 'import type { B } from "../import/b.ts";'],
    ["src/db/lists/a.ts", 'export { b } from "../../durable/b.ts";'],
    ["src/durable/a.ts", 'import "../worker/http/b.ts";'],
    ["src/db/a.ts", 'const b = await import("../worker/http/b.ts");'],
    ["src/db/a.ts", 'type B = typeof import("../worker/http/b.ts");'],
    ["src/worker/http/a.ts", 'import {\n  b,\n  type C,\n} from "../ui/b.ts";'],
    ["src/worker/patrons/reading/a.ts", 'import b, { type C } from "../../lists/b.ts";'],
    ["src/worker/lists/a.ts", 'import * as b from "../app.ts";'],
    ["src/worker/app.ts", 'import { b } from "../../bench/b.ts";'],
  ])("stops %s: %s", (name, text) => {
    expect(upwards({ [name]: text })).toEqual([expect.stringMatching(`^${name}: must not import `)]);
  });
});

describe("cycles", () => {
  it("finds a cycle of files, including type imports", () => {
    const files = {
      "src/catalog/a.ts": 'import { b } from "./b.ts";',
      "src/catalog/b.ts": 'import { c } from "./c.ts";',
      "src/catalog/c.ts": 'import type { A } from "./a.ts";\nimport { d } from "./d.ts";',
    };
    expect(problems("cycles of files", files)).toEqual([
      "src/catalog/a.ts > src/catalog/b.ts > src/catalog/c.ts",
    ]);
  });

  it("finds a cycle of folders and names the imports to cut", () => {
    const files = {
      "src/db/lists/a.ts": 'import { b } from "../works/b.ts";\nimport { c } from "../works/c.ts";',
      "src/db/works/d.ts": 'import { e } from "../lists/e.ts";',
      "src/db/works/b.ts": 'import { c } from "./c.ts";',
    };
    expect(problems("cycles of files", files)).toEqual([]);
    expect(problems("cycles of folders", files)).toEqual([
      "src/db/lists > src/db/works: src/db/works/d.ts imports src/db/lists/e.ts",
    ]);
  });
});

describe("exports", () => {
  const files = {
    "src/db/a.ts":
      "export const USED = 1;\nexport async function* idle() {}\nexport interface Idle {}\nexport type { Also };",
    "src/db/b.ts": 'import { USED as b } from "./a.ts";\nexport function tested() {}',
    "src/worker/index.ts": "export default {};\nexport class Desk {}",
    "test/unit/b.test.ts": 'import { tested } from "../../src/db/b.ts";',
  };

  it("names exports that no file imports", () => {
    expect(problems("exports", files)).toEqual([
      "src/db/a.ts: idle",
      "src/db/a.ts: Idle",
      "src/db/a.ts: Also",
    ]);
  });

  it("lists exports that only tests import", () => {
    expect(exportsForTests(tree(files))).toEqual(["src/db/b.ts: tested"]);
  });
});

describe("alone", () => {
  const importing = 'import { b } from "./b.ts";\n';

  it("finds a short file with one importer besides tests", () => {
    const test = { "test/unit/b.test.ts": 'import { b } from "../../src/db/b.ts";' };
    expect(problems("alone", { "src/db/a.ts": importing, "src/db/b.ts": lines(39), ...test })).toEqual([
      "src/db/b.ts: 39 lines that only src/db/a.ts imports",
    ]);
  });
});

describe("sizes", () => {
  it("caps a file, the median and the 90th percentile", () => {
    const files = Object.fromEntries(
      [60, 70, 141, 221, 401].map((count, at) => [`src/db/${at}.ts`, lines(count)]),
    );
    expect(problems("sizes", files)).toEqual([
      "src/db/4.ts: 401 lines, the cap is 400",
      "src/: 50 % of the files may have 140 lines at most, not 141",
      "src/: 90 % of the files may have 220 lines at most, not 401",
    ]);
  });
});

describe("purity, SQL, citations", () => {
  it.each([
    ["purity", "src/catalog/a.ts", "Date.now()", "not pure: Date.now"],
    ["sql", "src/worker/ui/a.ts", "`SELECT a FROM b`", "SQL belongs into src/db"],
    [
      "sql of two engines",
      "src/db/lists/a.ts",
      "`SELECT iif(a = 1, b, c) FROM d`",
      "iif( is not for both engines: CASE WHEN … THEN … ELSE … END",
    ],
    [
      "sql of two engines",
      "src/db/records/a.ts",
      "`SELECT a FROM b WHERE c IS NOT d.e`",
      "IS NOT d.e is not for both engines: IS [NOT] DISTINCT FROM",
    ],
    ["citations", "test/a.ts", `// see ${"search"}.md 2.1`, `${"search"}.md is not in the repository`],
    ["citations", "bench/a.ts", `// docs/${"patrons"}.md`, `docs/${"patrons"}.md is not in the repository`],
  ])("%s: %s may not have %s", (check, name, text, problem) => {
    expect(problems(check, { [name]: text })).toEqual([`${name}: ${problem}`]);
  });
});

describe("folders", () => {
  it("names folders outside the layout, nested parts and full folders", () => {
    const full = Object.fromEntries(Array.from({ length: 46 }, (_, at) => [`src/worker/ui/${at}.ts`, ""]));
    const files = { ...full, "src/worker/odd/a.ts": "", "src/worker/patrons/reading/old/a.ts": "" };
    expect(problems("folders", files)).toEqual([
      "src/worker/ui/: 46 files, the cap is 45",
      "src/worker/odd/: no feature of the layout",
      "src/worker/patrons/reading/old/: a folder in a part of a feature",
    ]);
  });
});
