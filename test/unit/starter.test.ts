import { beforeAll, describe, expect, it } from "vitest";
import { starterHoldings, starterLines } from "../../scripts/lib/starter.mjs";
import { parseHoldingLine, termsOf } from "../../src/catalog/lending/holdings.ts";
import { starterProblems } from "../support/node/starter-problems.mjs";

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
const record = (key: string): unknown => {
  const line = lines.find((one) => one.key === key);
  return line && JSON.parse(line.json);
};
const keyOf = (type: string, title: string) =>
  ofType(type).find((line) => JSON.parse(line.json).title === title)?.key ?? "";

describe("the starter catalog", () => {
  it("has nothing wrong with it", async () => {
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

  it("can show the lookup by ISBN and by Project Gutenberg number", () => {
    expect(
      ofType("/type/edition").filter(({ json }) => json.includes('"isbn_13"')).length,
    ).toBeGreaterThanOrEqual(40);
    expect(
      ofType("/type/edition").filter(({ json }) => json.includes('"project_gutenberg"')).length,
    ).toBeGreaterThan(100);
  });

  it("has scans, some of which are lent", async () => {
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

describe("its dump lines", () => {
  it("carry the columns of a dump", () => {
    expect(new Set(lines.map((line) => line.key)).size).toBe(lines.length);
    for (const { type, key, revision, modified, json } of lines) {
      expect([revision, modified]).toEqual(["1", time.value]);
      expect(JSON.parse(json)).toMatchObject({ key, type: { key: type }, ...envelope });
    }
  });

  it("refer only to records that came before", () => {
    const seen = new Set<string>();
    for (const { key, json } of lines) {
      const names = [...json.matchAll(/"key":"(\/(?:works|authors|series|languages)\/[^"]+)"/g)];
      expect(names.map(([, name = ""]) => name).filter((name) => name !== key && !seen.has(name))).toEqual(
        [],
      );
      seen.add(key);
    }
  });

  it("take the prefix of the keys", async () => {
    const keys = (await dump("XX")).map((line) => line.key).filter((key) => !key.startsWith("/languages/"));
    expect(keys.every((key) => /^\/(works|books|authors|series)\/XX\d+[WMAL]$/.test(key))).toBe(true);
  });

  it("hold a complete work", () => {
    const key = keyOf("/type/work", "Barchester Towers");
    expect(record(key)).toEqual({
      key,
      type: { key: "/type/work" },
      title: "Barchester Towers",
      authors: [{ type: { key: "/type/author_role" }, author: { key: "/authors/OL108A" } }],
      first_publish_date: "1857",
      description:
        "A new bishop comes to Barchester with a masterful wife and an oily chaplain, and the cathedral close goes to war.",
      subjects: ["Clergy", "Cathedrals", "Church politics", "Satire", "Fiction", "English literature"],
      subject_places: ["England", "Barsetshire (Imaginary place)"],
      subject_people: ["Mrs. Proudie", "Obadiah Slope", "Eleanor Bold", "Archdeacon Grantly"],
      subject_times: ["19th century"],
      dewey_number: ["823.8"],
      links: [
        {
          title: "Wikipedia",
          url: "https://en.wikipedia.org/wiki/Barchester_Towers",
          type: { key: "/type/link" },
        },
      ],
      series: [{ series: { key: "/series/OL102L" }, position: "2" }],
      ...envelope,
    });
    expect(record("/authors/OL108A")).toMatchObject({ name: "Anthony Trollope" });
    expect(record("/series/OL102L")).toMatchObject({ name: "Chronicles of Barsetshire" });
  });

  it("hold a complete edition of a translation", () => {
    const key = keyOf("/type/edition", "A Sportsman's Sketches");
    const work = keyOf("/type/work", "Записки охотника");
    expect(record(key)).toEqual({
      key,
      type: { key: "/type/edition" },
      title: "A Sportsman's Sketches",
      publishers: ["William Heinemann"],
      publish_places: ["London"],
      publish_country: "enk",
      publish_date: "1895",
      translation_of: "Записки охотника",
      contributors: [{ role: "Translator", name: "Constance Garnett" }],
      pagination: "2 v.",
      works: [{ key: work }],
      languages: [{ key: "/languages/eng" }],
      translated_from: [{ key: "/languages/rus" }],
      ...envelope,
    });
  });

  it("hold the languages, with the successor of a discontinued code", () => {
    expect(record("/languages/eng")).toEqual({
      key: "/languages/eng",
      type: { key: "/type/language" },
      code: "eng",
      name: "English",
      name_translated: { en: ["English"], fr: ["Anglais"], de: ["Englisch"], es: ["Inglés"] },
      identifiers: { iso_639_1: ["en"] },
      ...envelope,
    });
    expect(record("/languages/alb")).toMatchObject({
      name_translated: {
        en: ["Albanian"],
        sq: ["Shqip"],
        fr: ["Albanais"],
        de: ["Albanisch"],
        es: ["Albanés"],
      },
    });
    expect(record("/languages/scr")).toEqual({
      key: "/languages/scr",
      type: { key: "/type/language" },
      code: "scr",
      name: "Croatian",
      name_translated: { en: ["Croatian"] },
      deprecated: true,
      current: { key: "/languages/hrv" },
      ...envelope,
    });
  });
});
