import { describe, expect, it } from "vitest";
import { CHECKS, exportsForTests, treeOf } from "../../../scripts/lib/layout-checks.mjs";

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

  it.each([
    ["src/import/a.ts", 'import { b } from "../search/b.ts";'],
    ["src/worker/app.ts", 'import { b } from "./service/b.ts";'],
    ["src/worker/lists/a.ts", 'import { b } from "../ui/b.ts";\nimport { c } from "../../catalog/c.ts";'],
    ["src/worker/patrons/reading/a.ts", 'import { b } from "../people/b.ts";'],
    ["src/catalog/a.ts", 'import { b } from "entities";'],
    ["src/worker/ui/a.ts", 'import b from "../../../locales/b.json" with { type: "json" };'],
  ])("lets %s: %s", (name, text) => expect(upwards({ [name]: text })).toEqual([]));
});

describe("search engines", () => {
  const asked = (from: string, to: string) =>
    problems("search engines", { [from]: `import { b } from "${to}";` }).length;

  it("lets one file of the worker make the embedded engine and its index", () => {
    expect(asked("src/worker/search/engine.ts", "../../db/search/works.ts")).toBe(0);
    expect(asked("src/worker/search/facets.ts", "../../db/search/works.ts")).toBe(1);
    expect(asked("src/worker/indexing/run.ts", "../../db/indexing/patch.ts")).toBe(1);
  });

  it("lets others have what no engine stands behind", () => {
    expect(asked("src/worker/indexing/run.ts", "../../db/indexing/log.ts")).toBe(0);
    expect(asked("src/worker/search/inside.ts", "../../db/search/inside.ts")).toBe(0);
  });
});

describe("cycles", () => {
  it("finds one of files, by types too", () => {
    const files = {
      "src/catalog/a.ts": 'import { b } from "./b.ts";',
      "src/catalog/b.ts": 'import { c } from "./c.ts";',
      "src/catalog/c.ts": 'import type { A } from "./a.ts";\nimport { d } from "./d.ts";',
    };
    expect(problems("cycles of files", files)).toEqual([
      "src/catalog/a.ts > src/catalog/b.ts > src/catalog/c.ts",
    ]);
  });

  it("finds one of folders, with the imports to cut", () => {
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

  it("must be imported somewhere", () => {
    expect(problems("exports", files)).toEqual([
      "src/db/a.ts: idle",
      "src/db/a.ts: Idle",
      "src/db/a.ts: Also",
    ]);
  });

  it("are told apart when only tests import them", () => {
    expect(exportsForTests(tree(files))).toEqual(["src/db/b.ts: tested"]);
  });

  it("are all used by an import of the whole file", () => {
    const whole = { ...files, "bench/all.mjs": 'const all = await import("../src/db/a.ts");' };
    expect(problems("exports", whole)).toEqual([]);
  });
});

describe("alone", () => {
  const importing = 'import { b } from "./b.ts";\n';

  it("finds a short file with one importer, whatever its tests import", () => {
    const test = { "test/unit/b.test.ts": 'import { b } from "../../src/db/b.ts";' };
    expect(problems("alone", { "src/db/a.ts": importing, "src/db/b.ts": lines(39), ...test })).toEqual([
      "src/db/b.ts: 39 lines that only src/db/a.ts imports",
    ]);
  });

  it.each([
    ["a longer one", { "src/db/a.ts": importing, "src/db/b.ts": lines(40) }],
    ["an importer that would be long", { "src/db/a.ts": importing + lines(230), "src/db/b.ts": lines(30) }],
    ["two importers", { "src/db/a.ts": importing, "src/db/c.ts": importing, "src/db/b.ts": "" }],
    ["another floor", { "src/db/a.ts": 'import { b } from "../catalog/b.ts";', "src/catalog/b.ts": "" }],
    ["the registry", { "src/worker/app.ts": 'import { b } from "./http/b.ts";', "src/worker/http/b.ts": "" }],
    ["routes", { "src/worker/ui/a.ts": 'import { b } from "./routes.ts";', "src/worker/ui/routes.ts": "" }],
  ])("lets %s", (_case, files) => expect(problems("alone", files)).toEqual([]));
});

describe("sizes", () => {
  it("caps a file, the median and the ninth in ten", () => {
    const files = Object.fromEntries(
      [60, 70, 121, 221, 401].map((count, at) => [`src/db/${at}.ts`, lines(count)]),
    );
    expect(problems("sizes", files)).toEqual([
      "src/db/4.ts: 401 lines, the cap is 400",
      "src/: 50 % of the files may have 120 lines at most, not 121",
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
    ["citations", "bench/a.mjs", `// docs/${"patrons"}.md`, `docs/${"patrons"}.md is not in the repository`],
  ])("%s: %s may not have %s", (check, name, text, problem) => {
    expect(problems(check, { [name]: text })).toEqual([`${name}: ${problem}`]);
  });

  it.each([
    ["purity", "src/worker/ui/a.ts", "Date.now()"],
    ["sql", "src/durable/a.ts", "`SELECT a FROM b`"],
    ["sql of two engines", "src/db/search/a.ts", "`SELECT rowid FROM b`"],
    [
      "sql of two engines",
      "src/db/lists/a.ts",
      "`SELECT CASE WHEN a IS NOT NULL THEN b IS DISTINCT FROM c END FROM d`",
    ],
    ["citations", "src/db/a.ts", "// README.md, and docs/storage.md says why"],
  ])("%s: %s may have %s", (check, name, text) => expect(problems(check, { [name]: text })).toEqual([]));
});

describe("folders", () => {
  it("of the worker are features, with parts at most, and not too full", () => {
    const full = Object.fromEntries(Array.from({ length: 46 }, (_, at) => [`src/worker/ui/${at}.ts`, ""]));
    const files = { ...full, "src/worker/odd/a.ts": "", "src/worker/patrons/reading/old/a.ts": "" };
    expect(problems("folders", files)).toEqual([
      "src/worker/ui/: 46 files, the cap is 45",
      "src/worker/odd/: no feature of the layout",
      "src/worker/patrons/reading/old/: a folder in a part of a feature",
    ]);
  });

  it("of src/db are few", () => {
    const files = Object.fromEntries(Array.from({ length: 16 }, (_, at) => [`src/db/f${at}/a.ts`, ""]));
    expect(problems("folders", files)).toEqual(["src/db/: 16 folders, the cap is 15"]);
  });
});
