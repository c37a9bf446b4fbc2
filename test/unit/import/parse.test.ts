import { describe, expect, it } from "vitest";
import type { CatalogRecord } from "../../../src/catalog/record.ts";
import { ImportFailure } from "../../../src/import/failure.ts";
import type { HeaderFields } from "../../../src/import/builder.ts";
import { type StagedLookup, parseImport } from "../../../src/import/parse.ts";
import type { ImportWarning } from "../../../src/import/warning.ts";

const SOURCE: HeaderFields = [{ name: "source_record", value: "partner:1" }];
const RECORD = {
  title: "T",
  source_records: ["x:1"],
  authors: [{ name: "A" }],
  publishers: ["P"],
  publish_date: "2001",
};
const DECLARED = '<?xml version="1.0" encoding="utf-8"?>\n';
const MARCXML_RECORD = `<record xmlns="http://www.loc.gov/MARC21/slim"><leader>00000nam a2200000 a 4500</leader>
  <datafield tag="245" ind1="0" ind2="0"><subfield code="a">Title of a record</subfield></datafield></record>`;
const ENTRY = `<entry xmlns="http://www.w3.org/2005/Atom" xmlns:t="http://purl.org/dc/terms/"><title>T</title>
  <author><name>A</name></author><t:publisher>P</t:publisher><t:issued>2001</t:issued></entry>`;
const RDF = `<r:RDF xmlns:r="http://www.w3.org/1999/02/22-rdf-syntax-ns#" xmlns:t="http://purl.org/dc/terms/"
  xmlns:b="http://purl.org/ontology/bibo/"><r:Description><t:title>T</t:title><b:lccn>85000002</b:lccn>
  </r:Description></r:RDF>`;

/** A binary record with one field 245, in UTF-8. */
function marc(title = "\u{1f}aTitle of a record"): string {
  const field = `10${title}\u001E`;
  const directory = `245${String(field.length).padStart(4, "0")}00000\u001E`;
  const length = 24 + directory.length + field.length + 1;
  const leader = `${String(length).padStart(5, "0")}nam a22${String(24 + directory.length).padStart(5, "0")} a 4500`;
  return `${leader}${directory}${field}\u001D`;
}

function parse(body: string | Uint8Array, fields: HeaderFields = [], staged?: StagedLookup) {
  return parseImport(typeof body === "string" ? new TextEncoder().encode(body) : body, fields, {
    ...(staged !== undefined && { staged }),
  });
}

async function failureOf(body: string | Uint8Array, fields: HeaderFields = []): Promise<[string, string]> {
  try {
    await parse(body, fields);
  } catch (error) {
    if (error instanceof ImportFailure) return [error.code, error.message];
    throw error;
  }
  throw new Error("It was read");
}

