import { isbn13 } from "./catalog.ts";

/** Syllables of names. Each book has a unique word, so that no two books match. */
const SYLLABLES = "ba co di fu ga he jo ki lu ma ne po ra si to vu".split(" ");
/** Number of different authors. */
const AUTHORS = 300;
/** First number of the ISBNs, above those of the synthetic catalog. */
const FIRST_ISBN = 500_000;
/**
 * Largest number of comments before a line and their largest length. They make the file large enough that
 * splitting takes time.
 */
const COMMENTS_MAX = 10;
const COMMENT_LENGTH = 800;

/**
 * Line of a batch and its expected outcome: a new edition, another source of an edition, skipped because it
 * exists, a failure with this code, or a comment.
 */
export interface Line {
  text: string;
  source: string | undefined;
  end: "book" | "again" | "skipped" | "failed" | "comment";
  book?: number;
  error?: string;
}

/**
 * Creates lines with this number of records: new books, books from other sources, repeated and invalid
 * records, and comments between them. The first line of a book creates its edition.
 */
export function importLines(count: number, random: () => number): Line[] {
  const lines: Line[] = [];
  const books: number[] = [];
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

function bookLine(n: number, source: string): Line {
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

function badLine(n: number): Line {
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

/** Returns a unique word for each number. */
function word(n: number) {
  let left = n + 1;
  let text = "";
  for (let syllables = 0; syllables < 3 || left > 0; syllables += 1) {
    text += SYLLABLES[left % SYLLABLES.length] ?? "";
    left = Math.floor(left / SYLLABLES.length);
  }
  return text;
}

function name(n: number) {
  const text = word(n + 3000);
  return text.charAt(0).toUpperCase() + text.slice(1);
}
