import { author, deleted, edition, language, redirected, work } from "./records.ts";
import type { TestRecord } from "./service.ts";

/** A small catalog for the tests of forms: with scans, redirects, orphans, and works of one title. */
export const FORM_RECORDS: readonly TestRecord[] = [
  author(1, { name: "Ann Author", bio: { type: "/type/text", value: "First\r\nsecond" } }),
  author(2, { name: "Bob <b>Bold</b>" }),
  author(3, { name: "Nobody's" }),
  work(1, { title: "Emma", authors: [1], subjects: ["Whales, big", "Sea"] }),
  work(2, { title: "Two of them", authors: [1] }),
  work(3, { title: "Two of them", authors: [1] }),
  work(4, { title: "Empty" }),
  edition(1, {
    work: 1,
    title: "Emma",
    publishers: ["A Press"],
    publish_date: "March 1999",
    isbn_10: ["0141439513"],
    ocaid: "emmascan",
    table_of_contents: [{ level: 1, label: "I", title: "One", pagenum: "1" }],
    identifiers: { goodreads: ["1"] },
  }),
  edition(2, { title: "Orphan", authors: [{ key: "/authors/OL1A" }], covers: [7] }),
  edition(3, { work: 1, title: "Emma again", publish_date: "2001", publishers: ["Other"] }),
  edition(4, { work: 9, title: "Of a redirect" }),
  redirected("/works/OL9W", "/works/OL1W"),
  redirected("/books/OL9M", "/books/OL1M"),
  deleted("/books/OL8M", 2),
  language("eng", "English"),
];
