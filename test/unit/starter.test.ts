import { beforeAll, describe, expect, it } from "vitest";
import { starterHoldings, starterLines } from "../../scripts/lib/starter.ts";
import { parseHoldingLine, termsOf } from "../../src/catalog/lending/holdings.ts";
import { starterProblems } from "../support/node/starter-problems.ts";

interface Line {
  type: string;
  key: string;
  revision: string;
  modified: string;
  json: string;
}

async function dump(prefix?: string): Promise<Line[]> {
  const lines: Line[] = [];
  for await (const line of starterLines(prefix)) {
    const [type = "", key = "", revision = "", modified = "", json = "", ...more] = line.split("\t");
    expect(more).toEqual([]);
    lines.push({ type, key, revision, modified, json });
  }
  return lines;
}

const time = { type: "/type/datetime", value: "2026-11-01T00:00:00.000000" };
const envelope = { revision: 1, latest_revision: 1, created: time, last_modified: time };

let lines: Line[];
beforeAll(async () => {
  lines = await dump();
});

const ofType = (type: string) => lines.filter((line) => line.type === type);
describe("starter catalog", () => {
  it("has no problems", async () => {
    expect(await starterProblems()).toEqual([]);
  });

  it.each([
    ["/type/language", 485],
    ["/type/author", 110],
    ["/type/work", 170],
    ["/type/edition", 420],
    ["/type/series", 10],
  ])("holds enough records of %s", (type, minimum) => {
    const current = ofType(type).filter(({ json }) => !JSON.parse(json).deprecated);
    expect(current.length).toBeGreaterThanOrEqual(minimum);
  });

  it("has books for the lookup by ISBN and by Project Gutenberg number", () => {
    expect(
      ofType("/type/edition").filter(({ json }) => json.includes('"isbn_13"')).length,
    ).toBeGreaterThanOrEqual(40);
    expect(
      ofType("/type/edition").filter(({ json }) => json.includes('"project_gutenberg"')).length,
    ).toBeGreaterThan(100);
  });

  it("has scans, some of them for lending", async () => {
    const items = [];
    for await (const line of starterHoldings()) items.push(parseHoldingLine(line));
    expect(items.filter((item) => "reason" in item)).toEqual([]);
    const lent = items.flatMap((item) => ("reason" in item || !termsOf(item).isLendable ? [] : [item.ocaid]));
    expect(lent.length).toBeGreaterThanOrEqual(3);
    const scans = ofType("/type/edition").flatMap(({ json }) => JSON.parse(json).ocaid ?? []);
    expect(scans).toEqual(expect.arrayContaining(lent));
  });

  it.each([
    ["Cyrillic", /\p{Script=Cyrillic}{4}/u],
    ["Han", /\p{Script=Han}{2}/u],
    ["Hiragana", /\p{Script=Hiragana}{4}/u],
    ["Hangul", /\p{Script=Hangul}{3}/u],
    ["Arabic", /\p{Script=Arabic}{4}/u],
    ["Hebrew", /\p{Script=Hebrew}{4}/u],
    ["Greek", /\p{Script=Greek}{4}/u],
    ["Devanagari", /\p{Script=Devanagari}{4}/u],
    ["Bengali", /\p{Script=Bengali}{4}/u],
    ["Tamil", /\p{Script=Tamil}{4}/u],
    ["Georgian", /\p{Script=Georgian}{4}/u],
  ])("has titles in %s script", (_script, pattern) => {
    const titles = [...ofType("/type/work"), ...ofType("/type/edition")].map(
      ({ json }) => JSON.parse(json).title,
    );
    expect(titles.some((title) => pattern.test(title))).toBe(true);
  });
});

describe("dump lines of the starter catalog", () => {
  it("have the columns of a dump", () => {
    expect(new Set(lines.map((line) => line.key)).size).toBe(lines.length);
    for (const { type, key, revision, modified, json } of lines) {
      expect([revision, modified]).toEqual(["1", time.value]);
      expect(JSON.parse(json)).toMatchObject({ key, type: { key: type }, ...envelope });
    }
  });

  it("refer only to earlier records", () => {
    const seen = new Set<string>();
    for (const { key, json } of lines) {
      const names = [...json.matchAll(/"key":"(\/(?:works|authors|series|languages)\/[^"]+)"/g)];
      expect(names.map(([, name = ""]) => name).filter((name) => name !== key && !seen.has(name))).toEqual(
        [],
      );
      seen.add(key);
    }
  });

  it("use the prefix of the keys", async () => {
    const keys = (await dump("XX")).map((line) => line.key).filter((key) => !key.startsWith("/languages/"));
    expect(keys.every((key) => /^\/(works|books|authors|series)\/XX\d+[WMAL]$/.test(key))).toBe(true);
  });
});
