import { describe, expect, it } from "vitest";
import {
  IMPORT_BOOKS_MAX,
  IMPORT_COLUMNS_MAX,
  type LibraryOptions,
  readColumns,
  readLibrary,
  toBookRecord,
} from "../../../../src/catalog/patrons/library-file.ts";
import { IMPORT_LISTS_MAX, IMPORT_NOTE_LENGTH } from "../../../../src/catalog/patrons/library-rows.ts";

const read = (text: string, options?: LibraryOptions) => {
  const file = readLibrary(text, options);
  if (typeof file === "string") throw new Error(file);
  return file;
};
const HEADER =
  "Book Id,Title,Author,ISBN,ISBN13,My Rating,Date Read,Exclusive Shelf,Bookshelves,My Review,Private Notes\n";
const goodreads = (...lines: string[]) => read(HEADER + lines.join("\n"));
const goodreadsRow = (line: string) => goodreads(line).books[0]?.row;
const NOTHING = {
  keepsShelf: false,
  author: "",
  isbn: null,
  work: null,
  edition: null,
  shelf: null,
  stars: null,
  events: [],
  note: "",
  lists: [],
  observations: [],
};
const EMMA = { ...NOTHING, title: "Emma", author: "Jane Austen", isbn: "0141439513", shelf: 3, stars: 4 };
const STARTED = { type: 1, date: "2023-01-02" };
const FINISHED = { type: 3, date: "2024-03-07" };

