import { describe, expect, it } from "vitest";
import { type CatalogRecord, keysOf, keysWithin } from "../../../src/catalog/record.ts";
import { renderRdf } from "../../../src/catalog/rdf.ts";
import { xmlText } from "../../../src/catalog/xml.ts";
import { toBook } from "../../../src/export/book.ts";
import { formatRis } from "../../../src/export/citation-formats.ts";
import { toMarcText } from "../../../src/export/marc/containers.ts";
import { marcOfBook } from "../../../src/export/marc/record.ts";
import { modsOfBook } from "../../../src/export/xml-formats.ts";
import { readMarc } from "../../../src/import/marc/binary.ts";
import { editionOfMarc } from "../../../src/import/marc/edition.ts";
import type { ImportRecord } from "../../../src/import/record.ts";
import { recordOfRdf } from "../../../src/import/xml-records.ts";
import { parseXml } from "../../../src/import/xml/document.ts";
import { SmallCatalog } from "../../support/import/small-catalog.ts";
import { SITE, editionBook } from "./books.ts";

const RECORD: ImportRecord = {
  title: "The voyage",
  subtitle: "a tale",
  authors: [{ name: "Ann Author" }],
  publishers: ["House"],
  publish_date: "1999",
  languages: ["eng"],
  isbn_13: ["9780140328721"],
  source_records: ["x:1"],
};

/** Exports an edition as MARC and as RDF, and reads both. */
async function exportsOf(catalog: SmallCatalog, key: string, ofWork: CatalogRecord): Promise<ImportRecord[]> {
  const record = catalog.get(key);
  const work = { ...catalog.get(keysOf(record["works"])[0] ?? ""), ...ofWork };
  const names = [...keysOf(record["authors"]), ...keysWithin(work["authors"], "author")];
  const related = new Map(names.map((name) => [name, catalog.get(name)]));
  const marc = toMarcText(marcOfBook(toBook({ record, work, related }, SITE)));
  const rdf = renderRdf({ record, work, authors: related, ...SITE }) ?? "";
  return [editionOfMarc(await readMarc(new TextEncoder().encode(marc))), recordOfRdf(parseXml(rdf))];
}

describe("an edition is matched by its own export (Q779)", () => {
  it.each<[string, ImportRecord, CatalogRecord]>([
    ["plain", {}, {}],
    ["with a description", { description: "Its own.\n\nIn two parts." }, {}],
    ["with a description of the work", {}, { description: "A long\r\nstory. \n\nSecond  part." }],
    ["with a long description of the work", {}, { description: "word ".repeat(3000) }],
    [
      "with a typed description of the work",
      {},
      { description: { type: "/type/text", value: "Cafe\u0301" } },
    ],
    [
      "with subjects and times",
      { subjects: ["War"], subject_times: ["19th century", "1939-1945"] },
      { subjects: ["War"] },
    ],
    ["of sound", { physical_format: "Audio CD" }, {}],
    ["of maps", { physical_format: "Map" }, {}],
    ["of music", { physical_format: "[music]", pagination: "1 score" }, {}],
  ])("%s", async (_, members, ofWork) => {
    const catalog = new SmallCatalog();
    const { key } = catalog.load({ ...RECORD, ...members }).edition;
    const work = keysOf(catalog.get(key)["works"])[0] ?? "";
    const stored = new SmallCatalog(...["edition", "author"].flatMap((type) => catalog.all(type)), {
      ...catalog.get(work),
      ...ofWork,
    });
    for (const record of await exportsOf(catalog, key, ofWork)) {
      const { edition, work: outcome } = stored.decide({ ...record, source_records: ["x:1"] }).reply;
      expect([edition, outcome.status]).toEqual([{ key, status: "matched" }, "matched"]);
    }
  });

  it("has times, authors and numbers in another catalog", async () => {
    const catalog = new SmallCatalog();
    const { key } = catalog.load({ ...RECORD, subject_times: ["19th century", "1939-1945"] }).edition;
    const [marc, rdf] = await exportsOf(catalog, key, { subject_times: ["19th century", "1939-1945"] });
    expect(marc).toMatchObject({ subject_times: ["19th century", "1939-1945"] });
    expect(rdf).toMatchObject({ authors: [{ name: "Ann Author" }], isbn_13: ["9780140328721"] });
  });
});

describe("the kind of material in leader, MODS and RIS", () => {
  it.each<[CatalogRecord, string, string, string]>([
    [{}, "a", "text", "BOOK"],
    [{ physical_format: "Paperback" }, "a", "text", "BOOK"],
    [{ physical_format: "CD-ROM" }, "a", "text", "BOOK"],
    [{ physical_format: "[microform]" }, "a", "text", "BOOK"],
    [{ physical_format: "[sound recording]" }, "i", "sound recording", "SOUND"],
    [{ physical_format: "Audio CD" }, "i", "sound recording", "SOUND"],
    [{ physical_format: "Audiobook" }, "i", "sound recording", "SOUND"],
    [{ pagination: "2 audio discs (95 min.)" }, "i", "sound recording", "SOUND"],
    [{ physical_format: "DVD" }, "g", "moving image", "VIDEO"],
    [{ physical_format: "[videorecording]" }, "g", "moving image", "VIDEO"],
    [{ physical_format: "[cartographic material]" }, "e", "cartographic", "MAP"],
    [{ pagination: "1 map" }, "e", "cartographic", "MAP"],
    [{ pagination: "xii, 300 p., 2 maps" }, "a", "text", "BOOK"],
    [{ pagination: "1 score (24 pages)" }, "c", "notated music", "MUSIC"],
    [{ physical_format: "Sheet music" }, "c", "notated music", "MUSIC"],
  ])("%j", (members, leader, mods, ris) => {
    const book = editionBook(members);
    expect(marcOfBook(book).leader.charAt(6)).toBe(leader);
    expect(xmlText(modsOfBook(book))).toContain(`<typeOfResource>${mods}</typeOfResource>`);
    expect(formatRis(book)).toContain(`TY  - ${ris}\r\n`);
  });
});
