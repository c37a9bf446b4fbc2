import { describe, expect, it } from "vitest";
import { utf8Length } from "../../../src/catalog/bytes.ts";
import type { CatalogRecord } from "../../../src/catalog/record.ts";
import { type Book, BOOK_BYTES, SHORTENED, fitBook } from "../../../src/export/book.ts";
import { FORMAT_WRITERS } from "../../../src/export/format-writers.ts";
import { FORMAT_NAMES } from "../../../src/export/formats.ts";
import { FULL, author, editionBook } from "./books.ts";

const MIB = 1024 * 1024;
const many = (count: number, text: string) => Array.from({ length: count }, () => text);
const numbered = (count: number, first: number) =>
  Array.from({ length: count }, (_number, index) => String(first + index));
const AUTHORS = Array.from({ length: 400 }, (_author, index) =>
  author(index, { name: `Author ${index} ${"~".repeat(9000)}`, role: `Editor ${"&".repeat(9000)}` }),
);
const REFERENCES = many(9000, "").map((_text, index) =>
  author(index, { remote_ids: { viaf: ["1", "2", "3"] } }),
);

/** Records of 1 MiB, each with its work. */
const HOSTILE: readonly (readonly [string, CatalogRecord, Parameters<typeof editionBook>[1]?])[] = [
  [
    "ampersands",
    { notes: "&".repeat(480_000), title: "&".repeat(480_000) },
    { work: { description: "<".repeat(MIB) } },
  ],
  ["escapes of TeX", { title: "~".repeat(MIB), publishers: ["\\".repeat(500_000)] }],
  [
    "escapes of JSON",
    { description: "\u0001".repeat(170_000), subjects: ['"'.repeat(500_000), "\ud800".repeat(170_000)] },
  ],
  ["letters of several bytes", { notes: "é".repeat(MIB / 2), subtitle: "永".repeat(MIB / 3) }],
  ["short paragraphs", { notes: "a\n\n".repeat(200_000), table_of_contents: many(20_000, "a\n\na") }],
  [
    "short values",
    { subjects: many(250_000, "a") },
    { work: { subject_people: Array.from({ length: 120_000 }, (_v, i) => `p${i}`) } },
  ],
  ["numbers", { identifiers: { goodreads: numbered(100_000, 100), ["x".repeat(900_000)]: ["1", "2"] } }],
  [
    "ISBNs with a binding",
    { isbn_13: numbered(60_000, 9_780_141_439_518), physical_format: "paper".repeat(40_000) },
  ],
  ["names", {}, { authors: AUTHORS }],
  ["authors", {}, { authors: REFERENCES }],
  ["contributors", { contributions: many(60_000, "A B").map((name, at) => `${name}${at} (Editor)`) }],
];

const written = (book: Book) => FORMAT_NAMES.map((name) => [name, FORMAT_WRITERS[name].one(book)] as const);

describe("fitBook", () => {
  for (const [what, members, more] of HOSTILE) {
    it(`bounds ${what} in every format, and marks what was cut`, () => {
      const book = editionBook(members, more);
      // These two have less than the bound.
      const isShort = !/JSON|letters/.test(what);
      for (const [name, text] of written(book)) {
        expect([name, utf8Length(text) < 7 * MIB, text.includes(SHORTENED)]).toEqual([
          name,
          true,
          isShort || name === "mrc",
        ]);
      }
      expect(editionBook(members, more)).toEqual(book);
      const marks = (fitBook(book, BOOK_BYTES / 2).description ?? "").split(SHORTENED).length - 1;
      expect(marks).toBeLessThan(2);
    });
  }

  it("keeps the small members of a large book, and every member of others", () => {
    const book = editionBook({
      notes: "&".repeat(2 * MIB),
      subjects: ["One", "Two"],
      isbn_13: ["9780141439518"],
    });
    expect(book).toMatchObject({ title: "A title", subjects: ["One", "Two"], isbn13: ["9780141439518"] });
    expect(fitBook(FULL)).toBe(FULL);
    expect(written(FULL).filter(([, text]) => text.includes(SHORTENED))).toEqual([]);
  });

  it("leaves a record of nearly 1 MiB as it is", () => {
    expect(editionBook({ notes: "&".repeat(480_000), subtitle: "&".repeat(480_000) }).notes).toHaveLength(
      480_000,
    );
  });
});
