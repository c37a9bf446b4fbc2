import { describe, expect, it } from "vitest";
import { parse } from "yaml";
import type { Json } from "../../../src/catalog/record.ts";
import { renderYaml } from "../../../src/catalog/yaml.ts";
import { HOSTILE, pick, randomStream, randomText } from "./random.ts";

describe("renderYaml", () => {
  it("writes block style, indented by four, in member order", () => {
    const record = {
      key: "/works/OL1W",
      type: { key: "/type/work" },
      title: "Émile: 教育",
      authors: [{ author: { key: "/authors/OL1A" }, role: "editor" }],
      subjects: ["Education", "France"],
      revision: 3,
      identifiers: {},
    };
    expect(renderYaml(record)).toBe(
      [
        "key: /works/OL1W",
        "type:",
        "    key: /type/work",
        'title: "Émile: 教育"',
        "authors:",
        "    - author:",
        "          key: /authors/OL1A",
        "      role: editor",
        "subjects:",
        "    - Education",
        "    - France",
        "revision: 3",
        "identifiers: {}",
        "",
      ].join("\n"),
    );
  });

  it("folds no line and writes text blocks", () => {
    const long = "word ".repeat(100).trim();
    expect(renderYaml({ long, quoted: `"${long}: ${long}"` }).split("\n")).toHaveLength(3);
    expect(renderYaml({ text: "one\ntwo\n" })).toBe("text: |\n    one\n    two\n");
  });

  it("writes no anchors", () => {
    const shared = { key: "/languages/eng" };
    const text = renderYaml({ languages: [shared, shared] });
    expect(text).toBe("languages:\n    - key: /languages/eng\n    - key: /languages/eng\n");
  });

  it.each([
    "no",
    "Yes",
    "on",
    "y",
    "null",
    "~",
    "1923",
    "0123",
    "1_000",
    "1e3",
    "12:30:45",
    "2011-01-01",
    "2026-08-25T09:15:03.120000",
    "0x1F",
    ".5",
    "=",
    "<<",
    "",
    " a",
    "a ",
    "- a",
    "# a",
    "a: b",
    "*a",
    "&a",
    "!a",
    "%a",
    "@a",
    "a\tb",
  ])("quotes %j", (text) => expect(renderYaml({ text })).toBe(`text: ${JSON.stringify(text)}\n`));

  it.each([
    ["\u2028", "\\u2028"],
    ["\u0085", "\\u0085"],
    ["\ufeff", "\\ufeff"],
    ["\u007f", "\\u007f"],
    ["\uffff", "\\uffff"],
  ])("escapes %j", (character, escaped) => {
    expect(renderYaml({ text: `a${character}b` })).toBe(`text: "a${escaped}b"\n`);
    expect(renderYaml({ [`a${character}`]: 1 })).toBe(`"a${escaped}": 1\n`);
  });

  it("quotes a merge key", () => {
    expect(renderYaml({ "<<": { a: 1 } })).toBe('"<<":\n    a: 1\n');
  });

  it("omits undefined members", () => expect(renderYaml({ a: undefined, b: 1 })).toBe("b: 1\n"));

  it.each(["1.1", "1.2"] as const)("round-trips by YAML %s", (version) => {
    const random = randomStream(3);
    const text = (): string => randomText(random, HOSTILE, 12).toWellFormed();
    for (let round = 0; round < 100; round += 1) {
      const value: Json = {
        [text()]: text(),
        list: [text(), [text()], { [text()]: text(), n: pick<Json>(random, [null, true, 0, -7, 1.5, 1e21]) }],
        lines: `${text()}\n${text()}\n\n  ${text()}`,
      };
      expect(parse(renderYaml(value), { version })).toEqual(value);
    }
  });
});
