import { describe, expect, it } from "vitest";
import { XmlError, decodeXml } from "../../../../src/import/xml/decode.ts";
import type { ImportWarning } from "../../../../src/import/warning.ts";
import { bytewise } from "../../../support/marc/build-marc.ts";

describe("decodeXml", () => {
  it.each([
    ["UTF-8 without a declaration", new TextEncoder().encode("<é/>"), "<é/>"],
    ["its mark", new TextEncoder().encode("\uFEFF<é/>"), "<é/>"],
    [
      "a declared encoding",
      bytewise(`<?xml version="1.0" encoding="ISO-8859-1"?><\u00E9/>`),
      `<?xml version="1.0" encoding="ISO-8859-1"?><é/>`,
    ],
    ["UTF-16 by its mark", bytewise("\u00FF\u00FE<\0a\0/\0>\0"), "<a/>"],
    [
      "a declaration of UTF-16 that cannot be",
      bytewise(`<?xml encoding='UTF-16'?><a/>`),
      `<?xml encoding='UTF-16'?><a/>`,
    ],
  ])("reads %s", (_, bytes, expected) => expect(decodeXml(bytes)).toBe(expected));

  it.each([
    ["Latin-1 without a declaration", bytewise("<a>caf\u00E9</a>"), "<a>café</a>", "read-as-windows-1252"],
    [
      "UTF-8 called Latin-1",
      bytewise(`<?xml version="1.0" encoding="ISO-8859-1"?><\u00C3\u00A9/>`),
      `<?xml version="1.0" encoding="ISO-8859-1"?><é/>`,
      "read-as-utf-8",
    ],
    ["UTF-8 with a bad byte", bytewise("<a>\u00C3\u00A9\u00FF</a>"), "<a>é\uFFFD</a>", "damaged-text"],
  ])("reads %s, with a warning", (_, bytes, expected, code) => {
    const warnings: ImportWarning[] = [];
    expect(decodeXml(bytes, warnings)).toBe(expected);
    expect(warnings).toMatchObject([{ code, field: "encoding" }]);
  });

  it.each([
    ["bytes that are not the declared encoding", bytewise(`<?xml encoding="Shift_JIS"?><\u00E9/>`)],
    ["an unknown encoding", bytewise(`<?xml version="1.0" encoding="x-none"?><a/>`)],
  ])("refuses %s", (_, bytes) => expect(() => decodeXml(bytes)).toThrow(XmlError));
});
