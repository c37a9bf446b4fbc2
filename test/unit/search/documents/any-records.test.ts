import { existsSync, readFileSync } from "node:fs";
import path from "node:path";
import { gunzipSync } from "node:zlib";
import { describe, expect, it } from "vitest";
import { starterLines } from "../../../../scripts/lib/starter.ts";
import {
  type CatalogRecord,
  type Json,
  authorsOf,
  keyOf,
  typeKeyOf,
} from "../../../../src/catalog/record.ts";
import { buildAuthor, buildList } from "../../../../src/search/documents/named-documents.ts";
import { expandEdition, expandWork } from "../../../../src/search/present/expand.ts";
import type { Document } from "../../../../src/search/engine.ts";
import type { WorkDocument } from "../../../../src/search/documents/types.ts";
import { pick, randomStream } from "../../catalog/random.ts";
import { author, built, edition, stored, storedEdition, work } from "./sources.ts";

const TURNS = 100;
/** Records of each type that are read of a dump: the first ones. */
const RECORDS_MAX = 150;

/** Members that documents are made of. */
const MEMBERS = `
  key title title_prefix subtitle work_titles other_titles translation_of covers table_of_contents
  by_statement first_sentence publish_date publishers publish_places physical_format contributions
  number_of_pages lexile languages lccn oclc_numbers isbn_10 isbn_13 identifiers lc_classifications
  dewey_decimal_class ocaid ia_box_id providers series subjects subject_places subject_people
  subject_times last_modified description links edition_name name alternate_names bio photos
  remote_ids seeds
`
  .trim()
  .split(/\s+/);
const TEXTS = [
  "",
  " ",
  "a",
  "1999",
  "PZ73 .A1",
  "813.54",
  "978-0-940787-08-7",
  "The é\ud800",
  "/languages/eng",
];
const NUMBERS = [-1, 0, 7, 1.5, 1e300];

type Random = () => number;

function anyJson(random: Random, depth: number): Json {
  const choice = depth > 3 ? random() * 0.5 : random();
  if (choice < 0.3) return pick(random, TEXTS);
  if (choice < 0.4) return pick(random, NUMBERS);
  if (choice < 0.5) return pick(random, [null, true]);
  if (choice < 0.75)
    return Array.from({ length: Math.floor(random() * 4) }, () => anyJson(random, depth + 1));
  const names = [
    "key",
    "value",
    "name",
    "url",
    "series",
    "position",
    "authors",
    "label",
    "thing",
    "Some.Name",
  ];
  return Object.fromEntries(
    names.filter(() => random() < 0.4).map((name) => [name, anyJson(random, depth + 1)]),
  );
}

function junk(random: Random, kept: CatalogRecord): CatalogRecord {
  const members = MEMBERS.filter(() => random() < 0.6).map((name) => [name, anyJson(random, 0)]);
  return { ...Object.fromEntries(members), key: kept["key"], ...(random() < 0.5 ? kept : {}) };
}

/** Returns the rules that a document breaks. Collected before checking: one `expect` per member is slow. */
function flaws(document: WorkDocument): string[] {
  const editions = document.editions.map((each) => expandEdition(storedEdition(each)));
  const found = [expandWork(stored(document)), ...editions].flatMap(expandedFlaws);
  const { publish_year: years = [], first_publish_year: first = 0 } = document;
  if (years.some((year) => year < first)) found.push("first_publish_year");
  if ([document, ...document.editions].some((one) => Object.values(one).includes(undefined))) {
    found.push("undefined");
  }
  if (document.editions.length !== document.edition_count) found.push("edition_count");
  if (JSON.stringify(JSON.parse(JSON.stringify(document))) !== JSON.stringify(document)) found.push("JSON");
  return found;
}

function expandedFlaws(document: Document): string[] {
  const names = Object.keys(document);
  const found = names.filter((name, index) => index > 0 && name < (names[index - 1] ?? ""));
  for (const [name, value] of Object.entries(document)) {
    const isList = Array.isArray(value);
    if (value === undefined || value === "" || (isList && value.length === 0)) found.push(`${name} is empty`);
    if (name.endsWith("_facet") && isList && new Set(value).size < value.length)
      found.push(`${name} repeats`);
  }
  return found;
}

describe("documents of any records", () => {
  it("are built from records of any shape", () => {
    const random = randomStream(20_260);
    for (let turn = 0; turn < TURNS; turn += 1) {
      const editions = Array.from({ length: Math.floor(random() * 4) }, (_, index) =>
        junk(random, edition(index + 1)),
      );
      const authors = [junk(random, author(1))];
      expect(flaws(built({ work: junk(random, work()), editions, authors, deriveItems: true }))).toEqual([]);
      buildAuthor(junk(random, author(1)));
      buildList(junk(random, { key: "/lists/OL1L" }));
    }
  });

  it("are built from thousands of editions", () => {
    const editions = Array.from({ length: 5000 }, (_, index) =>
      edition(index + 1, {
        isbn_13: [`978${index}`],
        publishers: [`P${index}`],
        publish_date: `${1000 + index}`,
      }),
    );
    expect(built({ editions }).edition_count).toBe(5000);
  });
});

const DATA = path.join(import.meta.dirname, "../../../../../shared/data");
/** Dumps of real catalogs outside the repository: an extra. */
const REAL_DUMPS = ["catalog.txt.gz", "goodbooks.txt.gz"]
  .map((name) => path.join(DATA, name))
  .filter((file) => existsSync(file));

describe("documents of a whole catalog", () => {
  it("are valid for the starter catalog", async () => {
    const lines: string[] = await Array.fromAsync(starterLines());
    expectNoFlaws(lines.map(recordOfLine));
  });

  it.each(REAL_DUMPS.map((file) => [path.basename(file), file]))("are valid for %s", (_name, file) => {
    const lines = gunzipSync(readFileSync(file)).toString().trimEnd().split("\n");
    const byType = Object.values(Object.groupBy(lines, (line) => line.slice(0, line.indexOf("\t"))));
    expectNoFlaws(byType.flatMap((ofType = []) => ofType.slice(0, RECORDS_MAX).map(recordOfLine)));
  });
});

function expectNoFlaws(all: readonly CatalogRecord[]): void {
  const records = new Map(all.map((record) => [keyOf(record) ?? "", record]));
  const editions = new Map<string, CatalogRecord[]>();
  for (const record of all.filter((one) => typeKeyOf(one) === "/type/edition")) {
    const works = record["works"];
    const key = (Array.isArray(works) ? keyOf(works[0]) : undefined) ?? "";
    editions.set(key, [...(editions.get(key) ?? []), record]);
  }
  const works = all.filter((record) => typeKeyOf(record) === "/type/work");
  expect(works.length).toBeGreaterThan(30);
  for (const record of works) {
    const authors = authorsOf(record["authors"], records);
    const document = built({
      work: record,
      editions: editions.get(keyOf(record) ?? "") ?? [],
      authors,
      series: records,
      deriveItems: true,
    });
    expect(flaws(document)).toEqual([]);
    expect(document.author_name ?? []).toHaveLength(authors.length);
    expect(document.title).toBe(record["title"]);
  }
}

/** Parses the record of a line of a dump. */
function recordOfLine(line: string): CatalogRecord {
  return JSON.parse(line.split("\t")[4] ?? "");
}
