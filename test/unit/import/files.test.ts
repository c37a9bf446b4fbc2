import { describe, expect, it } from "vitest";
import { IMPORT_DATA_BYTES } from "../../../src/import/validate.ts";
import { type FileEntry, FILE_LINE_BYTES } from "../../../src/import/files/readers.ts";
import { type ImportFormat, IMPORT_FORMATS } from "../../../src/import/formats.ts";
import { XmlError } from "../../../src/import/xml/decode.ts";
import { joined, marcBytes, marcXml } from "../../support/marc/build-marc.ts";

const encoder = new TextEncoder();

async function* chunksOf(bytes: Uint8Array, size: number): AsyncGenerator<Uint8Array> {
  for (let at = 0; at < bytes.length; at += size) yield await Promise.resolve(bytes.subarray(at, at + size));
}

interface Reading {
  readonly size?: number;
  readonly start?: number;
  readonly records?: number;
  readonly name?: string;
}

async function read(format: ImportFormat, bytes: Uint8Array, reading: Reading = {}): Promise<FileEntry[]> {
  const { size = 1 << 16, start = 0, records = 0, name = "books" } = reading;
  const { entries: reader, isWhole } = IMPORT_FORMATS[format];
  const source = chunksOf(bytes.subarray(isWhole ? 0 : start), size);
  const entries: FileEntry[] = [];
  for await (const entry of reader({ name, source, start, records })) entries.push(entry);
  return entries;
}

function book(n: number): string {
  return JSON.stringify({ title: `Büch ${n}`, source_records: [`s:${n}`] });
}

const LINES = [
  book(1),
  "# a comment",
  `${book(2)}\r`,
  "",
  "{",
  "[]",
  '{"title":"no source"}',
  book(3),
  `{"title":"Ö"}`,
  book(4),
].join("\n");

function marc(n: number, leader = "nam"): Uint8Array {
  const bytes = marcBytes({ fields: [`001 id${n}`, `245 10‡aTitle ${n} – ä`] });
  bytes.set(encoder.encode(leader), 5);
  return bytes;
}

const SHORT = marc(3);
SHORT.set(encoder.encode("00099"));
const MARC = joined([marc(1), marc(2), encoder.encode("\n"), SHORT, marc(4, "nas"), marc(5, "nem"), marc(6)]);

const XML_RECORDS = [
  marcXml({ fields: ["245 10‡aFirst"] }),
  marcXml({ fields: ["245 10‡aSecond & more"] }),
  '<record xmlns="http://www.loc.gov/MARC21/slim"><leader>x</record>',
  marcXml({ fields: ["100 1 ‡aNo title"] }),
  marcXml({ fields: ["245 10‡aLast"] }),
];
const MARC_XML = encoder.encode(
  `<?xml version="1.0"?>\n<collection xmlns="http://www.loc.gov/MARC21/slim">\n${XML_RECORDS.join("\n")}\n</collection>`,
);

const entry = (title: string) =>
  `<entry><title>${title}</title><author><name>A. Writer</name></author></entry>`;
const FEED = encoder.encode(
  `<feed xmlns="http://www.w3.org/2005/Atom"><title>All</title>${["One", "Two", "Three"].map(entry).join("")}</feed>`,
);
const RDF = encoder.encode(
  '<rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#" xmlns:t="http://purl.org/dc/terms/"><rdf:Description><t:title>A title</t:title></rdf:Description></rdf:RDF>',
);

const FILES: Readonly<Record<ImportFormat, Uint8Array>> = {
  jsonl: encoder.encode(LINES),
  marc: MARC,
  marcxml: MARC_XML,
  opds: FEED,
  rdf: RDF,
};

describe.each(Object.entries(FILES) as [ImportFormat, Uint8Array][])("a file of %s", (format, bytes) => {
  it("is read the same in pieces of any size", async () => {
    const whole = await read(format, bytes);
    expect(whole.length).toBeGreaterThan(0);
    for (const size of [1, 2, 7, 64, 1000]) expect(await read(format, bytes, { size })).toEqual(whole);
  });

  it("is read on from the end of every entry", async () => {
    const whole = await read(format, bytes);
    for (const [index, { end }] of whole.entries()) {
      const rest = await read(format, bytes, { start: end, records: index + 1, size: 50 });
      expect(rest).toEqual(whole.slice(index + 1));
    }
    const ends = whole.map(({ end }) => end);
    expect(ends).toEqual([...new Set(ends)].toSorted((a, b) => a - b));
    expect(ends.at(-1)).toBeLessThanOrEqual(bytes.length);
  });
});

