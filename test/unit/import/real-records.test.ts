import path from "node:path";
import { existsSync, readdirSync } from "node:fs";
import { describe, expect, it } from "vitest";
import type { CatalogRecord, Json } from "../../../src/catalog/record.ts";
import { readMarc } from "../../../src/import/marc/binary.ts";
import { editionOfMarc } from "../../../src/import/marc/edition.ts";
import { type MarcRecord, MarcError } from "../../../src/import/marc/record.ts";
import { splitMarcRecords } from "../../../src/import/marc/stream.ts";
import { readMarcXml } from "../../../src/import/marc/xml.ts";
import { splitMarcXmlRecords } from "../../../src/import/marc/xml-stream.ts";
import { ATOM, recordOfOpds, recordOfRdf } from "../../../src/import/xml-records.ts";
import { parseImport } from "../../../src/import/parse.ts";
import type { ImportWarning } from "../../../src/import/warning.ts";
import { violationsOf } from "../../../src/import/validate.ts";
import { XmlError, decodeXml } from "../../../src/import/xml/decode.ts";
import { childrenNamed, isElement, parseXml } from "../../../src/import/xml/document.ts";
import { HAS_FIXTURES, fixtureBytes, fixtureLines } from "./shared-fixtures.ts";

const ROOT = path.join(import.meta.dirname, "../../../../shared/fixtures");
const PAIRS = ["marc/bin", "marc/xml", "marc/extra/bin", "marc/extra/xml", "marc/extra/load"];
const FOLDERS = [...PAIRS, "marc/extra/synthetic", "marc/errors"];
/** Members without a meaningful order. Authors have one: persons, organisations, events. */
const UNORDERED = ["subjects", "subject_places", "subject_times", "subject_people"];
/** Here the event was recorded as the first author. */
const AUTHORS_UNORDERED = "lc_0444897283.mrc";

/** Expected result of a record in XML. */
interface Expected {
  readonly fields: CatalogRecord;
  readonly accepted: boolean;
}

interface Outcome {
  readonly expected?: CatalogRecord;
  readonly error?: string;
  readonly warnings?: readonly string[];
}
interface Line extends Outcome {
  readonly n: number;
  readonly offset?: number;
  readonly length?: number;
}

describe.skipIf(!HAS_FIXTURES)("real MARC records", () => {
  describe.each(FOLDERS)("%s", (folder) => {
    const names = filesOf(folder, /\.(?:mrc|xml)$/);
    it("has files", () => expect(names.length).toBeGreaterThan(0));
    it.each(names)("%s", async (name) => {
      const told = jsonOf<CatalogRecord>(`${folder}/${name.replace(/\.\w+$/, ".expect.json")}`);
      const { error } = told;
      const expected = typeof error === "string" ? { error } : { expected: told };
      const outcome = await outcomeOf(name, fixtureBytes(`${folder}/${name}`));
      const unordered = name === AUTHORS_UNORDERED ? [...UNORDERED, "authors"] : UNORDERED;
      same(outcome, expected, unordered);
    });
  });

  describe.each(filesOf("external/marc", /\.(?:mrc|xml)$/))("external/marc/%s", (name) => {
    const bytes = fixtureBytes(`external/marc/${name}`);
    const lines = fixtureLines<Line>(`external/marc/${name.replace(/\.\w+$/, ".expect.jsonl")}`);
    const strict = strictFiles().has(`marc/${name}`);
    let read: Promise<Piece[]> | undefined;

    it.each(lines)("record $n", async ({ n, offset, length, ...expected }) => {
      const pieces = await (read ??= piecesOf(name, bytes, lines));
      const piece = pieces[n];
      if (offset !== undefined) expect([piece?.offset, piece?.length]).toEqual([offset, length]);
      expect(pieces).toHaveLength(lines.length);
      const outcome = await outcomeOf(name, piece?.bytes ?? new Uint8Array());
      if (!strict) return;
      same(outcome, expected, UNORDERED);
    });
  });
});

const FEEDS = ["acquisition", "audiobooks", "book_without_license", "content_server", "entry", "navigation"];
const EBOOK = "external/other/pg20728";

describe.skipIf(!HAS_FIXTURES)("real records in XML", () => {
  it.each(FEEDS)("reads the OPDS feed %s", (feed) => {
    const root = parseXml(textOf(`external/opds/${feed}.xml`));
    const entries = isElement(root, ATOM, "entry") ? [root] : childrenNamed(root, ATOM, "entry");
    const expected = fixtureLines<Expected>(`external/opds/${feed}.expect.jsonl`);
    const records = entries.map(recordOfOpds);
    expect(records).toEqual(expected.map(({ fields }) => withoutAccidents(fields)));
    expect(records.map((one) => violationsOf(one).length === 0)).toEqual(
      expected.map(({ accepted }) => accepted),
    );
  });

  it("reads an RDF document", () => {
    const [expected] = fixtureLines<Expected>(`${EBOOK}.expect.jsonl`);
    expect(recordOfRdf(parseXml(textOf(`${EBOOK}.rdf`)))).toEqual(withoutAccidents(expected!.fields));
  });

  it.each([
    ["external/other/lc.mods.xml", "unrecognized-XML-format"],
    ["external/other/se-pepys-diary.opf", "unrecognized-XML-format"],
    ["external/opds/audiobooks.xml", "unrecognised-import-format"],
    ["external/opds/opds2-feed.json", "invalid-value"],
    [`${EBOOK}.rdf`, "invalid-value"],
    ["marc/README.md", "unrecognised-import-format"],
  ])("refuses %s: %s", async (name, code) => {
    await expect(parseImport(fixtureBytes(name), [])).rejects.toMatchObject({ code });
  });
});

