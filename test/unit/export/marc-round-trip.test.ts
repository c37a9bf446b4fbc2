import path from "node:path";
import { existsSync, readdirSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { type CatalogRecord, keysOf, keysWithin, stringsOf } from "../../../src/catalog/record.ts";
import { renderXmlDocument } from "../../../src/catalog/xml.ts";
import { type Book, toBook } from "../../../src/export/book.ts";
import { MARCXML, toMarcXml, toMarcText } from "../../../src/export/marc/containers.ts";
import { marcOfBook } from "../../../src/export/marc/record.ts";
import { readMarc } from "../../../src/import/marc/binary.ts";
import { editionOfMarc } from "../../../src/import/marc/edition.ts";
import { MarcError } from "../../../src/import/marc/record.ts";
import { splitMarcRecords } from "../../../src/import/marc/stream.ts";
import { splitMarcXmlRecords } from "../../../src/import/marc/xml-stream.ts";
import { readMarcXml } from "../../../src/import/marc/xml.ts";
import { XmlError, decodeXml } from "../../../src/import/xml/decode.ts";
import { ImportFailure } from "../../../src/import/failure.ts";
import type { ImportRecord } from "../../../src/import/record.ts";
import { SmallCatalog } from "../../support/import/small-catalog.ts";
import { marcBytes } from "../../support/marc/build-marc.ts";
import { ALL_LIBRARY_RECORDS, sampleOf } from "../../support/marc/library-records.ts";
import { fixtureBytes } from "../import/shared-fixtures.ts";
import { SITE } from "./books.ts";

const ROOT = path.join(import.meta.dirname, "../../../../shared/fixtures");
/** Most records of one file that are checked. */
const SAMPLE_SIZE = 6;
const FOLDERS = [
  "marc/bin",
  "marc/xml",
  "marc/extra/bin",
  "marc/extra/xml",
  "marc/extra/load",
  "external/marc",
];

const files = FOLDERS.flatMap((folder) =>
  existsSync(path.join(ROOT, folder))
    ? readdirSync(path.join(ROOT, folder))
        .filter((name) => /\.(?:mrc|xml)$/.test(name))
        .map((name) => `${folder}/${name}`)
    : [],
);

async function* chunksOf(bytes: Uint8Array): AsyncGenerator<Uint8Array> {
  yield bytes;
}

/** Reads some records of a file, except damaged ones. The place in the file is the source. */
async function recordsOf(file: string): Promise<ImportRecord[]> {
  const isXml = file.endsWith(".xml");
  const chunks = chunksOf(fixtureBytes(file));
  const records: ImportRecord[] = [];
  const pieces = await Array.fromAsync(isXml ? splitMarcXmlRecords(chunks) : splitMarcRecords(chunks));
  for (const { offset, length, bytes } of sampleOf(pieces, SAMPLE_SIZE)) {
    try {
      const marc = isXml ? readMarcXml(decodeXml(bytes)) : await readMarc(bytes);
      records.push({ ...editionOfMarc(marc), source_records: [`marc:${file}:${offset}:${length}`] });
    } catch (error) {
      if (!(error instanceof MarcError || error instanceof XmlError)) throw error;
    }
  }
  return records;
}

/** Creates a catalog that has all languages of the record. */
function catalogFor(record: ImportRecord): SmallCatalog {
  const codes = [...stringsOf(record["languages"]), ...stringsOf(record["translated_from"])];
  const known = codes.filter((code) => /^[a-z]{3}$/.test(code));
  return new SmallCatalog(
    ...known.map((code) => ({ key: `/languages/${code}`, type: { key: "/type/language" }, name: code })),
  );
}

function bookIn(catalog: SmallCatalog, key: string): Book {
  const record = catalog.get(key);
  const work = catalog.get(keysOf(record["works"])[0] ?? "");
  const authors = [...keysOf(record["authors"]), ...keysWithin(work["authors"], "author")];
  const related = new Map(authors.map((author) => [author, catalog.get(author)]));
  return toBook({ record, work, related }, SITE);
}

/** Members of the stored edition, its work and its authors, without keys. */
function contentOf(catalog: SmallCatalog): unknown {
  const shown = (record: CatalogRecord) =>
    Object.fromEntries(
      Object.entries(record).filter(([name]) => !["key", "works", "authors"].includes(name)),
    );
  return ["edition", "work", "author"].map((type) => catalog.all(type).map(shown));
}

async function readBack(book: Book): Promise<ImportRecord[]> {
  const marc = marcOfBook(book);
  const bytes = new TextEncoder().encode(toMarcText(marc));
  const xml = renderXmlDocument(toMarcXml(marc, MARCXML));
  return [editionOfMarc(await readMarc(bytes)), editionOfMarc(readMarcXml(xml))];
}

/** Exports the edition of a record and imports it again: that must change nothing. */
async function expectRoundTrip(record: ImportRecord): Promise<void> {
  const catalog = catalogFor(record);
  const { key } = catalog.load(record).edition;
  const before = contentOf(catalog);
  const [fromBinary = {}, fromXml = {}] = await readBack(bookIn(catalog, key));
  expect(fromXml).toEqual(fromBinary);
  const reply = catalog.load({ ...fromBinary, source_records: record["source_records"] });
  expect([reply.edition, reply.work.status]).toEqual([{ key, status: "matched" }, "matched"]);
  expect(contentOf(catalog)).toEqual(before);
}

describe("an edition imported from MARC", () => {
  it.each(ALL_LIBRARY_RECORDS)(
    "is the same after importing its export: $name",
    async ({ name, ...parts }) => {
      const edition = editionOfMarc(await readMarc(marcBytes(parts)));
      await expectRoundTrip({ ...edition, source_records: [`marc:${name}`] });
    },
  );

  it.each(files)("is the same for the real records of %s", async (file) => {
    for (const record of await recordsOf(file)) {
      if (isImportable(record)) await expectRoundTrip(record);
    }
  });
});

function isImportable(record: ImportRecord): boolean {
  try {
    catalogFor(record).decide(record);
    return true;
  } catch (error) {
    if (error instanceof ImportFailure) return false;
    throw error;
  }
}