describe("JSON", () => {
  it("is read and cleaned, without the whitespace around it", async () => {
    const sent = { ...RECORD, authors: [{ name: "A" }, { name: "unknown" }] };
    expect(await parse(` \r\n\t\v\f${JSON.stringify(sent)}\n `)).toEqual(RECORD);
  });

  it("is filled from headers before validation", async () => {
    const fields = [...SOURCE, { name: "publish_date", value: "2001" }];
    const { publish_date: _date, source_records: _sources, ...rest } = RECORD;
    expect(await parse(JSON.stringify(rest), fields)).toEqual({ ...RECORD, source_records: ["partner:1"] });
  });

  it("is filled from the staged record if it is incomplete", async () => {
    const asked: (readonly string[])[] = [];
    const staged: StagedLookup = (identifiers) => {
      asked.push(identifiers);
      return Promise.resolve({ ...RECORD, publishers: null });
    };
    const record = { isbn_10: ["0140328726"], source_records: ["y:2"] };
    expect(await parse(JSON.stringify(record), [], staged)).toEqual({
      title: "T",
      authors: [{ name: "A" }],
      publish_date: "2001",
      isbn_10: ["0140328726"],
      source_records: ["y:2", "x:1"],
    });
    await parse(JSON.stringify(RECORD), [], staged);
    const unidentified = parse(JSON.stringify({ ...RECORD, title: "" }), [], staged);
    await expect(unidentified).rejects.toMatchObject({ code: "invalid-value" });
    expect(asked).toEqual([["0140328726", "9780140328721"]]);
  });

  it("stays the same without a staged record", async () => {
    const record = { ...RECORD, authors: [], isbn_10: ["0140328726"] };
    expect(await parse(JSON.stringify(record), [], () => Promise.resolve(undefined))).toEqual(record);
  });

  it("is refused by the validator", async () => {
    const { publish_date: _date, ...undated } = RECORD;
    expect(await failureOf(JSON.stringify(undated))).toEqual([
      "invalid-value",
      "1 validation error for CompleteBook: publish_date:   Field required [type=missing]",
    ]);
  });

  it("is refused if it is empty", async () => {
    expect(await failureOf("{}")).toEqual(["unknown-error", "Failed to parse import data"]);
  });

  it.each(["{]}", '{"a": }', "{'a': 1}", '{"a":1}}', "{{}", `{${"\u0000"}}`])(
    "is refused with the parser's words: %s",
    async (body) => {
      const [code, message] = await failureOf(body);
      expect(code).toBe("invalid-json");
      expect(message).toMatch(/JSON/);
    },
  );

  it("is refused if it is not UTF-8, too deep or has half a surrogate pair", async () => {
    const latin = Uint8Array.from(`{"title": "\u00E9"}`, (character) => character.charCodeAt(0));
    expect(await failureOf(latin)).toEqual(["invalid-json", "The record is not UTF-8"]);
    const deep = `{"a":${"[".repeat(200_000)}${"]".repeat(200_000)}}`;
    expect(await failureOf(deep)).toEqual(["invalid-json", "Values can be nested at most 64 levels deep"]);
    // Q671
    const half = String.raw`{"title": "a", "authors": [{"name": "\ud83d"}]}`;
    expect(await failureOf(half)).toEqual(["invalid-json", "Half a surrogate pair in authors.0.name"]);
  });
});

describe("XML", () => {
  it("is recognised by its root element", async () => {
    expect(await parse(DECLARED + ENTRY, SOURCE)).toMatchObject({ title: "T", publishers: ["P"] });
    expect(await parse(DECLARED + RDF, SOURCE)).toMatchObject({
      title: "T",
      lccn: ["85000002"],
      authors: [],
    });
    expect(await parse(DECLARED + MARCXML_RECORD, SOURCE)).toEqual({
      title: "Title of a record",
      source_records: ["partner:1"],
    });
  });

  it("is read from the first record of a collection", async () => {
    const second = MARCXML_RECORD.replace("Title of", "Second of");
    const collection = `<m:collection xmlns:m="http://www.loc.gov/MARC21/slim">${MARCXML_RECORD}${second}</m:collection>`;
    expect(await parse(DECLARED + collection, SOURCE)).toMatchObject({ title: "Title of a record" });
  });

  it("is read with a byte order mark and in another encoding", async () => {
    expect(await parse(`\uFEFF${DECLARED}${ENTRY}`, SOURCE)).toMatchObject({ title: "T" });
    const latin = DECLARED.replace("utf-8", "iso-8859-1") + ENTRY.replace("T</", "\u00E9</");
    const bytes = Uint8Array.from(latin, (character) => character.charCodeAt(0));
    expect(await parse(bytes, SOURCE)).toMatchObject({ title: "\u00E9" });
  });

  it.each([
    `<feed xmlns="http://www.w3.org/2005/Atom">${ENTRY}</feed>`,
    "<entry/>",
    '<record xmlns="http://example.org/"/>',
    '<RDF xmlns="http://www.w3.org/2005/Atom"/>',
  ])("is refused with another root: %s", async (body) => {
    expect(await failureOf(DECLARED + body, SOURCE)).toEqual([
      "unrecognized-XML-format",
      "Failed to parse import data",
    ]);
  });

  it.each([
    "",
    "<",
    "<a",
    ENTRY.replace("</entry>", ""),
    RDF.replace("<t:title>", "<t:title>&auml;"),
    `<!DOCTYPE entry [<!ENTITY e SYSTEM "file:///etc/passwd">]>${ENTRY}`,
  ])("is refused if it does not parse: %s", async (body) => {
    const [code, message] = await failureOf(DECLARED + body, SOURCE);
    expect(code).toBe("invalid-xml");
    expect(message).not.toBe("");
  });

  it("is refused without fields or by the validator", async () => {
    const empty = `${DECLARED}<entry xmlns="http://www.w3.org/2005/Atom"><title> </title></entry>`;
    expect(await failureOf(empty)).toEqual(["unknown-error", "Failed to parse import data"]);
    expect((await failureOf(DECLARED + ENTRY))[0]).toBe("invalid-value");
  });

  it("is refused with damaged MARC", async () => {
    const untagged = DECLARED + MARCXML_RECORD.replace('tag="245"', 'tag=""');
    expect((await failureOf(untagged, SOURCE))[0]).toBe("invalid-marc-record");
    const untitled = DECLARED + MARCXML_RECORD.replace('tag="245"', 'tag="246"');
    expect((await failureOf(untitled, SOURCE))[0]).toBe("invalid-marc-record");
  });
});

