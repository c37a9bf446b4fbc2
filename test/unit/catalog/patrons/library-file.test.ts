import { describe, expect, it } from "vitest";
import {
  IMPORT_COLUMNS_MAX,
  type LibraryOptions,
  readColumns,
  readLibrary,
  toBookRecord,
} from "../../../../src/catalog/patrons/library-file.ts";
import { IMPORT_BOOKS_MAX } from "../../../../src/catalog/patrons/library-table.ts";
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
    [
      "hardcover",
      "Title,Author,Series,Status,Privacy,Hardcover Book ID,Hardcover Edition ID,ISBN 10,ISBN 13,Tags,Lists,Date Added," +
        "Date Started,Date Finished,Rating,Review,Private Notes,Owned\n" +
        'Emma,Jane Austen,,Read,Public,1,2,0141439513,9780141439518,Classics,"Favourites (#3), By the Sea (#1)",2022-01-01,' +
        "2023-01-02,2024-03-07,3.5,Good,mine,true",
      { events: [STARTED, FINISHED], note: "Good\n\nmine", lists: ["Favourites", "By the Sea", "Owned"] },
    ],
    [
      "openreads",
      "title,subtitle,author,description,status,favourite,deleted,rating,pages,isbn,olid,tags,my_review,notes,readings\n" +
        "Gone,,X,,finished,false,true,4.0,1,,,,,,\n" +
        "Emma,,Jane Austen,,finished,true,false,4.0,300,0141439513,OL1M,a|||||b,Good,mine," +
        "2023-01-02T00:00:00.000|2024-03-07T00:00:00.000|3600",
      { edition: "OL1M", events: [STARTED, FINISHED], note: "Good\n\nmine", lists: ["a", "b"] },
    ],
    [
      "libib",
      "item_type,title,creators,ean_isbn13,upc_isbn10,tags,notes,rating,review,status,began,completed,copies\n" +
        "movie,Emma.,,,,,,5,,Completed,,,1\n" +
        "book,Emma,Jane Austen,9780141439518,0141439513,favorites,mine,4,Good,Completed,2023-01-02,2024-03-07,1",
      {
        isbn: "9780141439518",
        events: [STARTED, FINISHED],
        note: "Good\n\nmine",
        lists: ["favorites"],
      },
    ],
    [
      "calibre",
      "author_sort,authors,comments,id,identifiers,isbn,rating,tags,title,title_sort,#read\n" +
        '"Austen, Jane",Jane Austen,About,1,"goodreads:6969,isbn:0141439513","",4,favorites,Emma,Emma,true',
      { lists: ["favorites"] },
    ],
    [
      "ryot",
      JSON.stringify({
        metadata: [
          { lot: "movie", source_id: "Emma.", seen_history: [], reviews: [], collections: [] },
          {
            lot: "book",
            source: "openlibrary",
            identifier: "OL1W",
            source_id: "Emma",
            collections: [{ collection_name: "Completed" }, { collection_name: "Owned" }],
            reviews: [{ rating: "80", review: { text: "Good" } }],
            seen_history: [{ started_on: "2023-01-02T10:00:00Z", ended_on: "2024-03-07T10:00:00Z" }],
          },
        ],
      }),
      { author: "", isbn: null, work: "OL1W", events: [STARTED, FINISHED], note: "Good", lists: ["Owned"] },
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
    const items = `{"seen_history":[]},`.repeat(IMPORT_BOOKS_MAX);
    expect(readLibrary(`[${items}{"lot":"book"}]`)).toBe("too-many");
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

  it.each<[string, number | null, Record<string, number>]>([
    ["Title,Status,Date Started\nEmma,Read,2024-01-05", 3, {}],
    ["Title,Status,Date Started\nEmma,Did Not Finish,2024-01-05", 4, {}],
    ["Title,State,Date Started\nEmma,in_progress,2024-01-05", 2, {}],
    ["Title,Read?\nEmma,yes", 3, {}],
    ["Title,Read?\nEmma,no", 1, {}],
    ["Title,Read\nEmma,2024-01-05", 3, {}],
    ["Titel,Titel 2,Lesestatus\nx,y,abgebrochen", 4, {}],
    // The name of the column says nothing, but its values do.
    ["Title,Where\nEmma,Finished\nPersuasion,\nHills,to be read", 3, {}],
    ["Title,Signed\nEmma,yes", 1, {}],
    // No guess by the date.
    [
      "Title,Status,Date Started\nEmma,Lent out,2024-01-05\nHills,Lent out,\nSea,Read,",
      null,
      { "Lent out": 2 },
    ],
  ])("takes the shelf from a status: %j", (text, shelf, unknown) => {
    const file = read(text, text.startsWith("Titel") ? { columns: { title: "Titel" } } : {});
    expect([file.books[0]?.row.shelf, file.unknownStatuses]).toEqual([shelf, unknown]);
  });

  it("lists the first statuses that are not understood, and counts the others together", () => {
    const lines = Array.from({ length: 25 }, (_, index) => `Emma,${"long ".repeat(40)}${index}`);
    const { unknownStatuses } = read(`Title,Status\n${lines.join("\n")}`);
    expect(unknownStatuses).toEqual({ ["long ".repeat(20)]: 25 });
    const short = Array.from({ length: 25 }, (_, index) => `Emma,Place ${index}`);
    const counts = read(`Title,Status\n${short.join("\n")}`).unknownStatuses;
    expect([Object.keys(counts).length, counts["Place 0"], counts["…"]]).toEqual([21, 1, 5]);
  });

  it.each([
    ["2024-01-05T00:00:00.000|2024-01-20T00:00:00.000|3600", ["1 2024-01-05", "3 2024-01-20"]],
    ["2024-03-01T00:00:00.000||", ["1 2024-03-01"]],
    ["|2024-01-20T00:00:00.000|", ["3 2024-01-20"]],
    [
      "2023-01-01T00:00:00.000|2023-02-01T00:00:00.000|;2024-01-05T00:00:00.000||",
      ["1 2023-01-01", "3 2023-02-01", "1 2024-01-05"],
    ],
    ["2023/01/01-2023/02/01, 2024/01/05", ["1 2023-01-01", "3 2023-02-01", "3 2024-01-05"]],
  ])("takes readings: %j", (readings, events) => {
    const { books } = read(`title,status,readings\nEmma,finished,"${readings}"`);
    expect(books[0]?.row.events.map(({ type, date }) => `${type} ${date}`)).toEqual(events);
  });

  it("takes the page that a reader is on as a note", () => {
    expect(read("Title,Status,Current Page\nEmma,reading,120").books[0]?.row.note).toBe("p. 120");
  });

  it("keeps the lists of most books, and none if they are not wanted", () => {
    const lines = Array.from({ length: IMPORT_LISTS_MAX + 1 }, (_, index) => `x,"all, list ${index}"`);
    const file = read(`Title,Tags\n${lines.join("\n")}`);
    expect([file.lists.length, file.lists[0]]).toEqual([IMPORT_LISTS_MAX, "all"]);
    expect(file.books.at(-1)?.row.lists).toEqual(["all"]);
    expect(read(`Title,Tags\n${lines[0]}`, { makesLists: false }).lists).toEqual([]);
  });
});

describe("columns of a form", () => {
  const GOODREADS = 'Title,ISBN,ISBN13,Exclusive Shelf\nEmma,"=""""","=""9780141439587""",read\n';

  it("keep all columns of a role unless another one is chosen", () => {
    const isbnOf = (columns: LibraryOptions["columns"]) => {
      const file = readLibrary(GOODREADS, columns && { columns });
      return typeof file === "string" ? file : file.books[0]?.row.isbn;
    };
    expect(isbnOf(undefined)).toBe("9780141439587");
    expect(isbnOf({ isbn: "ISBN" })).toBe("9780141439587");
    expect(isbnOf({ isbn: "ISBN13" })).toBe("9780141439587");
    expect(isbnOf({ isbn: "Title" })).toBeNull();
  });
});

it.each([
  ["a picture", "\uFFFDPNG\r\n\u001A\n\0\0"],
  ["a spreadsheet", "PK\u0003\u0004\u0014\0"],
  ["a PDF", "%PDF-1.7"],
  ["a GIF", "GIF89a"],
])("%s is no library", (_name, text) => {
  expect(readLibrary(text)).toBe("no-text");
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
