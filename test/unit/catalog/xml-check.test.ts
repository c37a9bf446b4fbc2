import { describe, expect, it } from "vitest";
import { XML_DEPTH_MAX, findXmlError } from "../../../src/catalog/xml.ts";

const nested = (depth: number): string => "<a>".repeat(depth) + "</a>".repeat(depth);

describe("findXmlError", () => {
  it.each([
    "<a/>",
    '<?xml version="1.0"?>\n<!-- note --><a b="1" c=\'2\'><d:e/>x &amp; &#65; &#x41; &unknown;</a>\n',
    "\uFEFF<fulfillment><status>ok</status></fulfillment>",
    "<a><![CDATA[<b> & ]] ]]></a>",
    "<ä><b></b\n></ä>",
    nested(XML_DEPTH_MAX),
  ])("accepts %j", (document) => {
    expect(findXmlError(document)).toBeUndefined();
  });

  it.each([
    ["", "no element found"],
    ["  ", "no element found"],
    ["plain", "junk at character 0"],
    ["<a>", "an element is not closed"],
    ["<a></b>", "mismatched tag at character 3"],
    ["</a>", "junk at character 0"],
    ["<a/><b/>", "junk at character 4"],
    ["<a b=1/>", "syntax error at character 0"],
    ["<a>&</a>", "syntax error at character 3"],
    ["<a", "syntax error at character 0"],
    ["<!-- -- --><a/>", "syntax error at character 0"],
    ['<!DOCTYPE a [<!ENTITY b "c">]><a>&b;</a>', "syntax error at character 0"],
    ['{"a":1}', "junk at character 0"],
    [nested(XML_DEPTH_MAX + 1), "more than 100 elements inside one another"],
  ])("%j: %s", (document, error) => {
    expect(findXmlError(document)).toBe(error);
  });

  it("takes linear time", () => {
    const documents = ["<!--", "<![CDATA[", "<a ", '<a b="', "&", "<?x ", "<a> ", "]]", "-"];
    for (const document of documents) expect(findXmlError(document.repeat(20_000))).toBeDefined();
  });
});
