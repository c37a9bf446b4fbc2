import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { sourceFiles } from "../../../scripts/lib/sources.mjs";

const DOCUMENT = readFileSync(new URL("../../../docs/wire.md", import.meta.url), "utf8");
const ENTRIES = DOCUMENT.split(/^(?=### )/m).slice(1);
const entries = ENTRIES.map((text) => ({ id: /^### (Q\d+) /.exec(text)?.[1] ?? text.slice(0, 40), text }));

/** Numbers of entries have no more than three digits, unlike those of Wikidata. */
const CITED = /\bQ[1-9]\d{0,2}\b/g;
const citedIn = async (folder: string): Promise<Set<string>> =>
  new Set((await sourceFiles(folder, /\.ts$/)).flatMap(({ text }) => text.match(CITED) ?? []));
const inCode = await citedIn("src");
const inTests = await citedIn("test");
const ids = new Set(entries.map(({ id }) => id));

describe("docs/wire.md", () => {
  it("has entries, each with a number of its own", () => {
    expect(entries.length).toBeGreaterThan(300);
    expect(ids.size).toBe(entries.length);
  });

  it("has every number that code and tests cite", () => {
    expect([...inCode, ...inTests].filter((id) => !ids.has(id))).toEqual([]);
  });

  it("has no entry that the code does not carry", () => {
    expect([...ids].filter((id) => !inCode.has(id))).toEqual([]);
  });

  it("names routes and tests in every entry", () => {
    const without = entries.filter(
      ({ text }) => !/^Routes?: /m.test(text) || !/Tests?:\s+\[[^\]]+\]\(/.test(text),
    );
    expect(without.map(({ id }) => id)).toEqual([]);
  });

  it("names tests that exist", async () => {
    const tests = new Set((await sourceFiles("test", /\.ts$/)).map(({ name }) => name));
    const named = [...DOCUMENT.matchAll(/\]\(\.\.\/(test\/[^)#]+)\)/g)].map((match) => match[1] ?? "");
    expect(named.length).toBeGreaterThan(300);
    expect(named.filter((name) => !tests.has(name))).toEqual([]);
  });
});
