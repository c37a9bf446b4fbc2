import { describe, expect, it } from "vitest";
import { readMarc } from "../../../../src/import/marc/binary.ts";
import { editionOfMarc } from "../../../../src/import/marc/edition.ts";
import { splitMarcRecords } from "../../../../src/import/marc/stream.ts";
import { readMarcXml } from "../../../../src/import/marc/xml.ts";
import { joined, marcBytes, marcXml } from "../../../support/marc/build-marc.ts";
import { LIBRARY_RECORDS } from "../../../support/marc/library-records.ts";

const NAMED = Object.entries(LIBRARY_RECORDS);
const ALL = NAMED.map(([, record]) => record);
const IN_UTF8 = ALL.filter(({ marc8 }) => marc8 !== true);

async function* chunksOf(bytes: Uint8Array): AsyncGenerator<Uint8Array> {
  for (let at = 0; at < bytes.length; at += 1000) yield bytes.subarray(at, at + 1000);
}

describe("records as libraries catalogue them", () => {
  it.each(NAMED)("gives the edition of %s", async (_name, { edition, ...parts }) => {
    expect(editionOfMarc(await readMarc(marcBytes(parts)))).toEqual(edition);
  });

  it("gives the same editions in MARCXML", () => {
    const editions = IN_UTF8.map((parts) => editionOfMarc(readMarcXml(marcXml(parts))));
    expect(editions).toEqual(IN_UTF8.map(({ edition }) => edition));
  });

  it("gives all editions of a file", async () => {
    const pieces = await Array.fromAsync(splitMarcRecords(chunksOf(joined(ALL.map(marcBytes)))));
    const records = await Promise.all(pieces.map(({ bytes }) => readMarc(bytes)));
    expect(records.map((record) => editionOfMarc(record))).toEqual(ALL.map(({ edition }) => edition));
  });
});