/** Returns a summary of the entries. */
function outcomes(entries: readonly FileEntry[]): string[] {
  return entries.map(({ item }) => {
    if (item === undefined) return "nothing";
    return item.status === "failed" ? `${item.ia_id} ${item.error}` : `${item.ia_id} at ${item.place}`;
  });
}

describe("items of a file", () => {
  it("are its lines, including unreadable ones", async () => {
    const entries = await read("jsonl", FILES.jsonl);
    const at = (line: number): string => {
      const before =
        encoder.encode(
          LINES.split("\n")
            .slice(0, line - 1)
            .join("\n"),
        ).length + 1;
      return `batch:books:${before}:${encoder.encode(LINES.split("\n")[line - 1]).length + 1}`;
    };
    expect(outcomes(entries)).toEqual([
      "s:1 at 1",
      "nothing",
      "s:2 at 3",
      "nothing",
      `${at(5)} invalid-json`,
      `${at(6)} invalid-json`,
      `${at(7)} missing-required-field`,
      "s:3 at 8",
      `${at(9)} missing-required-field`,
      "s:4 at 10",
    ]);
    expect(entries[0]?.item?.data).toBe('{"source_records":["s:1"],"title":"Büch 1"}');
    expect(entries[4]?.item).toMatchObject({ place: 5, comments: expect.stringContaining("JSON") });
  });

  it("are its MARC records; serials and maps fail alone", async () => {
    const entries = await read("marc", MARC, { name: "marc_x/part.mrc" });
    const length = marc(1).length;
    const source = (offset: number, size = length): string => `marc:marc_x/part.mrc:${offset}:${size}`;
    expect(outcomes(entries)).toEqual([
      `${source(0)} at 0`,
      `${source(length)} at ${length}`,
      `${source(2 * length + 1)} at ${2 * length + 1}`,
      `${source(3 * length + 1)} item-is-serial`,
      `${source(4 * length + 1)} item-not-book`,
      `${source(5 * length + 1)} at ${5 * length + 1}`,
    ]);
    expect(entries[0]?.item).not.toHaveProperty("warnings");
    expect(JSON.parse(entries[2]?.item?.warnings ?? "")).toMatchObject([
      { field: "leader", value: "00099", code: "damaged-record" },
    ]);
    expect(JSON.parse(entries[0]?.item?.data ?? "")).toMatchObject({
      title: "Title 1 – ä",
      source_records: [source(0)],
    });
    const [own] = await read("marc", MARC);
    expect(own?.item?.ia_id).toBe(`marc:imports/books:0:${length}`);
  });

  it("are the records of a collection of MARCXML", async () => {
    const titles = (await read("marcxml", MARC_XML)).map(({ item }) =>
      item?.status === "failed" ? item.error : JSON.parse(item?.data ?? "").title,
    );
    expect(titles).toEqual(["First", "Second & more", "invalid-xml", "invalid-marc-record", "Last"]);
    const [first] = await read("marcxml", MARC_XML);
    const offset = new TextDecoder().decode(MARC_XML).indexOf("<record");
    expect(first?.item).toMatchObject({ place: offset });
    expect(first?.item?.ia_id).toMatch(new RegExp(`^marc:imports/books:${offset}:\\d+$`));
  });

  it("are the entries of a catalog, or the one of a document", async () => {
    expect(outcomes(await read("opds", FEED))).toEqual([
      "opds:imports/books:1 at 1",
      "opds:imports/books:2 at 2",
      "opds:imports/books:3 at 3",
    ]);
    const [rdf] = await read("rdf", RDF);
    expect(JSON.parse(rdf?.item?.data ?? "")).toEqual({
      source_records: ["rdf:imports/books:1"],
      title: "A title",
    });
    expect(await read("opds", RDF)).toEqual([]);
    await expect(read("opds", encoder.encode("<feed>"))).rejects.toThrow(XmlError);
  });

  it("are limited to the size that can be stored", async () => {
    const long = JSON.stringify({ title: "x".repeat(IMPORT_DATA_BYTES), source_records: ["s:long"] });
    const endless = " ".repeat(FILE_LINE_BYTES + 1);
    const file = encoder.encode([book(1), long, endless, book(2)].join("\n"));
    const entries = await read("jsonl", file);
    expect(entries.map(({ item }) => item?.error ?? item?.ia_id)).toEqual([
      "s:1",
      "invalid-value",
      "invalid-value",
      "s:2",
    ]);
    expect(entries.at(-1)?.end).toBe(file.length);
  });
});
