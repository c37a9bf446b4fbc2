import { describe, expect, it } from "vitest";
import { XML_RECORD_BYTES_MAX, MarcError } from "../../../../src/import/marc/record.ts";
import { readMarcXml } from "../../../../src/import/marc/xml.ts";
import { splitMarcXmlRecords } from "../../../../src/import/marc/xml-stream.ts";
import { XmlError, decodeXml } from "../../../../src/import/xml/decode.ts";
import { bytewise } from "../../../support/marc/build-marc.ts";

const HEAD = `<?xml version="1.0" encoding="UTF-8"?>\n<collection xmlns="http://www.loc.gov/MARC21/slim">`;
const FOOT = "</collection>\n";
const one = (title: string) =>
  `<record><leader>L</leader><datafield tag="245"><subfield code="a">${title}</subfield></datafield></record>`;

async function* chunks(bytes: Uint8Array, size: number): AsyncGenerator<Uint8Array> {
  for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size);
}

interface Options {
  readonly size?: number;
  readonly from?: number;
}

/** Titles of the records of a file, or why one is refused. */
async function titles(file: string | Uint8Array, { size = 50, from }: Options = {}): Promise<string[]> {
  const bytes = typeof file === "string" ? new TextEncoder().encode(file) : file;
  const found = await Array.fromAsync(splitMarcXmlRecords(chunks(bytes, size), { from }));
  return found.map((piece) => {
    try {
      const [field] = readMarcXml(decodeXml(piece.bytes)).fields;
      return field && "subfields" in field ? (field.subfields[0]?.[1] ?? "") : "none";
    } catch (error) {
      if (error instanceof XmlError || error instanceof MarcError) return error.name;
      throw error;
    }
  });
}

describe("splitMarcXmlRecords", () => {
  it.each([1, 13, 1000])("splits a collection that comes in chunks of %i bytes", async (size) => {
    expect(await titles(`${HEAD}\n${one("é")}\n${one("漢")}${FOOT}`, { size })).toEqual(["é", "漢"]);
  });

  it("gives the position of a record", async () => {
    const file = HEAD + one("A") + one("B") + FOOT;
    const found = await Array.fromAsync(splitMarcXmlRecords(chunks(bytewise(file), 20)));
    expect(found.map(({ offset, length }) => file.slice(offset, offset + length))).toEqual([
      one("A"),
      one("B"),
    ]);
    expect(await titles(file, { from: (found[0]?.offset ?? 0) + 1 })).toEqual(["B"]);
  });

  it("reads prefixes and a record outside a collection", async () => {
    const prefixed = one("A").replaceAll(/<(\/?)/g, "<$1m:");
    expect(
      await titles(`<m:collection xmlns:m="http://www.loc.gov/MARC21/slim">${prefixed}</m:collection>`),
    ).toEqual(["A"]);
    expect(await titles(one("A").replace(">", ` xmlns="http://www.loc.gov/MARC21/slim">`))).toEqual(["A"]);
  });

  it("ignores records in comments and sections", async () => {
    const inside = `<leader>L</leader><datafield tag="245"><subfield code="a"><![CDATA[</record>]]></subfield></datafield>`;
    const file = `${HEAD}<!-- ${one("no")} --><?x <record>?><record a=">">${inside}</record>${one("B")}${FOOT}`;
    expect(await titles(file, { size: 3 })).toEqual(["</record>", "B"]);
  });

  it.each([
    ["a wrong tag", one("x").replace("</subfield>", "</b>")],
    ["an end that is missing", one("x").replace("</record>", "")],
    ["an end that is damaged", one("x").replace("</record>", "</recor>")],
    ["a start that has no end", one("x").replace("<record>", "<record a='")],
    ["a character that is none", one("\u0001")],
    ["an entity", one("&x;")],
    ["a comment that does not end", one("<!-- x")],
    ["a section that does not end", one("<![CDATA[ x")],
    ["an instruction that does not end", one("<?x")],
    ["a document type", one("<!DOCTYPE a>")],
  ])("isolates %s from other records", async (_, bad) => {
    expect(await titles(`${HEAD}${one("A")}${bad}${one("B")}${one("C")}${FOOT}`)).toEqual([
      "A",
      "XmlError",
      "B",
      "C",
    ]);
  });

  it("isolates bytes of another encoding", async () => {
    expect(await titles(bytewise(`${HEAD}${one("A")}${one("\u00E9")}${one("B")}${FOOT}`))).toEqual([
      "A",
      "é",
      "B",
    ]);
    const latin = HEAD.replace("UTF-8", "ISO-8859-1");
    expect(await titles(bytewise(`${latin}${one("\u00E9")}${FOOT}`))).toEqual(["é"]);
  });

  it("returns the start and whole length of a record that is too long", async () => {
    const long = one("x".repeat(2 * XML_RECORD_BYTES_MAX));
    const file = HEAD + one("A") + long + one("B") + FOOT;
    expect(await titles(file, { size: 65_536 })).toEqual(["A", "XmlError", "B"]);
    const many = one(`x${"<b/>".repeat(XML_RECORD_BYTES_MAX)}`);
    const found = await Array.fromAsync(
      splitMarcXmlRecords(chunks(bytewise(HEAD + many + one("B") + FOOT), 65_536)),
    );
    expect(found.map(({ length }) => length)).toEqual([many.length, one("B").length]);
    expect(found[0]?.bytes.length).toBeLessThan(XML_RECORD_BYTES_MAX + 200);
  });

  it("skips a document type between records", async () => {
    expect(await titles(`${HEAD}${one("A")}<!DOCTYPE a>${one("B")}${FOOT}`)).toEqual(["A", "B"]);
  });

  it("returns the rest at the end", async () => {
    expect(await titles(HEAD + one("A") + one("B").slice(0, 40))).toEqual(["A", "XmlError"]);
    expect(await titles("")).toEqual([]);
  });

  it.each([
    ["a document type", bytewise(`<!DOCTYPE collection><collection/>`)],
    ["UTF-16", bytewise("\u00FF\u00FE<\0a\0")],
    ["UTF-16 without a mark", bytewise("\0<\0a")],
  ])("refuses %s", async (_, bytes) => {
    await expect(Array.fromAsync(splitMarcXmlRecords(chunks(bytes, 100)))).rejects.toThrow(XmlError);
  });
});
