import { fold } from "../../src/search/text/collation.ts";
import { wordsOf } from "../../src/search/text/words.ts";
import { titlesOf } from "./books.mjs";
import { randomFrom } from "./random.mjs";

/** @import { Book } from "./books.mjs" */

/**
 * What a reader types, and the works that it means; none: no work has all of it.
 * @typedef {{ q: string, right: Set<string> }} RelevanceQuestion
 */
/**
 * A book as questions are made of it, its texts folded to words.
 * @typedef {{ key: string, title: string, author: string, others: string[], titles: string[], authors: string[], language: string | undefined }} Known
 */

/** How languages say "by"; only books all of whose editions are in one of them are asked for so. */
const BY = new Map([
  ["fre", "de"],
  ["spa", "de"],
  ["por", "de"],
  ["ger", "von"],
  ["ita", "di"],
]);
/** Shortest word that gets a wrong letter, in letters, and shortest one that tells something of a title. */
const MISSPELT_LENGTH_MIN = 6;
const TELLING_LENGTH_MIN = 4;
/** Shorter questions are refused. */
const QUESTION_LENGTH_MIN = 3;
const LETTERS = "abcdefghijklmnopqrstuvwxyz";
const OTHER_SCRIPT = /[^\p{Script=Latin}\p{Script=Common}\p{Script=Inherited}]/u;

/**
 * Questions made by rule from books that are taken at random, by class.
 * @param {Book[]} books
 * @param {{ count: number, seed: number }} options `count`: questions a class
 * @returns {Record<string, RelevanceQuestion[]>}
 */
export function relevanceQuestions(books, { count, seed }) {
  const known = books.map(knownOf);
  const random = randomFrom(seed);
  const any = () => known[Math.floor(random() * known.length)];
  const right = rightAnswers(known);
  /** @type {(make: (book: Known) => { q: string, title?: string, author?: string } | undefined) => RelevanceQuestion[]} */
  const made = (make) => {
    const questions = new Map();
    for (let tries = 0; tries < 50 * count && questions.size < count; tries += 1) {
      const book = any();
      const question = book && make(book);
      if (question) questions.set(question.q, { q: question.q, right: right(question) });
    }
    return [...questions.values()];
  };
  /** @param {(book: Known) => string | undefined} words between title and author */
  const titleAnd = (words) =>
    made((book) => {
      const between = book.author === "" ? undefined : words(book);
      const named = between === "" ? surname(book) : `${between} ${book.author}`;
      return between === undefined ? undefined : { ...book, q: `${book.title} ${named}` };
    });
  return {
    title: made(({ title }) => (title.length < QUESTION_LENGTH_MIN ? undefined : { q: title, title })),
    "title and surname": titleAnd(() => ""),
    "title by author": titleAnd(() => "by"),
    "title von, de, di author": titleAnd(({ language }) => BY.get(language ?? "")),
    "one wrong letter": made((book) => {
      const q = misspelt(`${book.title} ${surname(book)}`, random);
      return q === undefined || book.author === "" ? undefined : { ...book, q };
    }),
    "two words of the title and surname": made(partial),
    "other scripts": made(({ others }) => {
      const title = others.find((one) => OTHER_SCRIPT.test(one));
      return title === undefined || title.length < QUESTION_LENGTH_MIN ? undefined : { q: title, title };
    }),
    "title of one, surname of another": made((book) => {
      const other = any();
      const q = other && other.author !== "" ? `${book.title} ${surname(other)}` : undefined;
      return q === undefined || someHasAll(known, q) ? undefined : { q };
    }),
  };
}

/** @param {Book} book @returns {Known} */
function knownOf(book) {
  const { key, title, author_name: authors = [] } = book.work;
  const others = titlesOf(book);
  const languages = new Set(book.editions.flatMap(({ language }) => language ?? []));
  return {
    key,
    title,
    author: authors[0] ?? "",
    others,
    titles: [title, ...others].map(textOf),
    authors: authors.map(textOf),
    language: languages.size === 1 ? [...languages][0] : undefined,
  };
}

/** Folded words with a blank around each. @param {string} text */
function textOf(text) {
  return ` ${wordsOf(text)
    .flatMap(({ parts }) => parts)
    .join(" ")} `;
}

/** @param {Known} book */
function surname({ author }) {
  return author.split(" ").at(-1) ?? "";
}

/** What finds the works with a title, and by an author if one is named. @param {Known[]} books */
function rightAnswers(books) {
  /** @type {Map<string, Known[]>} */
  const byTitle = new Map();
  for (const book of books) {
    for (const title of new Set(book.titles)) byTitle.set(title, [...(byTitle.get(title) ?? []), book]);
  }
  return (/** @type {{ title?: string, author?: string }} */ { title, author }) => {
    const found = title === undefined ? [] : (byTitle.get(textOf(title)) ?? []);
    const fitting = found.filter(({ authors }) => author === undefined || authors.includes(textOf(author)));
    return new Set(fitting.map(({ key }) => key));
  };
}

/** A text with one letter of its longest word left out, doubled, replaced, or before its neighbour. @param {string} text @param {() => number} random */
function misspelt(text, random) {
  const words = text.match(/[A-Za-z]+/g) ?? [];
  const [word = ""] = words.toSorted((a, b) => b.length - a.length);
  if (word.length < MISSPELT_LENGTH_MIN) return undefined;
  // Readers get the first letter right.
  const at = 1 + Math.floor(random() * (word.length - 2));
  const [letter, next] = [word.charAt(at), word.charAt(at + 1)];
  const other = LETTERS.charAt(Math.floor(random() * LETTERS.length));
  const changes = ["", letter + letter, other, next + letter];
  const kind = Math.floor(random() * changes.length);
  const wrong = word.slice(0, at) + (changes[kind] ?? "") + word.slice(at + (kind === 3 ? 2 : 1));
  return wrong.toLowerCase() === word.toLowerCase() ? undefined : text.replace(word, wrong);
}

/** The two longest words of a title that has more. @param {Known} book */
function partial(book) {
  const words = book.title.match(/\p{L}+/gu) ?? [];
  const telling = words.toSorted((a, b) => b.length - a.length).slice(0, 2);
  if (words.length < 3 || book.author === "" || (telling[1] ?? "").length < TELLING_LENGTH_MIN)
    return undefined;
  const q = `${words.filter((word) => telling.includes(word)).join(" ")} ${surname(book)}`;
  return { ...book, q };
}

/** Whether one work has all words of a text in titles and authors. @param {Known[]} books @param {string} text */
function someHasAll(books, text) {
  const words = wordsOf(text).flatMap(({ parts }) => parts.map((part) => ` ${fold(part)} `));
  return books.some(({ titles, authors }) =>
    words.every((word) => [...titles, ...authors].some((one) => one.includes(word))),
  );
}
