import { describe, expect, it } from "vitest";
import { IMPORT_FORMATS, type ImportFormat } from "../../../src/import/formats.ts";
import { parseImport } from "../../../src/import/parse.ts";
import type { ImportWarning } from "../../../src/import/warning.ts";
import { marcBytes, marcXml } from "../../support/marc/build-marc.ts";

const SLIM = "http://www.loc.gov/MARC21/slim";
const encoder = new TextEncoder();
const one = (title: string) => marcXml({ fields: [`245 10‡a${title}`] });
/** The record without its own namespace, with a prefix. */
const bare = (title: string, prefix = "") =>
  one(title)
    .replace(` xmlns="${SLIM}"`, "")
    .replaceAll(/<(\/?)/g, `<$1${prefix}`);
const oai = (inside: string, root = "") =>
  `<OAI-PMH xmlns="http://www.openarchives.org/OAI/2.0/" ${root}><ListRecords>${inside}</ListRecords></OAI-PMH>`;
const oaiRecord = (metadata: string) =>
  `<record><header><identifier>x</identifier></header><metadata>${metadata}</metadata><about><p xmlns="urn:p"/></about></record>`;
const DELETED = `<record><header status="deleted"><identifier>y</identifier></header></record>`;
const sru = (inside: string) =>
  `<zs:searchRetrieveResponse xmlns:zs="http://www.loc.gov/zing/srw/"><zs:records>${inside}</zs:records></zs:searchRetrieveResponse>`;
const sruRecord = (data: string, space = "") =>
  `<zs:record><zs:recordSchema>marcxml</zs:recordSchema><zs:recordData ${space}>${data}</zs:recordData><zs:recordPosition>1</zs:recordPosition></zs:record>`;

const XML: readonly [string, string][] = [
  ["OAI", oai(oaiRecord(one("A")) + DELETED + oaiRecord(one("B")))],
  ["OAI with prefixes", oai(oaiRecord(bare("A", "m:")) + oaiRecord(bare("B", "m:")), `xmlns:m="${SLIM}"`)],
  [
    "a namespace of the element around the record",
    oai(oaiRecord(`<x xmlns="${SLIM}">${bare("A")}</x>`) + oaiRecord(one("B"))),
  ],
  ["SRU", sru(sruRecord(one("A")) + sruRecord(one("B")))],
  ["SRU with prefixes", sru(["A", "B"].map((t) => sruRecord(bare(t, "m:"), `xmlns:m='${SLIM}'`)).join(""))],
  ["another wrapper", `<a><b xmlns="${SLIM}">${bare("A")}<c/>${bare("B")}</b></a>`],
  ["MarcXchange", `<collection xmlns="info:lc/xmlns/marcxchange-v2">${bare("A")}${bare("B")}</collection>`],
  [
    "MarcXchange of 2004",
    `<m:collection xmlns:m="http://www.bs.dk/standards/MarcXchange">${bare("A", "m:")}${bare("B", "m:")}</m:collection>`,
  ],
  [
    "elements before the leader",
    `<collection xmlns="${SLIM}">${["A", "B"].map((t) => bare(t).replace("<leader>", "<identifier>x:5</identifier><datestamp/><leader>")).join("")}</collection>`,
  ],
  [
    "no leader",
    `<collection xmlns="${SLIM}">${["A", "B"].map((t) => bare(t).replace(/<leader>.*<.leader>/, "")).join("")}</collection>`,
  ],
  ["a byte order mark", `\uFEFF<collection xmlns="${SLIM}">${bare("A")}${bare("B")}</collection>`],
];

async function titlesOf(format: ImportFormat, bytes: Uint8Array, size: number): Promise<unknown[]> {
  const pieces = Array.from({ length: Math.ceil(bytes.length / size) }, (_, n) =>
    bytes.subarray(n * size, (n + 1) * size),
  );
  const titles: unknown[] = [];
  const file = {
    name: "f",
    source: (async function* () {
      yield* pieces;
    })(),
    start: 0,
    records: 0,
  };
  for await (const { item } of IMPORT_FORMATS[format].entries(file)) {
    titles.push(item?.data === undefined ? item?.comments : JSON.parse(item.data).title);
  }
  return titles;
}

