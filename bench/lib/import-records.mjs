import { isbn13 } from "./catalog.mjs";

/** Names are made of these; each book has a word of its own besides, so that none is taken for another. */
const SYLLABLES = "ba co di fu ga he jo ki lu ma ne po ra si to vu".split(" ");
/** Authors that the books share. */
const AUTHORS = 300;
/** Where the numbers of ISBNs begin: above those of the made-up catalog. */
const FIRST_ISBN = 500_000;
/** Comments before a line, and characters of one, at most: they make a file so large that splitting it takes a while. */
const COMMENTS_MAX = 10;
const COMMENT_LENGTH = 800;

/**
 * What becomes of a line: a new edition, another source of one, nothing because it is there, a failure with this code, or
 * nothing because it is a comment.
 * @typedef {{ text: string, source: string | undefined, end: "book" | "again" | "skipped" | "failed" | "comment",
 *   book?: number, error?: string }} Line
 */

/**
 * Lines of a batch: books, the same books from other sources, records twice, and what cannot be imported, in random order,
 * and comments between them. Of a book the line that comes first makes the edition.
 * @param {number} count records
 * @param {() => number} random
 * @returns {Line[]}
 */
export function importLines(count, random) {
  /** @type {Line[]} */
  const lines = [];
  /** @type {number[]} */
  const books = [];
  for (let n = 0; n < count; n += 1) {
    for (let comments = Math.floor(random() * (COMMENTS_MAX + 1)); comments > 0; comments -= 1) {
      const text = `# ${"-".repeat(random() * COMMENT_LENGTH)}`;
      lines.push({ text, source: undefined, end: "comment" });
    }
    const draw = random();
    const old = books[Math.floor(random() * books.length)];
    if (draw < 0.04) lines.push(badLine(n));
    else if (draw < 0.1 && old !== undefined)
      lines.push({ ...bookLine(old, `bench:${old}`), end: "skipped" });
    else if (draw < 0.25 && old !== undefined)
      lines.push({ ...bookLine(old, `bench-other:${n}`), end: "again" });
    else {
      books.push(n);
      lines.push(bookLine(n, `bench:${n}`));
    }
  }
  return lines;
}

/**
 * @param {number} n
 * @param {string} source
 * @returns {Line}
 */
function bookLine(n, source) {
  const record = {
    title: `The ${word(n)} of ${word(n * 7 + 1)}`,
    // Every third book has no ISBN: it is found by title, author and date.
    ...(n % 3 === 0 ? {} : { isbn_13: [isbn13(FIRST_ISBN + n)] }),
    authors: [{ name: `${name(n % AUTHORS)} ${word((n % AUTHORS) + 70_000)}` }],
    publishers: [`${word(n % 50)} Press`],
    publish_date: String(1901 + (n % 120)),
    number_of_pages: 100 + (n % 400),
    subjects: ["Fiction", word(n % 90)],
    source_records: [source],
  };
  return { text: JSON.stringify(record), source, end: "book", book: n };
}

/** @param {number} n @returns {Line} */
function badLine(n) {
  const source = `bad:${n}`;
  const record = { ...JSON.parse(bookLine(n, source).text) };
  switch (n % 3) {
    case 0:
      return { text: `{"title": ${n}`, source: undefined, end: "failed", error: "invalid-json" };
    case 1:
      return {
        text: JSON.stringify({ ...record, title: "" }),
        source,
        end: "failed",
        error: "invalid-value",
      };
    default:
      return {
        text: JSON.stringify({ ...record, publish_date: "2999" }),
        source,
        end: "failed",
        error: "published-in-future-year",
      };
  }
}

/**
 * A word for each number.
 * @param {number} n
 */
function word(n) {
  let left = n + 1;
  let text = "";
  for (let syllables = 0; syllables < 3 || left > 0; syllables += 1) {
    text += SYLLABLES[left % SYLLABLES.length] ?? "";
    left = Math.floor(left / SYLLABLES.length);
  }
  return text;
}

/** @param {number} n */
function name(n) {
  const text = word(n + 3000);
  return text.charAt(0).toUpperCase() + text.slice(1);
}
