import { describe, expect, it } from "vitest";
import { decodedText } from "../../../../src/import/records/normalize.ts";

describe("decodedText", () => {
  it.each([
    ["&#1059; &amp; bar", "У & bar"],
    ["&#x41B;&hellip;&Omega;&thorn;&euro;", "Л…Ωþ€"],
    ["&#38;lt;", "&lt;"],
    ["&#65;&unknown;&amp", "A&unknown;&"],
    ["&#65;&NotEqualTilde;&notit;&copy2024", "A\u2242\u0338¬it;©2024"],
    ["&#150;&#x85;", "–…"],
    ["&#0;&#xD800;", "\uFFFD\uFFFD"],
    ["&#999999;", "\u{F423F}"],
    ["&#65;&constructor;&__proto__;", "A&constructor;&__proto__;"],
  ])("%j: %j", (text, decoded) => expect(decodedText(text)).toBe(decoded));

  it.each(["Tom & Jerry", "Foo &amp; Bar", "&#1234567;", "&#;", "&#xZ;", "&#65", "&#X41;"])(
    "leaves %j as it is",
    (text) => expect(decodedText(text)).toBe(text),
  );
});
