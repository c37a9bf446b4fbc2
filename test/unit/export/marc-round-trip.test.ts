import { existsSync, readdirSync } from "node:fs";
import path from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { type CatalogRecord, keysOf, keysWithin, stringsOf } from "../../../src/catalog/record.ts";
import { xmlDocument } from "../../../src/catalog/xml.ts";
import { type Book, bookOf } from "../../../src/export/book.ts";
import { MARCXML, marcText, marcXml } from "../../../src/export/marc/containers.ts";
import { marcOfBook } from "../../../src/export/marc/record.ts";
import { readMarc } from "../../../src/import/marc/binary.ts";
import { editionOfMarc } from "../../../src/import/marc/edition.ts";
import { MarcError } from "../../../src/import/marc/record.ts";
import { marcRecords } from "../../../src/import/marc/stream.ts";
import { marcXmlRecords } from "../../../src/import/marc/xml-stream.ts";
import { readMarcXml } from "../../../src/import/marc/xml.ts";
import { decodeXml } from "../../../src/import/xml/decode.ts";
import { XmlError } from "../../../src/import/xml/error.ts";
import { ImportFailure } from "../../../src/import/failure.ts";
import type { ImportRecord } from "../../../src/import/record.ts";
import { SmallCatalog } from "../../support/import/small-catalog.ts";
import { HAS_FIXTURES, fixtureBytes } from "../import/shared-fixtures.ts";
import { SITE } from "./books.ts";

const ROOT = path.join(import.meta.dirname, "../../../../shared/fixtures");
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

/** The records of a file, each with its place there as its source; those that cannot be read are left out. */
async function recordsOf(file: string): Promise<ImportRecord[]> {
  const isXml = file.endsWith(".xml");
  const chunks = chunksOf(fixtureBytes(file));
  const records: ImportRecord[] = [];
  for await (const { offset, length, bytes } of isXml ? marcXmlRecords(chunks) : marcRecords(chunks)) {
    try {
      const marc = isXml ? readMarcXml(decodeXml(bytes)) : await readMarc(bytes);
      records.push({ ...editionOfMarc(marc), source_records: [`marc:${file}:${offset}:${length}`] });
    } catch (error) {
      if (!(error instanceof MarcError || error instanceof XmlError)) throw error;
    }
  }
  return records;
}

/** A catalog with all languages that records name. */
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
  return bookOf({ record, work, related }, SITE);
}

/** What is stored of an edition, its work and its authors, but for their keys. */
function contentOf(catalog: SmallCatalog): unknown {
  const shown = (record: CatalogRecord) =>
    Object.fromEntries(
      Object.entries(record).filter(([name]) => !["key", "works", "authors"].includes(name)),
    );
  return ["edition", "work", "author"].map((type) => catalog.all(type).map(shown));
}

/** Of a catalog that takes the exported records in place of the first ones: what is other then, by member. */
const others = new Map<string, number>();
const tally = { records: 0, same: 0 };

function count(first: unknown, second: unknown): void {
  tally.records += 1;
  const [before, after] = [first, second].map((content) => JSON.parse(JSON.stringify(content)));
  const names = new Set<string>();
  for (const [at, type] of ["edition", "work", "author"].entries()) {
    const [olds, news] = [before[at], after[at]];
    if (olds.length !== news.length) names.add(`number of ${type}s`);
    for (const [index, old] of olds.entries()) {
      for (const name of new Set([...Object.keys(old), ...Object.keys(news[index] ?? {})])) {
        if (JSON.stringify(old[name]) !== JSON.stringify(news[index]?.[name])) names.add(`${type}.${name}`);
      }
    }
  }
  if (names.size === 0) tally.same += 1;
  for (const name of names) others.set(name, (others.get(name) ?? 0) + 1);
}

async function readBack(book: Book): Promise<ImportRecord[]> {
  const marc = marcOfBook(book);
  const bytes = new TextEncoder().encode(marcText(marc));
  const xml = xmlDocument(marcXml(marc, MARCXML));
  return [editionOfMarc(await readMarc(bytes)), editionOfMarc(readMarcXml(xml))];
}

describe.skipIf(!HAS_FIXTURES)("editions that were imported from MARC", () => {
  afterAll(() => {
    const counts = [...others].toSorted(([, a], [, b]) => b - a).map(([name, number]) => `${name} ${number}`);
    console.log(
      `of ${tally.records} records ${tally.same} are the same anew; others differ in: ${counts.join(", ")}`,
    );
  });

  it.each(files)("%s: exported and imported again, nothing changes", async (file) => {
    for (const record of await recordsOf(file)) {
      const catalog = catalogFor(record);
      let key: string;
      try {
        key = catalog.load(record).edition.key;
      } catch (error) {
        if (error instanceof ImportFailure) continue;
        throw error;
      }
      const before = contentOf(catalog);
      const [fromBinary = {}, fromXml = {}] = await readBack(bookIn(catalog, key));
      expect(fromXml).toEqual(fromBinary);
      const again = { ...fromBinary, source_records: record["source_records"] };
      const reply = catalog.load(again);
      expect([reply.edition, reply.work.status]).toEqual([{ key, status: "matched" }, "matched"]);
      expect(contentOf(catalog)).toEqual(before);
      const anew = catalogFor(record);
      anew.load(again);
      count(before, contentOf(anew));
    }
  });
});
