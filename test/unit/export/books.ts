import type { CatalogRecord } from "../../../src/catalog/record.ts";
import { type Book, type BookRecords, toBook } from "../../../src/export/book.ts";

export const SITE = {
  baseUrl: "http://books.example",
  coversUrl: "http://covers.example",
  archiveUrl: "http://archive.example",
};

export const author = (id: number, members: CatalogRecord = {}): CatalogRecord => ({
  key: `/authors/OL${id}A`,
  type: { key: "/type/author" },
  name: `Author ${id}`,
  ...members,
});

/** An edition, of a work with these authors and members. */
export function editionBook(
  members: CatalogRecord,
  { authors = [], work = {} }: { authors?: readonly CatalogRecord[]; work?: CatalogRecord } = {},
): Book {
  const record = { key: "/books/OL1M", type: { key: "/type/edition" }, title: "A title", ...members };
  const roles = authors.map(({ key, role }) => ({
    author: { key },
    ...(role === undefined ? {} : { role }),
  }));
  return book({
    record,
    work: { key: "/works/OL1W", type: { key: "/type/work" }, title: "The work", authors: roles, ...work },
    related: new Map(authors.map((one) => [String(one["key"]), one])),
  });
}

export function workBook(members: CatalogRecord, more: Partial<BookRecords> = {}): Book {
  const record = { key: "/works/OL1W", type: { key: "/type/work" }, title: "The work", ...members };
  return book({ record, related: new Map(), ...more });
}

function book(records: BookRecords): Book {
  return toBook(records, SITE);
}

/** An edition of which everything is known. */
export const FULL = editionBook(
  {
    title: "Pride & Prejudice",
    title_prefix: "The",
    subtitle: "a novel",
    by_statement: "by Jane Austen",
    publishers: ["Penguin", "Other"],
    publish_places: ["London"],
    publish_date: "March 1, 2003",
    publish_country: "enk",
    edition_name: "2nd ed.",
    number_of_pages: 480,
    physical_format: "Paperback",
    series: ["Penguin classics ; 12"],
    languages: [{ key: "/languages/eng" }],
    isbn_10: ["0141439513"],
    isbn_13: ["9780141439518"],
    lccn: ["2002028562"],
    oclc_numbers: ["50503123"],
    identifiers: { goodreads: ["1885"], wikidata: ["Q170583"] },
    lc_classifications: ["PR4034 .P7 2003"],
    dewey_decimal_class: ["823/.7"],
    subjects: ["Sisters"],
    contributors: [{ role: "Translator", name: "Tilda Doe" }],
    notes: "A note.",
    description: { type: "/type/text", value: "Five <sisters>.\n\nOne mother." },
    table_of_contents: [{ level: 0, label: "1", title: "Netherfield", pagenum: "3" }],
    covers: [-1, 7],
    ocaid: "prideprejudice00aust",
    created: { type: "/type/datetime", value: "2008-04-01T03:28:50.625462" },
    last_modified: { type: "/type/datetime", value: "2026-01-02T10:11:12.345678" },
  },
  {
    authors: [
      author(1, {
        name: "Jane Austen",
        birth_date: "16 December 1775",
        death_date: "1817",
        remote_ids: { viaf: "102333412" },
      }),
      author(2, { name: "Vivien Jones", role: "Editor" }),
    ],
    work: {
      subjects: ["sisters", "Courtship"],
      subject_places: ["England"],
      subject_people: ["Darcy (1790-1820)"],
    },
  },
);