describe("readLibrary", () => {
  it.each([
    [
      "goodreads",
      `${HEADER}1,Emma,Jane Austen,="0141439513",,4,2024/03/07,read,"favorites, read",<i>Good</i>,mine`,
      { events: [FINISHED], note: "Good\n\nmine", lists: ["favorites"] },
    ],
    [
      "storygraph",
      "Title,Authors,ISBN/UID,Read Status,Star Rating,Last Date Read,Dates Read,Review,Moods,Pace,Tags,Owned?\n" +
        'Emma,Jane Austen,9780141439518,read,3.75,2024/03/07,"2023/01/02-2023/01/05, 2024/03/07",Good,"funny, dark",slow,favorites,Yes',
      {
        isbn: "9780141439518",
        events: [FINISHED, STARTED, { type: 3, date: "2023-01-05" }],
        note: "Good",
        lists: ["favorites", "Owned"],
        observations: [
          { type: 13, value: 22 },
          { type: 13, value: 7 },
          { type: 1, value: 4 },
        ],
      },
    ],
    [
      "bookwyrm",
      "title,author_text,openlibrary_key,isbn_10,isbn_13,start_date,finish_date,rating,review_content,shelf,shelf_name\n" +
        "Emma,Jane Austen,OL1M,,9780141439518,2023-01-02,2024-03-07,3.5,Good,read,Gelesen",
      { isbn: "9780141439518", edition: "OL1M", events: [STARTED, FINISHED], note: "Good" },
    ],
    [
      "librarything",
      "Book Id\tTitle\tPrimary Author\tRating\tReview\tDate Started\tDate Read\tTags\tCollections\tISBN\n" +
        "1\tEmma\tAusten, Jane\t4\tGood\t2023-01-02\t2024-03-07\tfavorites\tYour library\t[0141439513]",
      { author: "Austen, Jane", events: [STARTED, FINISHED], note: "Good", lists: ["Owned", "favorites"] },
    ],
    [
      "carrel",
      "Title,Author,ISBN,My Rating,Exclusive Shelf,Bookshelves,Private Notes,Work ID,Edition ID,Readings,Lists,Observations\n" +
        'Emma,Jane Austen,0141439513,4,read,"favorites, a",Good,OL1W,OL1M,start 2023-01-02 | finish 2024-03-07,"favorites | a, b",Mood: Humorous',
      {
        work: "OL1W",
        edition: "OL1M",
        events: [STARTED, FINISHED],
        note: "Good",
        lists: ["favorites", "a, b"],
        observations: [{ type: 13, value: 22 }],
      },
    ],
    [
      "carrel",
      JSON.stringify([
        {
          title: "Emma",
          author: "Jane Austen",
          work_id: "OL1W",
          my_rating: 4,
          readings: ["finish 2024-03-07"],
        },
      ]),
      { isbn: null, work: "OL1W", events: [FINISHED] },
    ],
    ["table", "Author;Title;Stars\nJane Austen;Emma;4", { isbn: null }],
    [
      "list",
      "978-0-14-143951-8",
      { title: "", author: "", isbn: "9780141439518", shelf: 1, keepsShelf: true, stars: null },
    ],
    ["list", "Emma by Jane Austen", { isbn: null, shelf: 1, keepsShelf: true, stars: null }],
  ])("reads a file of %s", (format, text, expected) => {
    const { books, ...file } = read(text);
    expect(file.format).toBe(format);
    expect(books[0]?.row).toEqual({ ...EMMA, ...expected });
  });

  it("unpacks ISBNs from formulas, and falls back to ISBN-13", () => {
    const file = goodreads(
      '1,Rivers,A. Writer,"=""0451526538""","=""9780451526533""",5,2024/03/07,read,,,',
      '2,Hills,B. Writer,"=""""","=""9780140328721""",0,,to-read,,,',
      '3,Nameless,C. Writer,"=""""","=""""",0,,read,,,',
    );
    const records = file.books.map((book) => toBookRecord(file, book));
    expect(records.map((record) => [record["ISBN"], record["ISBN13"], record["Title"]])).toEqual([
      ["0451526538", "9780451526533", "Rivers"],
      ["9780140328721", "9780140328721", "Hills"],
      ["", "", "Nameless"],
    ]);
  });

  it("keeps the last row of an ISBN", () => {
    const { books } = goodreads(
      '1,Old,A,"=""0451526538""",,1,,read,,,',
      '2,New,A,"=""0451526538""",,2,,to-read,,,',
    );
    expect(books.map(({ row }) => row.title)).toEqual(["New"]);
  });

  it("refuses other files", () => {
    expect(readLibrary("")).toBe("empty");
    expect(readLibrary(HEADER)).toBe("empty");
    expect(readLibrary("<html>\n</html>")).toBe("no-columns");
    const many = Array.from({ length: IMPORT_BOOKS_MAX + 1 }, (_, index) => `${index},x,y,,,0,,read,,,`);
    expect(readLibrary(HEADER + many.join("\n"))).toBe("too-many");
    // Rows of one book are read as well.
    expect(readLibrary(HEADER + "1,x\n".repeat(IMPORT_BOOKS_MAX + 1))).toBe("too-many");
    expect(readLibrary(`Title${",".repeat(IMPORT_COLUMNS_MAX)}\n1`)).toBe("no-columns");
  });

  it("refuses JSON with many books or members, and reads one level of arrays", () => {
    const members = Object.fromEntries(Array.from({ length: IMPORT_COLUMNS_MAX }, (_, index) => [index, 1]));
    expect(readLibrary(JSON.stringify([{ title: "Emma", ...members }]))).toBe("no-columns");
    expect(readLibrary(`[{"title":"Emma"}${",{}".repeat(IMPORT_BOOKS_MAX)}]`)).toBe("too-many");
    const nested = "[".repeat(100_000) + "]".repeat(100_000);
    const { books } = read(`[{"title":"Emma","tags":["a",${nested},"b"]}]`);
    expect(books[0]?.row).toMatchObject({ title: "Emma", lists: ["a", "b"] });
  });

  it("reads a list after a byte order mark", () => {
    expect(read("\uFEFF9780141439518\r\n\r\nEmma\r").books.map(({ row }) => row.isbn ?? row.title)).toEqual([
      "9780141439518",
      "Emma",
    ]);
  });

  it("takes columns that were chosen", () => {
    const text = "Buch,Wer,Wann\nEmma,Jane Austen,2024";
    expect(readLibrary(text)).toBe("no-columns");
    expect(readColumns(text)).toEqual(["Buch", "Wer", "Wann"]);
    const { books } = read(text, { columns: { title: "Buch", author: "Wer", finished: "Wann" } });
    expect(books[0]?.row).toEqual({
      ...NOTHING,
      title: "Emma",
      author: "Jane Austen",
      shelf: 3,
      events: [{ type: 3, date: "2024" }],
    });
  });

  it.each([
    ["Emma", {}, 1],
    ["Emma", { shelf: null }, null],
    ["The Lion, the Witch and the Wardrobe\nEmma", {}, 1],
    [`${HEADER}1,Emma,,,,,,,,,`, {}, null],
    [`${HEADER}1,Emma,,,,,,,,,`, { shelf: 2 as const }, 2],
  ])("decides on the shelf of books on none: %j %j", (text, options, shelf) => {
    expect(read(text, options).books[0]?.row.shelf).toBe(shelf);
  });

  it("keeps the lists of most books, and none if they are not wanted", () => {
    const lines = Array.from({ length: IMPORT_LISTS_MAX + 1 }, (_, index) => `x,"all, list ${index}"`);
    const file = read(`Title,Tags\n${lines.join("\n")}`);
    expect([file.lists.length, file.lists[0]]).toEqual([IMPORT_LISTS_MAX, "all"]);
    expect(file.books.at(-1)?.row.lists).toEqual(["all"]);
    expect(read(`Title,Tags\n${lines[0]}`, { makesLists: false }).lists).toEqual([]);
  });
});

