import { describe, expect, it } from "vitest";
import { MarcError } from "../../../../src/import/marc/record.ts";
import { readMarcXml } from "../../../../src/import/marc/xml.ts";
import { XmlError } from "../../../../src/import/xml/decode.ts";
import { marcXml } from "../../../support/marc/build-marc.ts";

const SLIM = 'xmlns="http://www.loc.gov/MARC21/slim"';
const record = (inside: string) =>
  `<record ${SLIM}><leader>00000nam a2200000 a 4500</leader>${inside}</record>`;

function problem(text: string): string {
  try {
    const { fields } = readMarcXml(text);
    return fields.map((field) => ("value" in field ? field.value : field.subfields).length).join();
  } catch (error) {
    if (error instanceof MarcError) return `${error.problem}: ${error.message}`;
    throw error;
  }
}

describe("readMarcXml", () => {
  it("reads leader and fields in order", () => {
    expect(readMarcXml(marcXml({ fields: ["001 ocm1", "245 10‡aA & B :‡bmore"] }))).toEqual({
      leader: "00000nam a2200000 a 4500",
      fields: [
        { tag: "001", value: "ocm1" },
        {
          tag: "245",
          ind1: "1",
          ind2: "0",
          subfields: [
            ["a", "A & B :"],
            ["b", "more"],
          ],
        },
      ],
    });
  });

  it("reads line ends and indentation as blanks", () => {
    const laidOut = `<record ${SLIM}>
      <leader>
        00000nam a2200000 a 4500
      </leader>
      <controlfield tag="001">
        ocm1
      </controlfield>
      <datafield tag="245" ind1="1" ind2="0">
        <subfield code="a">A title that goes
          on in a second line
        </subfield>
      </datafield>
    </record>`;
    const { leader, fields } = readMarcXml(laidOut);
    expect(leader).toBe("00000nam a2200000 a 4500");
    expect(fields).toMatchObject([
      { tag: "001", value: "ocm1" },
      { tag: "245", subfields: [["a", "A title that goes on in a second line"]] },
    ]);
    const blank = readMarcXml(laidOut.replace("00000nam", "     nam"));
    expect(blank.leader).toBe("     nam a2200000 a 4500");
  });

  it("reads the first record of a collection, with a prefix and comments", () => {
    const text = `<m:collection xmlns:m="http://www.loc.gov/MARC21/slim"><!-- a --><m:record><!-- b --><m:leader>L</m:leader>
      <m:controlfield tag="001">1</m:controlfield></m:record><m:record/></m:collection>`;
    expect(readMarcXml(text)).toEqual({ leader: "L", fields: [{ tag: "001", value: "1" }] });
  });

  it("reads text in NFC, with spaces that may break, and empty text", () => {
    const text = record(
      `<datafield tag="245"><subfield code="a">e\u0301\u00A0x </subfield><subfield code="b"/></datafield>`,
    );
    expect(readMarcXml(text).fields).toEqual([
      {
        tag: "245",
        ind1: " ",
        ind2: " ",
        subfields: [
          ["a", "é x "],
          ["b", ""],
        ],
      },
    ]);
  });

  it("leaves out tag FMT and unknown elements", () => {
    const text = record(
      `<controlfield tag="FMT">BK</controlfield><x/><controlfield tag="001">1</controlfield>`,
    );
    expect(readMarcXml(text).fields).toEqual([{ tag: "001", value: "1" }]);
  });

  it("keeps one field 008", () => {
    const many = ["001 1", "008 " + "a ".repeat(20), "008 " + "b".repeat(40)];
    expect(readMarcXml(marcXml({ fields: many })).fields).toEqual([
      { tag: "001", value: "1" },
      { tag: "008", value: "b".repeat(40) },
    ]);
  });

  it.each([
    ["<record/>", "bad-marc: The document has no MARC record"],
    ['<record xmlns="http://example.org/"/>', "bad-marc: The document has no MARC record"],
    [`<collection ${SLIM}/>`, "bad-marc: The document has no MARC record"],
    [`<collection ${SLIM}><leader/></collection>`, "bad-marc: The document has no MARC record"],
    [`<record ${SLIM}/>`, "bad-marc: The document has no MARC record"],
    [record(`<datafield tag=""/>`), "blank-tag: A field has no tag"],
    [record(`<controlfield/>`), "blank-tag: A field has no tag"],
    [
      record(`<datafield tag="245"><subfield code="">a</subfield></datafield>`),
      "bad-subfield: The field 245 has a subfield without a code",
    ],
    [
      record(`<datafield tag="245"><b code="a"/></datafield>`),
      "bad-subfield: The field 245 has a subfield without a code",
    ],
    [
      record(`<datafield tag="ABC"/><datafield tag="245"/>`),
      "bad-subfield: The field 245 follows a field whose tag is not a number",
    ],
    [record(`<datafield tag="ABC"/><datafield tag="945"/>`), "0,0"],
  ])("%#: %s", (text, expected) => expect(problem(text)).toBe(expected));

  it("reads a record with an unused field without a code", () => {
    const text = record(`<datafield tag="945"><subfield code="">a</subfield></datafield>`);
    expect(readMarcXml(text).fields.map(({ tag }) => tag)).toEqual(["945"]);
  });

  it("refuses text other than XML", () => expect(() => readMarcXml("<record>")).toThrow(XmlError));
});
