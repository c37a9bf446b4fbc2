import { Buffer } from "node:buffer";
import marc4js, { type Record as Marc4jsRecord } from "marc4js";
import { describe, expect, it } from "vitest";
import type { CatalogRecord } from "../../../src/catalog/record.ts";
import { renderXmlDocument } from "../../../src/catalog/xml.ts";
import { MARCXML, toMarcText, toMarcXml } from "../../../src/export/marc/containers.ts";
import { marcOfBook } from "../../../src/export/marc/record.ts";
import { readMarc } from "../../../src/import/marc/binary.ts";
import { editionOfMarc } from "../../../src/import/marc/edition.ts";
import type { MarcRecord } from "../../../src/import/marc/record.ts";
import { readMarcXml } from "../../../src/import/marc/xml.ts";
import { FULL, author, editionBook, workBook } from "./books.ts";

/** Fields as people write them: `245 10 $aTitle`. */
function lines({ fields }: MarcRecord): string[] {
  return fields.map((field) =>
    "subfields" in field
      ? `${field.tag} ${field.ind1}${field.ind2} ${field.subfields.map(([code, value]) => `$${code}${value}`).join("")}`
      : `${field.tag} ${field.value}`,
  );
}

const linesOf = (members: CatalogRecord, ...authors: CatalogRecord[]) =>
  lines(marcOfBook(editionBook(members, { authors })));
const bytesOf = (record: MarcRecord) => new TextEncoder().encode(toMarcText(record));

describe("a book as a record of MARC", () => {
  it("has the known data", () => {
    expect(lines(marcOfBook(FULL))).toEqual([
      "001 OL1M",
      "005 20260102101112.0",
      "008 080401e20030301enk|||||||||||||| ||eng d",
      "010    $a2002028562",
      "020    $a0141439513$qPaperback",
      "020    $a9780141439518$qPaperback",
      "024 7  $aQ170583$2wikidata",
      "035    $a(goodreads)1885",
      "035    $a(OCoLC)50503123",
      "050  4 $aPR4034$b.P7 2003",
      "082 04 $a823/.7",
      "100 1  $aAusten, Jane$d16 December 1775-1817$1http://viaf.org/viaf/102333412",
      "245 14 $aThe Pride & Prejudice$ba novel$cby Jane Austen",
      "250    $a2nd ed.",
      "260    $aLondon$bPenguin$bOther$cMarch 1, 2003",
      "300    $a480 pages",
      "490 0  $aPenguin classics$v12",
      "500    $aA note.",
      "505 0  $a1 Netherfield 3",
      "520    $aFive <sisters>.",
      "520    $aOne mother.",
      "600 04 $aDarcy$d1790-1820",
      "650  4 $aSisters",
      "650  4 $aCourtship",
      "651  4 $aEngland",
      "700 1  $aJones, Vivien$eEditor$4edt",
      "700 1  $aDoe, Tilda$eTranslator$4trl",
      "758    $iInstance of:$aThe work$1http://books.example/works/OL1W",
      "856 40 $uhttp://archive.example/details/prideprejudice00aust$3Scan",
    ]);
  });

  it.each<[CatalogRecord, string]>([
    [{}, "nuuuuuuuu|||"],
    [{ publish_date: "19uu" }, "s19uu    |||"],
    [{ publish_date: "[199-?]" }, "s199u    |||"],
    [{ publish_date: "between 1850 and 1860?" }, "q18501860|||"],
    [{ publish_date: "1999-2001" }, "m19992001|||"],
    [{ publish_date: "400 B.C." }, "b        |||"],
    [{ publish_date: "9999" }, "nuuuuuuuu|||"],
    [{ publish_date: "c1999." }, "s1999    |||"],
    [{ publish_date: "May 1999" }, "e199905  |||"],
    [{ publish_date: "1999", copyright_date: "1998", publish_country: "xx" }, "t19991998xx "],
    [{ publish_date: "[n.d.]", publish_country: "England" }, "nuuuuuuuu|||"],
  ])("codes the date and the country of %o", (members, coded) => {
    const [, field = ""] = linesOf(members);
    expect(field).toHaveLength("008 ".length + 40);
    expect(field.slice(10, 22)).toBe(coded);
  });

  it("inverts personal names and keeps those of organisations", () => {
    const fields = linesOf(
      {},
      author(1, { name: "Martin Luther King Jr.", birth_date: "1929", death_date: "1968" }),
      author(2, { name: "Israel Meir ha-Kohen", personal_name: "Israel Meir", title: "ha-Kohen" }),
      author(3, { name: "Ministry of Truth", entity_type: "org" }),
      author(4, { name: "World Congress (2nd)", entity_type: "event" }),
      author(5, { name: "Simone de Beauvoir", date: "fl. 1950", birth_date: "", role: "Rewriter" }),
      author(6, { name: "Plato" }),
      author(7, { name: "Homer (poet)", birth_date: "0800-01-01" }),
    );
    expect(fields.filter((field) => /^[17]/.test(field)).slice(0, -1)).toEqual([
      "100 1  $aKing, Martin Luther$cJr.$d1929-1968",
      "700 0  $aIsrael Meir$cha-Kohen",
      "700 1  $aBeauvoir, Simone de$dfl. 1950$eRewriter",
      "700 0  $aPlato",
      "700 0  $aHomer (poet)$d0800-",
      "710 2  $aMinistry of Truth",
      "711 2  $aWorld Congress (2nd)",
    ]);
  });

  it("marks a missing author, and skips articles in sorting", () => {
    const [field] = linesOf({ title: "Die Frau", languages: [{ key: "/languages/ger" }] }).slice(2);
    expect(field).toBe("245 04 $aDie Frau");
    expect(lines(marcOfBook(workBook({ title: "L'homme" })))).toContain("245 00 $aL'homme");
    const marked = workBook({ title: "Az ember", title_article: "Az " });
    expect(lines(marcOfBook(marked))).toContain("245 03 $aAz ember");
  });

  it.each<[CatalogRecord, string]>([
    [{ series: ["Sea texts"] }, "490 0  $aSea texts"],
    [{ series: ["Sea texts, no. 3"] }, "490 0  $aSea texts$vno. 3"],
    [{ lc_classifications: ["Folio 12"] }, "050  4 $aFolio 12"],
    [{ subject_people: ["Darcy (fictional)"] }, "600 04 $aDarcy (fictional)"],
    [{ languages: [{ key: "/languages/eng" }, { key: "/languages/fre" }] }, "041 0  $aeng$afre"],
    [
      { languages: [{ key: "/languages/eng" }], translated_from: [{ key: "/languages/nor" }] },
      "041 1  $aeng$hnor",
    ],
  ])("writes %o as %s", (members, field) => expect(linesOf(members)).toContain(field));

  it("keeps subjects that an import would invert", () => {
    const subjects = ["Fiction, Historical", "Fiction, general", "History, etc."];
    const fields = linesOf({ subjects, subject_places: ["West Indies, British"], subject_times: ["1900s"] });
    expect(fields.filter((field) => field.startsWith("6"))).toEqual([
      "648  4 $a1900s",
      "650  4 $aFiction, general",
      "653  0 $aFiction, Historical",
      "653  0 $aHistory, etc.",
      "653  5 $aWest Indies, British",
    ]);
  });

  it("contains no delimiters in values", async () => {
    const book = editionBook({
      title: "A\u001Db\u001Ec\u001Fd\ne",
      notes: "\u0301 mark",
      publish_date: "1999",
    });
    const read = editionOfMarc(await readMarc(bytesOf(marcOfBook(book))));
    expect(read).toMatchObject({ title: "A b c d e", notes: "\u0301 mark", publish_date: "1999" });
  });
});