describe("MARC", () => {
  it("is read without validation", async () => {
    expect(await parse(`\n${marc()}\r\n`, SOURCE)).toEqual({
      title: "Title of a record",
      source_records: ["partner:1"],
    });
  });

  it("needs a source", async () => {
    const missing = "missing required field(s): source_records";
    expect(await failureOf(marc())).toEqual(["missing-required-field", missing]);
    expect(await failureOf(DECLARED + MARCXML_RECORD)).toEqual(["missing-required-field", missing]);
  });

  it("is refused if it is not one record", async () => {
    for (const body of [`${marc()}x`, marc().repeat(2), marc().slice(0, -20), "00000", "99999 bottles"]) {
      expect(await failureOf(body, SOURCE)).toEqual(["no-marc-record", "Failed to parse import data"]);
    }
  });

  it("is read with warnings if its end is missing, or its numbers are none", async () => {
    const warnings: ImportWarning[] = [];
    const body = new TextEncoder().encode(marc().slice(0, -1));
    expect(await parseImport(body, SOURCE, { warnings })).toMatchObject({ title: "Title of a record" });
    expect(warnings).toMatchObject([{ field: "leader", code: "damaged-record" }]);
  });

  // Q772
  it("is refused if its library has deleted it", async () => {
    for (const body of [
      marc().replace("nam a22", "dam a22"),
      DECLARED + MARCXML_RECORD.replace("nam", "dam"),
    ]) {
      expect((await failureOf(body, SOURCE))[0]).toBe("record-deleted");
    }
  });

  it("is refused if it is damaged", async () => {
    expect((await failureOf("00005", SOURCE))[0]).toBe("invalid-marc-record");
    expect((await failureOf(marc("\u001Fa"), SOURCE))[0]).toBe("invalid-marc-record");
  });
});

describe("MARCXML as pymarc writes it", () => {
  const bare = MARCXML_RECORD.replace(/ xmlns="[^"]*"/, "");
  it.each([
    ["without a declaration", MARCXML_RECORD],
    ["without a namespace either", bare],
    ["in a collection", `\n<collection>${bare}</collection>`],
    [
      "with a prefix",
      `<m:collection xmlns:m="http://www.loc.gov/MARC21/slim">${MARCXML_RECORD}</m:collection>`,
    ],
  ])("is read %s", async (_how, body) => {
    expect(await parse(body, SOURCE)).toEqual(await parse(DECLARED + MARCXML_RECORD, SOURCE));
  });
});

describe("other bodies", () => {
  it.each(["", "  ", "0000", "[]", "{", `{"a":1`, "title=T", ENTRY, `ten  bytes${DECLARED}`])(
    "are refused: %j",
    async (body) => {
      expect(await failureOf(body, SOURCE)).toEqual([
        "unrecognised-import-format",
        "Failed to parse import data",
      ]);
    },
  );
});

describe("damaged bodies", () => {
  it("are refused as an import failure or read", async () => {
    const bodies: string[] = [
      JSON.stringify(RECORD),
      DECLARED + ENTRY,
      DECLARED + RDF,
      DECLARED + MARCXML_RECORD,
      marc(),
    ];
    for (const body of bodies) {
      const bytes = new TextEncoder().encode(body);
      for (let at = 0; at < bytes.length; at += 1) {
        for (const byte of [0x00, 0x1f, 0x22, 0x3c, 0x7d, 0xff]) {
          const damaged = bytes.slice();
          damaged[at] = byte;
          const read: CatalogRecord | undefined = await parse(damaged, SOURCE).catch((error: unknown) => {
            if (error instanceof ImportFailure) return undefined;
            throw error;
          });
          if (read !== undefined) expect(Object.keys(read)).toContain("source_records");
        }
      }
    }
  });
});
