import { line } from "./catalog.mjs";

/** Copies of each kind of large record. */
const COPIES = 12;
const FIRST = 7000;
const LIST = "/people/openlibrary/lists/OL7000L";
/** With the rest of a record nearly as long as a document may be. */
const MIB_MEMBER = "large text ".repeat(60_000);
/** Lone halves of pairs, separators, and characters that reverse or join what stands around them. */
const SURROGATES = "a\uD800b\uDFFFc\u2028d\u202Ee\u200Df\u0000g";

const numbers = Array.from({ length: COPIES }, (_, index) => FIRST + index);
const authorKey = (/** @type {number} */ n) => `/authors/OL${n}A`;
const workKey = (/** @type {number} */ n) => `/works/OL${n}W`;
const editionKey = (/** @type {number} */ n) => `/books/OL${n}M`;

export const HOSTILE_KEYS = [...numbers.flatMap((n) => [authorKey(n), workKey(n), editionKey(n)]), LIST];

/**
 * Lines of a dump with records that break services: members of a MiB, 10,000 subjects, references to themselves and
 * in circles, lone surrogates, deep nesting, members of the wrong type.
 */
export function* hostileLines() {
  const subjects = Array.from({ length: 10_000 }, (_, index) => `subject ${index} of a hostile record`);
  yield line("list", LIST, {
    name: `Hostile ${SURROGATES}`,
    description: "list ".repeat(60_000),
    seeds: [
      ...numbers.map((n) => ({ key: workKey(n) })),
      ...subjects.slice(0, 5000).map((s) => `subject:${s}`),
    ],
    self: itself(LIST),
  });
  for (const n of numbers) {
    const next = FIRST + ((n + 1 - FIRST) % COPIES);
    const variant = n - FIRST;
    yield line("author", authorKey(n), {
      name: variant % 3 === 0 ? SURROGATES : `Hostile ${n}`,
      alternate_names: subjects.slice(0, 2000),
      bio: variant % 2 === 0 ? MIB_MEMBER : { type: "/type/text", value: { value: "nested" } },
      links: itself(authorKey(n)),
    });
    yield line("work", workKey(n), {
      title: variant % 3 === 1 ? SURROGATES : `Hostile large ${n}`,
      authors: [authorKey(n), authorKey(next), authorKey(999_999)].map((key) => ({
        type: { key: "/type/author_role" },
        author: { key },
      })),
      ...(variant % 2 === 0
        ? { subjects }
        : { description: MIB_MEMBER, subjects: [SURROGATES, 7, null, {}] }),
      location: workKey(next),
      self: itself(workKey(n)),
      covers: [-1, 0, 1e15, "x"],
      deep: nested(60),
    });
    yield line("edition", editionKey(n), {
      title: `Hostile large ${n}`,
      works: [{ key: workKey(next) }, { key: workKey(n) }, { key: editionKey(n) }],
      isbn_13: ["9780140328721"],
      ocaid: `hostile-${n}`,
      identifiers: { goodreads: subjects.slice(0, 2000), "": [""], [SURROGATES]: [SURROGATES] },
      languages: itself("/languages/eng"),
      table_of_contents: subjects.slice(0, 2000).map((title) => ({ type: { key: "/type/toc_item" }, title })),
      ...(variant % 2 === 0 ? { notes: MIB_MEMBER } : { publish_date: 1999, publishers: "not a list" }),
    });
  }
}

/** @param {string} key */
function itself(key) {
  return Array.from({ length: 60 }, () => ({ key }));
}

/** @param {number} depth @returns {unknown} */
function nested(depth) {
  return depth === 0 ? "end" : { a: nested(depth - 1) };
}
