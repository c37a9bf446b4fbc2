import { describe, expect, it } from "vitest";
import {
  XML_ATTRIBUTES_MAX,
  XML_ELEMENTS_MAX,
  XML_LENGTH_MAX,
  XML_NESTING_MAX,
  XML_TEXTS_MAX,
  XmlError,
} from "../../../../src/import/xml/decode.ts";
import { parseXml } from "../../../../src/import/xml/document.ts";

function message(text: string): string {
  try {
    parseXml(text);
  } catch (error) {
    if (error instanceof XmlError) return error.message;
    throw error;
  }
  return "read";
}

describe("parseXml", () => {
  it("builds a tree with resolved namespaces", () => {
    expect(parseXml(`<a xmlns="u" xmlns:p="v" p:x="1" y='2'>t<p:b/><c xmlns="">s</c></a>`)).toEqual({
      namespace: "u",
      name: "a",
      attributes: [
        { namespace: "v", name: "x", value: "1" },
        { namespace: "", name: "y", value: "2" },
      ],
      children: [
        "t",
        { namespace: "v", name: "b", attributes: [], children: [] },
        { namespace: "", name: "c", attributes: [], children: ["s"] },
      ],
    });
  });

  it("restores the namespace of a prefix after an inner element", () => {
    const { children } = parseXml(`<p:a xmlns:p="u"><p:b xmlns:p="v"/><p:b/></p:a>`);
    expect(children).toMatchObject([{ namespace: "v" }, { namespace: "u" }]);
  });

  it.each([
    ["&lt;&gt;&amp;&apos;&quot;", `<>&'"`],
    ["&#65;&#x42;&#x1F600;&#0000067;", "AB😀C"],
    ["<![CDATA[<b>&amp;]]>", "<b>&amp;"],
    ["a\r\nb\rc", "a\nb\nc"],
    ["a&#13;b", "a\rb"],
  ])("reads the text %s", (text, expected) => {
    expect(parseXml(`<a>${text}</a>`).children).toEqual([expected]);
  });

  it("skips a declaration, comments, instructions and a byte order mark", () => {
    const text = `\uFEFF<?xml version="1.0"?><!-- <b> --><?x y?><a>1<!-- - -->2<?z?></a>\n<!---->`;
    expect(parseXml(text).children).toEqual(["1", "2"]);
  });

  it("reads names in other scripts, and optional spaces", () => {
    expect(parseXml(`<été à-ß.1 = 'x\ty\n' ></été >`)).toMatchObject({
      name: "été",
      attributes: [{ name: "à-ß.1", value: "x y " }],
    });
  });

  it.each([
    ["", "Line 1: no element found"],
    ["\n<!-- -->\n", "Line 3: no element found"],
    ["<a>\n<b></a>", "Line 2: expected the end of b, found that of a"],
    ["<a>\n\n", "Line 3: the element a is not closed"],
    ["</a>", "Line 1: the end tag of a has no start tag"],
    ["<a/><b/>", "Line 1: more than one root element"],
    ["<a/>text", "Line 1: text outside the root element"],
    ["<![CDATA[ ]]><a/>", "Line 1: text outside the root element"],
    ["<a>&b;</a>", 'Line 1: the entity "b" is not defined'],
    ["<a>a & b</a>", 'Line 1: "&" must be written as "&amp;"'],
    ["<a>&#0;</a>", 'Line 1: "&#0;" is not a valid character'],
    ["<a>&#xD800;</a>", 'Line 1: "&#xD800;" is not a valid character'],
    ["<a>&#1e1;</a>", 'Line 1: "&#1e1;" is not a valid character'],
    ["<a>\u0001</a>", "Line 1: a character that XML does not allow"],
    ["<a>]]></a>", 'Line 1: "]]>" is not allowed in text'],
    ["<a><!-- -- --></a>", 'Line 1: "--" is not allowed in a comment'],
    ["<a><!-- </a>", 'Line 1: "--" is missing'],
    ["<a><?x </a>", 'Line 1: "?>" is missing'],
    [" <?xml version='1.0'?><a/>", "Line 1: the XML declaration must be at the start"],
    ["<a", "Line 1: a tag is not closed"],
    ["<a b", "Line 1: the attribute b has no value"],
    ["<a b=c/>", "Line 1: the value of the attribute b is not quoted"],
    ["<a b='1'c='2'/>", "Line 1: a tag is not closed"],
    ["<a b='<'/>", 'Line 1: "<" is not allowed in the attribute b'],
    ["<a b='1' b='2'/>", "Line 1: the attribute b occurs twice"],
    [`<a xmlns:p="u" xmlns:q="u" p:b="" q:b=""/>`, "Line 1: the attribute u b occurs twice"],
    ["<p:a/>", "Line 1: the prefix p is not declared"],
    [`<a><b xmlns:p="u"/><p:c/></a>`, "Line 1: the prefix p is not declared"],
    ["<a xmlns:p=''/>", "Line 1: the declaration xmlns:p is not allowed"],
    ["<a xmlns:xmlns='u'/>", "Line 1: the declaration xmlns:xmlns is not allowed"],
    ["<a xmlns:xml='u'/>", "Line 1: the declaration xmlns:xml is not allowed"],
    ["<:a/>", 'Line 1: ":a" is not a valid name'],
    ["<a:b:c xmlns:a='u'/>", 'Line 1: "a:b:c" is not a valid name'],
    ["<1/>", "Line 1: a name is missing"],
  ])("refuses %j", (text, expected) => expect(message(text)).toBe(expected));

  it.each([
    `<!DOCTYPE a><a/>`,
    `<!DOCTYPE a [<!ENTITY b SYSTEM "file:///etc/passwd">]><a>&b;</a>`,
    "<a><!ELEMENT b></a>",
  ])("refuses the document type of %s", (text) =>
    expect(message(text)).toBe("DOCTYPE and custom entities are not supported"),
  );

  it("has its own limits", () => {
    expect(message("<a>".repeat(XML_NESTING_MAX) + "</a>".repeat(XML_NESTING_MAX))).toBe("read");
    expect(message("<a>".repeat(XML_NESTING_MAX + 1))).toContain(`at most ${XML_NESTING_MAX} levels`);
    expect(message(`<a>${"<b/>".repeat(XML_ELEMENTS_MAX)}</a>`)).toContain(`${XML_ELEMENTS_MAX} elements`);
    const attributes = Array.from({ length: XML_ATTRIBUTES_MAX + 1 }, (_, index) => `a${index}=""`);
    expect(message(`<a ${attributes.join(" ")}/>`)).toContain(`${XML_ATTRIBUTES_MAX} attributes`);
    expect(message(`<a>${"b<?c?>".repeat(XML_TEXTS_MAX + 1)}</a>`)).toContain(
      `${XML_TEXTS_MAX} pieces of text`,
    );
    expect(message(`<a>${" ".repeat(XML_LENGTH_MAX)}</a>`)).toContain(`${XML_LENGTH_MAX} characters`);
  });
});
