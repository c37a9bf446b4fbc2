import { describe, expect, it } from "vitest";
import {
  element,
  resourceLink,
  textElement,
  textElements,
  renderXmlDocument,
} from "../../../src/catalog/xml.ts";
import { HOSTILE, randomStream, randomText } from "./random.ts";
import { parseXml } from "./rdf/well-formed.ts";

const NAMESPACES = { "xmlns:t": "urn:t", "xmlns:rdf": "urn:r" };
const wrap = (text: string, attribute: string): string =>
  renderXmlDocument(element("t:root", [element("t:a", text, { "t:b": attribute })], NAMESPACES));

describe("renderXmlDocument", () => {
  it("writes one element a line", () => {
    const root = element("t:root", [element("t:a", [element("t:b", "x")]), element("t:c", [])], {
      "xmlns:t": "urn:t",
    });
    expect(renderXmlDocument(root)).toBe(
      [
        '<?xml version="1.0" encoding="utf-8"?>',
        '<t:root xmlns:t="urn:t">',
        "  <t:a>",
        "    <t:b>x</t:b>",
        "  </t:a>",
        "  <t:c/>",
        "</t:root>",
        "",
      ].join("\n"),
    );
  });

  it.each([
    ["&<>\"'", "&amp;&lt;&gt;\"'"],
    ["]]>", "]]&gt;"],
    ["a\r\nb\tc", "a&#13;\nb\tc"],
    ["a\u0000\u0008\u000b\u001f\ufffe\uffff\ud800b\udc00", "ab"],
    ["é日😀\u007f\u0085\u2028", "é日😀\u007f\u0085\u2028"],
  ])("escapes the text %j", (text, escaped) =>
    expect(wrap(text, "")).toContain(`<t:a t:b="">${escaped}</t:a>`),
  );

  it.each([
    ["&<>\"'", "&amp;&lt;&gt;&quot;'"],
    ["a\r\n\tb", "a&#13;&#10;&#9;b"],
    ["\u0000a\ud800", "a"],
  ])("escapes the attribute %j", (value, escaped) => expect(wrap("", value)).toContain(`t:b="${escaped}"`));

  it("round-trips all characters that XML can hold", () => {
    const random = randomStream(11);
    for (let round = 0; round < 1000; round += 1) {
      const [text, attribute] = [randomText(random, HOSTILE, 20), randomText(random, HOSTILE, 20)];
      const [child] = parseXml(wrap(text, attribute)).children;
      expect(child?.text).toBe(holdable(text));
      expect(child?.attributes.get("t:b")).toBe(holdable(attribute));
    }
  });
});

/** Written out another way than the module under test does it. */
function holdable(text: string): string {
  const characters = [...text].filter((character) => {
    const code = character.codePointAt(0)!;
    if (code < 0x20) return code === 9 || code === 10 || code === 13;
    return !(code >= 0xd800 && code <= 0xdfff) && code !== 0xfffe && code !== 0xffff;
  });
  return characters.join("");
}

describe("helpers", () => {
  it("omit absent and empty text", () => {
    expect(textElement("t:a", undefined)).toEqual([]);
    expect(textElement("t:a", "")).toEqual([]);
    expect(textElement("t:a", " ")).toEqual([element("t:a", " ")]);
    expect(textElements("t:a", ["x", "", "y"])).toEqual([element("t:a", "x"), element("t:a", "y")]);
  });

  it("name resources by an attribute", () => {
    expect(resourceLink("t:a", "urn:x")).toEqual({
      name: "t:a",
      attributes: { "rdf:resource": "urn:x" },
      content: [],
    });
  });
});