describe("rows", () => {
  it("cut long names of lists, never within a character", () => {
    const lists = goodreadsRow(`1,x,y,0451526538,,0,,read,"${"a".repeat(254)}\u{1f4d6}b",,`)?.lists;
    expect(lists).toEqual(["a".repeat(254)]);
  });

  it("map shelf, rating, date and note", () => {
    const line = '1,Rivers,A. Writer,"=""0451526538""",,5,2024/3/7,read,,Good.<br/><i>Very</i>,<b>secret';
    expect(goodreadsRow(line)).toEqual({
      ...NOTHING,
      title: "Rivers",
      author: "A. Writer",
      isbn: "0451526538",
      shelf: 3,
      stars: 5,
      events: [{ type: 3, date: "2024-03-07" }],
      note: "Good.\nVery\n\n<b>secret",
    });
  });

  it.each([
    ["to-read", 1, []],
    ["currently-reading", 2, []],
    ["on-hold", 2, []],
    ["read", 3, []],
    ["did-not-finish", 4, []],
    ["DNF", 4, []],
    ["sci-fi", null, ["sci-fi"]],
    ["", null, []],
  ])("shelf %j", (name, shelf, lists) => {
    expect(goodreadsRow(`1,x,y,0451526538,,0,,${name},,,`)).toMatchObject({ shelf, lists });
  });

  it.each([
    ["2024/03/07", ["2024-03-07"]],
    ["2024-12-31", ["2024-12-31"]],
    ["2024-12-31 00:00:00+00:00", ["2024-12-31"]],
    ["2024/03", ["2024-03"]],
    ["2024", ["2024"]],
    ['"2023/01/01, 2024/01/01"', ["2023-01-01", "2024-01-01"]],
    // Two days are possible.
    ["05/10/2024", ["2024"]],
    ["2023/02/29", []],
    ["0000/01/01", []],
    ["yesterday", []],
    ["", []],
  ])("read on %j", (text, dates) => {
    const row = goodreadsRow(`1,x,y,0451526538,,0,${text},read,,,`);
    expect(row?.events.map(({ date }) => date)).toEqual(dates);
  });

  it.each([
    ["0", null, 0],
    ["5", 5, 0],
    ["3.5", 4, 1],
    ["4.25", 4, 1],
    ["0.25", 1, 1],
    ["6", null, 0],
    ["x", null, 0],
  ])("rating %j", (text, stars, rounded) => {
    const file = goodreads(`1,x,y,0451526538,,${text},,read,,,`);
    expect([file.books[0]?.row.stars, file.rounded]).toEqual([stars, rounded]);
  });

  it("drop an invalid ISBN, and cut long notes", () => {
    expect(goodreadsRow("1,x,y,12345,,0,,read,,,")?.isbn).toBe(null);
    const note = goodreadsRow(`1,x,y,,,0,,read,,${"a".repeat(IMPORT_NOTE_LENGTH + 1)},`)?.note;
    expect(note?.length).toBe(IMPORT_NOTE_LENGTH);
  });
});