describe("a record above the size limit of MARC", () => {
  const long = (words: number, word = "wörd") => Array.from({ length: words }, () => word).join(" ");

  it("is truncated but readable, and complete in MARCXML", async () => {
    const record = marcOfBook(
      editionBook({
        title: long(3000),
        publishers: Array.from({ length: 2000 }, (_, index) => `Publisher ${index}`),
        description: long(60_000),
        notes: `${long(400)}++`,
        subjects: Array.from({ length: 3000 }, (_, index) => `Subject ${index}`),
        isbn_13: ["9780141439518"],
      }),
    );
    const bytes = bytesOf(record);
    expect(bytes.length).toBeLessThanOrEqual(99_999);
    expect(bytes.length).toBeGreaterThan(90_000);
    const read = editionOfMarc(await readMarc(bytes));
    expect(String(read["title"])).toMatch(/^(?:wörd )+wö?r?d?$/);
    expect(read).toMatchObject({ isbn_13: ["9780141439518"] });
    expect(Object(read["subjects"]).length).toBeGreaterThan(500);
    const whole = editionOfMarc(readMarcXml(renderXmlDocument(toMarcXml(record, MARCXML))));
    expect(whole).toMatchObject({ title: long(3000) });
    expect(whole["subjects"]).toHaveLength(3000);
    expect(String(whole["description"]).replaceAll("\n\n", " ")).toBe(long(60_000));
  });
});

describe("marc4js", () => {
  const binary = Buffer.from(bytesOf(marcOfBook(FULL)));
  const shown = (record: Marc4jsRecord) => [
    ...record._controlFields.map(({ _tag, _data }) => `${_tag} ${_data}`),
    ...record._dataFields.map(
      ({ _tag, _indicator1, _indicator2, _subfields }) =>
        `${_tag} ${_indicator1}${_indicator2} ${_subfields.map(({ _code, _data }) => `$${_code}${_data}`).join("")}`,
    ),
  ];

  it("reads both containers", async () => {
    const fromBinary = await parsed(binary, { fromFormat: "iso2709" });
    const fromXml = await parsed(renderXmlDocument(toMarcXml(marcOfBook(FULL), MARCXML)), {
      fromFormat: "marcxml",
    });
    expect(fromBinary.map(shown)).toEqual([lines(marcOfBook(FULL))]);
    expect(fromXml.map(shown)).toEqual([lines(marcOfBook(FULL))]);
  });
});

function parsed(data: Buffer | string, options: object): Promise<Marc4jsRecord[]> {
  return new Promise((resolve, reject) => {
    marc4js.parse(data, options, (error, records) =>
      error === null || error === undefined ? resolve(records) : reject(error),
    );
  });
}
