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
    ["", "line 1: no element"],
    ["\n<!-- -->\n", "line 3: no element"],
    ["<a>\n<b></a>", "line 2: the end of a where b is open"],
    ["<a>\n\n", "line 3: the element a does not end"],
    ["</a>", "line 1: the end of a where none is open"],
    ["<a/><b/>", "line 1: a second element beside the document's"],
    ["<a/>text", "line 1: text outside of the document's element"],
    ["<![CDATA[ ]]><a/>", "line 1: text outside of the document's element"],
    ["<a>&b;</a>", 'line 1: the entity "b" is not known'],
    ["<a>a & b</a>", "line 1: an ampersand that begins no reference"],
    ["<a>&#0;</a>", 'line 1: "&#0;" is no character of XML'],
    ["<a>&#xD800;</a>", 'line 1: "&#xD800;" is no character of XML'],
    ["<a>&#1e1;</a>", 'line 1: "&#1e1;" is no character of XML'],
    ["<a>\u0001</a>", "line 1: a character that XML does not allow"],
    ["<a>]]></a>", 'line 1: "]]>" in text'],
    ["<a><!-- -- --></a>", 'line 1: "--" in a comment'],
    ["<a><!-- </a>", 'line 1: "--" is missing'],
    ["<a><?x </a>", 'line 1: "?>" is missing'],
    [" <?xml version='1.0'?><a/>", "line 1: the declaration of XML stands at the start only"],
    ["<a", "line 1: a tag that does not end"],
    ["<a b", "line 1: the attribute b has no value"],
    ["<a b=c/>", "line 1: the value of the attribute b has no quotes"],
    ["<a b='1'c='2'/>", "line 1: a tag that does not end"],
    ["<a b='<'/>", 'line 1: "<" in the attribute b'],
    ["<a b='1' b='2'/>", "line 1: the attribute b is there twice"],
    [`<a xmlns:p="u" xmlns:q="u" p:b="" q:b=""/>`, "line 1: the attribute u b is there twice"],
    ["<p:a/>", "line 1: the prefix p is not declared"],
    [`<a><b xmlns:p="u"/><p:c/></a>`, "line 1: the prefix p is not declared"],
    ["<a xmlns:p=''/>", "line 1: the declaration xmlns:p is not allowed"],
    ["<a xmlns:xmlns='u'/>", "line 1: the declaration xmlns:xmlns is not allowed"],
    ["<a xmlns:xml='u'/>", "line 1: the declaration xmlns:xml is not allowed"],
    ["<:a/>", 'line 1: ":a" is no name'],
    ["<a:b:c xmlns:a='u'/>", 'line 1: "a:b:c" is no name'],
    ["<1/>", "line 1: a name is missing"],
  ])("refuses %j", (text, expected) => expect(message(text)).toBe(expected));

  it.each([
    `<!DOCTYPE a><a/>`,
    `<!DOCTYPE a [<!ENTITY b SYSTEM "file:///etc/passwd">]><a>&b;</a>`,
    "<a><!ELEMENT b></a>",
  ])("refuses the document type of %s", (text) =>
    expect(message(text)).toBe("line 1: document types and entities of one's own are not read"),
  );

  it("has its own limits", () => {
    expect(message("<a>".repeat(XML_NESTING_MAX) + "</a>".repeat(XML_NESTING_MAX))).toBe("read");
    expect(message("<a>".repeat(XML_NESTING_MAX + 1))).toContain(
      `more than ${XML_NESTING_MAX} elements inside`,
    );
    expect(message(`<a>${"<b/>".repeat(XML_ELEMENTS_MAX)}</a>`)).toContain(`${XML_ELEMENTS_MAX} elements`);
    const attributes = Array.from({ length: XML_ATTRIBUTES_MAX + 1 }, (_, index) => `a${index}=""`);
    expect(message(`<a ${attributes.join(" ")}/>`)).toContain(`${XML_ATTRIBUTES_MAX} attributes`);
    expect(message(`<a>${"b<?c?>".repeat(XML_TEXTS_MAX + 1)}</a>`)).toContain(
      `${XML_TEXTS_MAX} pieces of text`,
    );
    expect(message(`<a>${" ".repeat(XML_LENGTH_MAX)}</a>`)).toContain(`${XML_LENGTH_MAX} characters`);
  });
});
