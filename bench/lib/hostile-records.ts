import { dumpLine } from "./catalog.ts";

/** Number of records of each type. */
const COPIES = 12;
const FIRST = 7000;
const LIST = "/people/openlibrary/lists/OL7000L";
/** Text that fills a record nearly to the largest size of a document. */
const MIB_MEMBER = "large text ".repeat(60_000);
/** Lone surrogates, separators, and characters that reverse or join their neighbours. */
const SURROGATES = "a\uD800b\uDFFFc\u2028d\u202Ee\u200Dfg";

const numbers = Array.from({ length: COPIES }, (_, index) => FIRST + index);
const authorKey = (n: number) => `/authors/OL${n}A`;
const workKey = (n: number) => `/works/OL${n}W`;
const editionKey = (n: number) => `/books/OL${n}M`;

export const HOSTILE_KEYS = [...numbers.flatMap((n) => [authorKey(n), workKey(n), editionKey(n)]), LIST];

/**
 * Yields dump lines of records that break services: members of 1 MiB, 10,000 subjects, references in circles,
 * lone surrogates, deep nesting, members of the wrong type.
 */
export function* hostileLines() {
  const subjects = Array.from({ length: 10_000 }, (_, index) => `subject ${index} of a hostile record`);
  yield dumpLine("list", LIST, {
    name: `Hostile ${SURROGATES}`,
    description: "list ".repeat(60_000),
    seeds: [
      ...numbers.map((n) => ({ key: workKey(n) })),
      ...subjects.slice(0, 5000).map((s) => `subject:${s}`),
    ],
    self: repeatKey(LIST),
  });
  for (const n of numbers) {
    const next = FIRST + ((n + 1 - FIRST) % COPIES);
    const variant = n - FIRST;
    yield dumpLine("author", authorKey(n), {
      name: variant % 3 === 0 ? SURROGATES : `Hostile ${n}`,
      alternate_names: subjects.slice(0, 2000),
      bio: variant % 2 === 0 ? MIB_MEMBER : { type: "/type/text", value: { value: "nested" } },
      links: repeatKey(authorKey(n)),
    });
    yield dumpLine("work", workKey(n), {
      title: variant % 3 === 1 ? SURROGATES : `Hostile large ${n}`,
      authors: [authorKey(n), authorKey(next), authorKey(999_999)].map((key) => ({
        type: { key: "/type/author_role" },
        author: { key },
      })),
      ...(variant % 2 === 0
        ? { subjects }
        : { description: MIB_MEMBER, subjects: [SURROGATES, 7, null, {}] }),
      location: workKey(next),
      self: repeatKey(workKey(n)),
      covers: [-1, 0, 1e15, "x"],
      deep: nest(60),
    });
    yield dumpLine("edition", editionKey(n), {
      title: `Hostile large ${n}`,
      works: [{ key: workKey(next) }, { key: workKey(n) }, { key: editionKey(n) }],
      isbn_13: ["9780140328721"],
      ocaid: `hostile-${n}`,
      identifiers: { goodreads: subjects.slice(0, 2000), "": [""], [SURROGATES]: [SURROGATES] },
      languages: repeatKey("/languages/eng"),
      table_of_contents: subjects.slice(0, 2000).map((title) => ({ type: { key: "/type/toc_item" }, title })),
      ...(variant % 2 === 0 ? { notes: MIB_MEMBER } : { publish_date: 1999, publishers: "not a list" }),
    });
  }
}

/** Numbers of the first large record, and of large works, which have 0.5 MB to 0.9 MB each. */
const FIRST_LARGE = 100_000;
const LARGE_WORKS = 60;
const SUBJECT_LENGTH = 500;
/** Short words that the subjects of a large work repeat. The first one gets into millions of places. */
const REPEATED = [
  "a ",
  "a ",
  "a ",
  "a b ",
  "of the ",
  "a b c d e f g h i j k l m n o p q r s t u v w x y z ",
];

/**
 * Yields dump lines of works that are as large as a patron can make them: 1,000 subjects of short words, which make
 * phrases and beginnings expensive, or 480,000 characters that are five times as long as markup.
 */
export function* largeLines() {
  for (let n = FIRST_LARGE; n < FIRST_LARGE + LARGE_WORKS; n += 1) {
    const words = REPEATED[n % REPEATED.length] ?? "";
    const subjects = Array.from(
      { length: 1000 },
      (_, at) => `${words.repeat(SUBJECT_LENGTH / words.length)}x${at}`,
    );
    const markup = "&".repeat(480_000);
    yield dumpLine("work", workKey(n), {
      title: `A large work ${n}`,
      ...(n % 4 === 3 ? { description: markup, notes: markup.slice(0, 400_000) } : { subjects }),
    });
    yield dumpLine("edition", editionKey(n), { title: `A large work ${n}`, works: [{ key: workKey(n) }] });
  }
}

function repeatKey(key: string) {
  return Array.from({ length: 60 }, () => ({ key }));
}

function nest(depth: number): unknown {
  return depth === 0 ? "end" : { a: nest(depth - 1) };
}
