import { readFileSync } from "node:fs";
import path from "node:path";
import { parse } from "smol-toml";
import { describe, expect, it } from "vitest";
import { ROOT } from "../../../scripts/lib/paths.ts";
import { sourceFiles } from "../../../scripts/lib/sources.ts";

const read = (file: string): string => readFileSync(path.join(ROOT, file), "utf8");
const DOCUMENT = read("docs/storage.md");
const OVERVIEW = new Set(
  [...DOCUMENT.slice(0, DOCUMENT.indexOf("\n## ")).matchAll(/`(\w+)`/g)].map((match) => match[1]),
);
const TABLE = /\bCREATE (?:VIRTUAL )?TABLE (?:IF NOT EXISTS )?(?:carrel\.)?(\w+)/g;
/** Tables that a migration creates and renames or drops. */
const TEMPORARY = new Set(["account_rebuilt", "outbox_rebuilt"]);

const isNamed = (table: string): boolean => DOCUMENT.includes(`\`${table}\``);
/** The two generations of the search index have the same tables. */
const withoutGeneration = (table: string): string => table.replace(/_[ab]$/, "");

async function tablesIn(folder: string, ending: RegExp): Promise<string[]> {
  const found = (await sourceFiles(folder, ending)).flatMap(({ text }) => [...text.matchAll(TABLE)]);
  return [...new Set(found.map((match) => match[1] ?? ""))];
}

/** Everything below `value` that is called `binding`, or `name` beside a class. */
function bindingsOf(value: unknown): string[] {
  if (typeof value !== "object" || value === null) return [];
  const { binding, name, class_name: className } = value as Record<string, unknown>;
  const own = typeof className === "string" ? name : binding;
  return [...(typeof own === "string" ? [own] : []), ...Object.values(value).flatMap(bindingsOf)];
}

describe("docs/storage.md", () => {
  it("has every table of the databases", async () => {
    const tables = (await tablesIn("migrations", /\.sql$/)).filter((table) => !TEMPORARY.has(table));
    expect(tables.length).toBeGreaterThan(50);
    expect(tables.map(withoutGeneration).filter((table) => !isNamed(table))).toEqual([]);
  });

  it("has every table of the objects", async () => {
    const tables = await tablesIn("src/durable", /schema\.ts$/);
    expect(tables.length).toBeGreaterThan(15);
    expect(tables.filter((table) => !isNamed(table) && !TEMPORARY.has(table))).toEqual([]);
  });

  it("has every store in its first table", () => {
    // Bindings that store nothing: static files, metrics, resized images.
    const others = new Set(["ASSETS", "METRICS", "IMAGES"]);
    const bindings = bindingsOf(parse(read("wrangler.toml"))).filter((binding) => !others.has(binding));
    expect(bindings.length).toBeGreaterThan(15);
    expect(bindings.filter((binding) => !OVERVIEW.has(binding))).toEqual([]);
  });
});
