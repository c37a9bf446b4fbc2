import { existsSync } from "node:fs";
import path from "node:path";
import { type Import, type Source, cyclesOf, importsOf } from "./sources.ts";
import { SEARCH_ENGINES, FEATURES, FLOORS, PURE_FLOORS, SIZES } from "./layout.ts";
import { ROOT } from "./paths.ts";
import { clauseComments, clauseTexts, repeatedExports, unknownNames } from "./word-checks.ts";

/** files of src, scripts, test and bench, and what they import. */
interface Tree {
  files: Source[];
  imports: Import[];
}

const IMPURE = /\b(?:Date\.now|new Date\(\)|Math\.random|crypto\.|cloudflare:|from "hono|drizzle-orm)/;
const SQL = /\b(?:SELECT\s[\s\S]{1,200}?\bFROM\b|INSERT INTO|UPDATE \w+ SET|DELETE FROM)\b/;
/** Folders of src/db whose statements are for the catalog alone, and so for SQLite and PostgreSQL (docs/sql.md). */
const CATALOG_SQL = /^src\/db\/(?:covers|editing|history|imports|lists|query|records)\//;
/** Syntax that only one dialect has or that differs, and its replacement. */
const ONE_DIALECT: [RegExp, string][] = [
  [/\biif\(/, "CASE WHEN … THEN … ELSE … END"],
  [/\bINSERT OR\b|\bREPLACE INTO\b/, "ON CONFLICT (…) DO …"],
  [/\bIS (?:NOT )?(?!NOT\b|NULL\b|DISTINCT\b)[a-z?(][\w.?(]*/, "IS [NOT] DISTINCT FROM"],
  [/\?\d+ IS (?:NOT )?NULL/, "CAST(?1 AS TEXT) IS NULL: a bare parameter has no type"],
  [/\bAS (?:INTEGER|INT|REAL)\b/, "AS BIGINT, or AS DOUBLE PRECISION"],
  [/\bLIMIT -1\b/, "a LIMIT that is large"],
  [
    /\b(?:rowid|total\(|printf\(|group_concat\(|json_(?:insert|set|patch|replace)\(|strftime\(|unixepoch)/,
    "what both have",
  ],
];
/** String literals that look like SQL. */
const SQL_TEXT = /`[^`]*\b[A-Z]{2,} [^`]*`|"[^"\n]*\b[A-Z]{2,} [^"\n]*"/g;
/** Documents that are in the repository as `docs/…`, or not at all. */
const CITATION = /[\w./-]*\b(?:records|lookup|patrons|search|import|design|interface|toolchain)\.md\b/g;
/** Files that may be short: every feature has them in the same place. */
const MAY_BE_SHORT = /(?:\/(?:routes|jobs|index)|-page)\.ts$|^src\/durable\//;

/** Checks by name. A problem begins with the name of a file or folder. */
export const CHECKS: Record<string, (tree: Tree) => string[]> = {
  floors: ({ imports }) =>
    imports
      .filter(
        ({ from, to }) =>
          floorOf(from) !== "" &&
          !to.startsWith("locales/") &&
          !FLOORS.slice(FLOORS.indexOf(floorOf(from))).includes(floorOf(to)),
      )
      .map(({ from, to }) => `${from}: must not import ${to}`),
  features: ({ imports }) =>
    imports
      .filter(
        ({ from, to }) => floorOf(from) === "worker" && floorOf(to) === "worker" && !mayImport(from, to),
      )
      .map(({ from, to }) => `${from}: must not import ${to}`),
  "search engines": ({ imports }) =>
    imports
      .filter(
        ({ from, to }) => floorOf(from) === "worker" && !SEARCH_ENGINES.makers.includes(from) && isEngine(to),
      )
      .map(({ from, to }) => `${from}: must not import ${to}, but ask src/search/engine.ts`)
      .concat(
        imports
          .filter(({ from, to }) => isOtherEngine(from, to) || isOtherEngine(to, from))
          .map(({ from, to }) => `${from}: must not import ${to}: both stand on src/search/engine/`),
      ),
  // oxlint's import/no-cycle sees no imports that are expressions, knip's cycles none of types, and both no folders.
  "cycles of files": ({ imports }) => cyclesOf(imports),
  "cycles of folders": folderCycles,
  alone: aloneProblems,
  sizes: sizeProblems,
  purity: ({ files }) =>
    files
      .filter(({ name, text }) => PURE_FLOORS.includes(floorOf(name)) && IMPURE.test(text))
      .map(({ name, text }) => `${name}: not pure: ${IMPURE.exec(text)?.[0]}`),
  sql: ({ files }) =>
    files
      .filter(({ name, text }) => floorOf(name) === "worker" && SQL.test(text))
      .map(({ name }) => `${name}: SQL belongs into src/db`),
  "sql of two engines": ({ files }) =>
    files
      .filter(({ name }) => CATALOG_SQL.test(name))
      .flatMap(({ name, text }) =>
        (text.match(SQL_TEXT) ?? []).flatMap((sql) =>
          ONE_DIALECT.filter(([form]) => form.test(sql)).map(
            ([form, instead]) => `${name}: ${form.exec(sql)?.[0]} is not for both engines: ${instead}`,
          ),
        ),
      ),
  citations: ({ files }) =>
    files.flatMap(({ name, text }) =>
      (text.match(CITATION) ?? [])
        .filter((cited) => !existsSync(path.join(ROOT, cited)))
        .map((cited) => `${name}: ${cited} is not in the repository`),
    ),
  folders: folderProblems,
  names: ({ files }) => repeatedExports(files),
  "names of titles and comments": ({ files }) => unknownNames(files),
  texts: ({ files }) => clauseTexts(files),
  comments: ({ files }) => clauseComments(files),
};

export function treeOf(files: Source[]): Tree {
  return { files, imports: files.flatMap(importsOf) };
}

function isEngine(name: string) {
  return SEARCH_ENGINES.folders.test(name) && !SEARCH_ENGINES.open.test(name);
}

function isOtherEngine(one: string, other: string) {
  return one.startsWith("src/db/solr/") && other.startsWith("src/db/search/");
}

/** Returns true if an import follows the order of features, or leaves it. */
function mayImport(from: string, to: string) {
  const order = ["", ...FEATURES];
  const [above, below] = [order.indexOf(featureOf(from)), order.indexOf(featureOf(to))];
  return above <= below || below === -1;
}

/** Lists cycles of folders within a floor. */
function folderCycles({ imports }: Tree) {
  const inner = imports.filter(
    ({ from, to }) => floorOf(from) === floorOf(to) && /^src\/(?!worker)/.test(from),
  );
  return cyclesOf(inner.map(({ from, to }) => ({ from: folderOf(from), to: folderOf(to) })));
}

/** Lists short files that could be merged into their only importer. */
function aloneProblems({ files, imports }: Tree) {
  const lines = new Map(files.map(({ name, text }) => [name, linesOf(text)]));
  return [...lines].flatMap(([name, own]) => {
    if (own >= SIZES.own || MAY_BE_SHORT.test(name) || !/^(?:src|scripts)\//.test(name)) return [];
    const side = name.startsWith("src/") ? /^src\// : /^(?:scripts|bench|test)\//;
    const importers = new Set(
      imports.filter(({ from, to }) => to === name && side.test(from)).map(({ from }) => from),
    );
    const [importer = ""] = importers;
    const merged = own + (lines.get(importer) ?? 0);
    if (importers.size !== 1 || merged > SIZES.whole) return [];
    // Neither does code change its floor for that, nor does the registry or a table of routes take any.
    if (floorOf(importer) !== floorOf(name) || /^src\/worker\/[^/]+$|\/routes\.ts$/.test(importer)) return [];
    return [`${name}: ${own} lines that only ${importer} imports`];
  });
}

function sizeProblems({ files }: Tree) {
  const ours = files.filter(({ name }) => floorOf(name) !== "").map(({ text }) => linesOf(text));
  const sorted = ours.sort((a, b) => a - b);
  const quantile = (share: number, cap: number) => {
    const lines = sorted[Math.floor(sorted.length * share)] ?? 0;
    return lines > cap
      ? [`src/: ${share * 100} % of the files may have ${cap} lines at most, not ${lines}`]
      : [];
  };
  return [...quantile(0.5, SIZES.median), ...quantile(0.9, SIZES.nineInTen)];
}

/** Lists unknown, nested and overfull folders of the worker, and excess folders of src/db. */
function folderProblems({ files }: Tree) {
  const folders: Map<string, number> = new Map();
  for (const { name } of files) folders.set(path.dirname(name), (folders.get(path.dirname(name)) ?? 0) + 1);
  const problems = [];
  for (const [folder, count] of folders) {
    const [, floor, feature, , deeper] = folder.split("/");
    if (floor !== "worker" || feature === undefined) continue;
    if (!FEATURES.includes(feature)) problems.push(`${folder}/: no feature of the layout`);
    if (deeper !== undefined) problems.push(`${folder}/: a folder in a part of a feature`);
    if (count > SIZES.folderFiles)
      problems.push(`${folder}/: ${count} files, the cap is ${SIZES.folderFiles}`);
  }
  const ofDb = new Set([...folders.keys()].filter((folder) => folder.startsWith("src/db/")).map(folderOf));
  if (ofDb.size > SIZES.dbFolders)
    problems.push(`src/db/: ${ofDb.size} folders, the cap is ${SIZES.dbFolders}`);
  return problems;
}

function linesOf(text: string) {
  return text.split("\n").length;
}

/** Returns the floor of a file of src, an empty string for others. */
function floorOf(name: string) {
  return name.startsWith("src/") ? (name.split("/")[1] ?? "") : "";
}

/** Returns the feature of a file of the worker, an empty string for the registry. */
function featureOf(name: string) {
  const [feature = "", part] = name.split("/").slice(2, -1);
  const both = `${feature}/${part}`;
  return FEATURES.includes(both) ? both : feature;
}

/** Returns the path of a folder or file directly below a floor. */
function folderOf(name: string) {
  return name.split("/").slice(0, 3).join("/");
}