function filesOf(folder: string, pattern: RegExp): string[] {
  const place = path.join(ROOT, folder);
  return existsSync(place) ? readdirSync(place).filter((name) => pattern.test(name)) : [];
}

function jsonOf<Content>(name: string): Content {
  return JSON.parse(textOf(name));
}

function textOf(name: string): string {
  return new TextDecoder().decode(fixtureBytes(name));
}

function strictFiles(): Set<string> {
  const manifest = jsonOf<{ file: string; strict?: boolean }[]>("external/manifest.json");
  return new Set(manifest.filter(({ strict }) => strict !== false).map(({ file }) => file));
}

interface Piece {
  readonly offset?: number;
  readonly length?: number;
  readonly bytes: Uint8Array;
}

/** The records of a file; one that was recorded as a whole stays whole. */
async function piecesOf(name: string, bytes: Uint8Array, lines: readonly Line[]): Promise<Piece[]> {
  if (name.endsWith(".mrc")) return Array.fromAsync(splitMarcRecords(chunksOf(bytes)));
  return lines.length === 1 ? [{ bytes }] : Array.fromAsync(splitMarcXmlRecords(chunksOf(bytes)));
}

async function* chunksOf(bytes: Uint8Array): AsyncGenerator<Uint8Array> {
  for (let at = 0; at < bytes.length; at += 4096) yield bytes.subarray(at, at + 4096);
}

async function outcomeOf(name: string, bytes: Uint8Array): Promise<Outcome> {
  try {
    const warnings: ImportWarning[] = [];
    const expected = editionOfMarc(await recordOf(name, bytes), warnings);
    return { expected, warnings: warnings.map(({ code }) => code) };
  } catch (error) {
    if (error instanceof MarcError) return { error: error.problem };
    if (error instanceof XmlError) return { error: "not-xml" };
    throw error;
  }
}

async function recordOf(name: string, bytes: Uint8Array): Promise<MarcRecord> {
  return name.endsWith(".mrc") ? readMarc(bytes) : readMarcXml(decodeXml(bytes));
}

/** Expected errors of records that are read all the same, with these warnings. */
const READ_WITH_WARNING: Readonly<Record<string, string>> = {
  "bad-length": "damaged-record",
  "other:UnicodeDecodeError": "read-as-marc-8",
};

function same(outcome: Outcome, expected: Outcome, unordered: readonly string[]): void {
  const correction = READ_WITH_WARNING[expected.error ?? ""];
  if (correction !== undefined && outcome.warnings?.includes(correction)) return;
  expect(outcome.error).toBe(expected.error);
  if (expected.expected === undefined) return;
  expect(normal(outcome.expected, unordered)).toEqual(normal(expected.expected, unordered));
}

/** In one form of Unicode, with those lists in one order whose order says nothing. */
function normal(record: CatalogRecord | undefined, unordered: readonly string[]): Json {
  const one: CatalogRecord = JSON.parse(JSON.stringify(record ?? {}).normalize("NFC"));
  const entries = Object.entries(one).map(([name, value]): [string, Json | undefined] => [
    name,
    unordered.includes(name) && Array.isArray(value) ? value.toSorted(byText) : value,
  ]);
  return Object.fromEntries(entries.filter((entry): entry is [string, Json] => entry[1] !== undefined));
}

function byText(a: Json, b: Json): number {
  const [one, other] = [canonical(a), canonical(b)];
  return one < other ? -1 : one > other ? 1 : 0;
}

/** Members in one order, so that equal objects are equal texts. */
function canonical(value: Json): string {
  return JSON.stringify(value, (_, member) =>
    member !== null && typeof member === "object" && !Array.isArray(member)
      ? Object.fromEntries(Object.entries(member).toSorted(([a], [b]) => (a < b ? -1 : 1)))
      : member,
  );
}

/** Drops nulls and blanks, which are accidents of the recording. */
function withoutAccidents(fields: CatalogRecord): CatalogRecord {
  return Object.fromEntries(
    Object.entries(fields)
      .map(([name, value]): [string, Json | undefined] => [
        name,
        Array.isArray(value) ? value.filter((one) => !isBlank(one)) : value,
      ])
      .filter(([, value]) => !isBlank(value) && !(Array.isArray(value) && value.length === 0)),
  );
}

function isBlank(value: Json | undefined): boolean {
  return value === undefined || value === null || (typeof value === "string" && value.trim() === "");
}
