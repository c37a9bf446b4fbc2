import { describe, expect, it } from "vitest";
import {
  IMPORT_BOOKS_MAX,
  IMPORT_COLUMNS_MAX,
  toImportRows,
  readGoodreads,
} from "../../../../src/catalog/patrons/goodreads.ts";

const HEADER =
  "Book Id,Title,Author,ISBN,ISBN13,My Rating,Date Read,Exclusive Shelf,My Review,Private Notes\n";
const fileOf = (...lines: string[]) => {
  const file = readGoodreads(HEADER + lines.join("\n"));
  if (typeof file === "string") throw new Error(file);
  return file;
};
const rowOf = (line: string) => toImportRows(fileOf(line))[0];

describe("readGoodreads", () => {
  it("unpacks ISBNs from formulas, and falls back to ISBN-13", () => {
    const { books, withoutIsbn } = fileOf(
      '1,Rivers,A. Writer,"=""0451526538""","=""9780451526533""",5,2024/03/07,read,,',
      '2,Hills,B. Writer,"=""""","=""9780140328721""",0,,to-read,,',
      '3,Nameless,C. Writer,"=""""","=""""",0,,read,,',
    );
    expect(books.map(({ ISBN, ISBN13, Title }) => [ISBN, ISBN13, Title])).toEqual([
      ["0451526538", "9780451526533", "Rivers"],
      ["9780140328721", "9780140328721", "Hills"],
    ]);
    expect(withoutIsbn.map((book) => book["Book Id"])).toEqual(["3"]);
  });

  it("keeps the last row of an ISBN", () => {
    const { books } = fileOf(
      '1,Old,A,"=""0451526538""",,1,,read,,',
      '2,New,A,"=""0451526538""",,2,,to-read,,',
    );
    expect(books.map((book) => book["Title"])).toEqual(["New"]);
  });

  it("refuses other files", () => {
    expect(readGoodreads("")).toBe("empty");
    expect(readGoodreads("<html>\n</html>")).toBe("no-columns");
    const many = Array.from({ length: IMPORT_BOOKS_MAX + 1 }, (_, index) => `${index},x,y,,,0,,read,,`);
    expect(readGoodreads(HEADER + many.join("\n"))).toBe("too-many");
    // Rows of one book are read as well.
    expect(readGoodreads(HEADER + "1,x\n".repeat(IMPORT_BOOKS_MAX + 1))).toBe("too-many");
    expect(readGoodreads(`Book Id${",".repeat(IMPORT_COLUMNS_MAX)}\n1`)).toBe("no-columns");
  });
});

describe("toImportRows", () => {
  it("maps shelf, rating, date and note", () => {
    expect(
      rowOf('1,Rivers,A. Writer,"=""0451526538""",,5,2024/3/7,read,Good.<br/><i>Very</i>,secret'),
    ).toEqual({
      title: "Rivers",
      author: "A. Writer",
      isbn: "0451526538",
      shelf: 3,
      stars: 5,
      finished: "2024-03-07",
      note: "Good.\nVery\n\nsecret",
    });
  });

  it.each([
    ["to-read", 1],
    ["currently-reading", 2],
    ["read", 3],
    ["did-not-finish", null],
    ["", null],
  ])("shelf %j", (name, shelf) => expect(rowOf(`1,x,y,0451526538,,0,,${name},,`)?.shelf).toBe(shelf));

  it.each([
    ["2024/03/07", "2024-03-07"],
    ["2024-12-31", "2024-12-31"],
    ["2024/03", "2024-03"],
    ["2024", "2024"],
    ["2023/02/29", null],
    ["0000/01/01", null],
    ["yesterday", null],
    ["", null],
  ])("read on %j", (text, date) => expect(rowOf(`1,x,y,0451526538,,0,${text},read,,`)?.finished).toBe(date));

  it.each([
    ["0", null],
    ["5", 5],
    ["6", null],
    ["x", null],
  ])("rating %j", (text, stars) => expect(rowOf(`1,x,y,0451526538,,${text},,read,,`)?.stars).toBe(stars));

  it("drops an invalid ISBN", () => {
    expect(rowOf("1,x,y,12345,,0,,read,,")?.isbn).toBe(null);
  });
});