describe("records of MARCXML in an envelope (Q778)", () => {
  it.each(XML)("%s: each is an item of a file", async (_, text) => {
    for (const size of [3, 1 << 16])
      expect(await titlesOf("marcxml", encoder.encode(text), size)).toEqual(["A", "B"]);
  });

  it.each(XML)(
    "%s: the first is imported by a request, and a warning has the number of the others",
    async (_, text) => {
      const warnings: ImportWarning[] = [];
      const body = encoder.encode(text.startsWith("<a>") ? `<?xml version="1.0"?>${text}` : text);
      const record = await parseImport(body, [{ name: "source_record", value: "x:1" }], { warnings });
      expect(record["title"]).toBe("A");
      expect(warnings).toContainEqual(expect.objectContaining({ code: "other-records", value: "1" }));
    },
  );

  it("has a warning of a leader that is missing", async () => {
    const warnings: ImportWarning[] = [];
    const body = encoder.encode(one("A").replace(/<leader>.*<.leader>/, ""));
    await parseImport(body, [{ name: "source_record", value: "x:1" }], { warnings });
    expect(warnings).toEqual([expect.objectContaining({ code: "damaged-record", field: "leader" })]);
  });
});

describe("a byte order mark", () => {
  const record = {
    title: "T",
    authors: [{ name: "A" }],
    publishers: ["P"],
    publish_date: "2001",
    source_records: ["x:1"],
  };
  const line = encoder.encode(`\uFEFF${JSON.stringify(record)}\n`);
  const marc = new Uint8Array([0xef, 0xbb, 0xbf, ...marcBytes({ fields: ["245 10‡aT"] })]);
  it.each<[ImportFormat, Uint8Array]>([
    ["jsonl", line],
    ["marc", marc],
  ])("before %s is skipped", async (format, bytes) => {
    expect(await titlesOf(format, bytes, 1 << 16)).toEqual(["T"]);
    expect(await parseImport(bytes, [{ name: "source_record", value: "x:1" }])).toMatchObject({ title: "T" });
  });
});

describe("a format that is not read", () => {
  const utf16 = (text: string) =>
    new Uint8Array(new Uint16Array(Array.from(`\uFEFF${text}`, (c) => c.charCodeAt(0))).buffer);
  it.each<[RegExp, Uint8Array]>([
    [/ZIP archive/, encoder.encode("PK\u0003\u0004\u0014")],
    [/gzip/, Uint8Array.of(0x1f, 0x8b, 8)],
    [/UTF-16/, utf16('{"title":"T"}')],
    [/\.mrk/, encoder.encode("=LDR  00000nam\r\n=245  10$aT")],
    [/\.mrk/, encoder.encode("\uFEFF=LDR  00000nam")],
  ])("is named: %s", async (message, bytes) => {
    await expect(parseImport(bytes, [])).rejects.toMatchObject({
      code: "unrecognised-import-format",
      message: expect.stringMatching(message),
    });
  });

  it("is named if it is UNIMARC", async () => {
    const unimarc = {
      fields: ["010   ‡a2-07-036822-X", "101 0 ‡afre", "200 1 ‡aL'étranger‡fCamus", "700  1‡aCamus‡bAlbert"],
    };
    for (const body of [marcBytes(unimarc), encoder.encode(marcXml(unimarc))]) {
      await expect(parseImport(body, [])).rejects.toMatchObject({
        message: expect.stringContaining("UNIMARC"),
      });
    }
  });

  it("is read as XML in UTF-16", async () => {
    expect(
      await parseImport(utf16(`<?xml version="1.0" encoding="UTF-16"?>${one("T")}`), [
        { name: "source_record", value: "x:1" },
      ]),
    ).toMatchObject({ title: "T" });
  });
});
