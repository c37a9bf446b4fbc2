import { author, edition, work } from "./records.ts";
import type { TestRecord } from "./service.ts";

/** The records of the acceptance vectors; the item is `foo00bar`, in `inlibrary`. */
export const ACCEPTANCE: readonly TestRecord[] = [
  edition(1, {
    title: "Foo: a bar? (2nd ed.)",
    isbn_10: ["0-14-032872-6"],
    lccn: ["sa 64009056"],
    oclc_numbers: ["ocm00012345"],
    ocaid: "foo00bar",
    covers: [-1, 7],
    work: 1,
  }),
  work(1, {
    title: "Foo",
    authors: [1],
    subjects: ["In library", "Science Fiction"],
    subject_people: ["Ned, Wilcox"],
  }),
  author(1, { name: "Mark Twain" }),
];
