import { fold } from "../../src/search/text/collation.ts";
import { wordsOf } from "../../src/search/text/words.ts";
import { type Book, titlesOf } from "./books.ts";
import { misspellPhrase } from "./misspellings.ts";
import { randomFrom } from "./random.ts";

/** A query and the keys of the works it means; empty: no work has all of its words. */
export interface RankingQuery {
  q: string;
  right: Set<string>;
}
/** A book that queries are made from, with its texts folded to words. */
interface FoldedBook {
  key: string;
  title: string;
  author: string;
  second: string;
  others: string[];
  titles: string[];
  authors: string[];
  language: string | undefined;
}

type CreateQueries = (
  make: (book: FoldedBook) => { q: string; title?: string; author?: string } | undefined,
  most?: number,
) => RankingQuery[];

/** The word for "by" of languages. Used for books with editions in one language only. */
const BY = new Map([
  ["fre", "de"],
  ["spa", "de"],
  ["por", "de"],
  ["ger", "von"],
  ["ita", "di"],
]);
/** Shortest word to misspell, and shortest significant word of a title, in letters. */
const MISSPELLED_LENGTH_MIN = 6;
const TELLING_LENGTH_MIN = 4;
/** Queries of the class of misspelt phrases. */
const MISSPELT_PHRASES = 200;
/** Search rejects shorter queries. */
const QUERY_LENGTH_MIN = 3;
const LETTERS = "abcdefghijklmnopqrstuvwxyz";
const OTHER_SCRIPT = /[^\p{Script=Latin}\p{Script=Common}\p{Script=Inherited}]/u;

/** Creates queries from random books, by class. `count`: queries per class. */
export function rankingQueries(
  books: Book[],
  { count, seed }: { count: number; seed: number },
): Record<string, RankingQuery[]> {
  const known = books.map(foldBook);
  const random = randomFrom(seed);
  const below = (number: number) => Math.floor(random() * number);
  const randomBook = () => known[below(known.length)];
  const right = lookUpByTitle(known);
  const createQueries: CreateQueries = (make, most = count) => {
    const queries = new Map();
    for (let tries = 0; tries < 50 * most && queries.size < most; tries += 1) {
      const book = randomBook();
      const query = book && make(book);
      if (query) queries.set(query.q, { q: query.q, right: right(query) });
    }
    return [...queries.values()];
  };
  /** `words` returns the text between title and author. */
  const titleAnd = (words: (book: FoldedBook) => string | undefined) =>
    createQueries((book) => {
      const between = book.author === "" ? undefined : words(book);
      const named = between === "" ? surname(book) : `${between} ${book.author}`;
      return between === undefined ? undefined : { ...book, q: `${book.title} ${named}` };
    });
  return {
    title: createQueries(({ title }) => (title.length < QUERY_LENGTH_MIN ? undefined : { q: title, title })),
    "title and surname": titleAnd(() => ""),
    "title by author": titleAnd(() => "by"),
    "title von, de, di author": titleAnd(({ language }) => BY.get(language ?? "")),
    "one wrong letter": createQueries((book) => {
      const q = misspell(`${book.title} ${surname(book)}`, random);
      return q === undefined || book.author === "" ? undefined : { ...book, q };
    }),
    "two words of the title and surname": createQueries(partialTitle),
    "other scripts": createQueries(({ others }) => {
      const title = others.find((one) => OTHER_SCRIPT.test(one));
      return title === undefined || title.length < QUERY_LENGTH_MIN ? undefined : { q: title, title };
    }),
    "title of one, surname of another": createQueries((book) => {
      const other = randomBook();
      const q = other && other.author !== "" ? `${book.title} ${surname(other)}` : undefined;
      return q === undefined || isFoundInOneWork(known, q) ? undefined : { q };
    }),
    "misspelt phrases": createQueries((book) => {
      const { title, author } = book;
      const phrase = below(2) === 0 ? { title } : { title, author };
      const q = misspellPhrase(Object.values(phrase).join(" "), below);
      const isPhrase = title.includes(" ") && author !== "";
      return !isPhrase || q === undefined || isFoundInOneWork(known, q) ? undefined : { ...phrase, q };
    }, MISSPELT_PHRASES),
    ...readingQueries(createQueries),
  };
}

/** Returns queries with additions of people and programs to a title (`src/search/query/readings.ts`). */
function readingQueries(createQueries: CreateQueries): Record<string, RankingQuery[]> {
  const withAuthor = (typed: (book: FoldedBook) => string | undefined) =>
    createQueries((book) => {
      const q = book.author.includes(" ") ? typed(book) : undefined;
      return q === undefined ? undefined : { ...book, q };
    });
  const titleAs = (typed: (title: string) => string) =>
    createQueries(({ title }) => (typed(title) === title ? undefined : { q: typed(title), title }));
  return {
    "title - author": withAuthor(({ title, author }) => `${title} - ${author}`),
    "author - title": withAuthor(({ title, author }) => `${author} - ${title}`),
    "article of another language": titleAs((title) => `Der ${title.replace(/^(?:The|An?) /, "")}`),
    "number of a volume": titleAs((title) => `${title}, Book 1`),
    "words about an edition": titleAs((title) => `${title}: A Novel (Unabridged)`),
    "an for and": titleAs((title) => title.replace(" and ", " an ")),
    "names joined": withAuthor(({ title, author, second }) =>
      second === "" ? undefined : `${title} by ${second} and ${author}`,
    ),
    "initial of the author": withAuthor(
      (book) => `${book.title} by ${book.author.charAt(0)}. ${surname(book)}`,
    ),
  };
}

function foldBook(book: Book): FoldedBook {
  const { key, title, author_name: authors = [] } = book.work;
  const others = titlesOf(book);
  const languages = new Set(book.editions.flatMap(({ language }) => language ?? []));
  return {
    key,
    title,
    author: authors[0] ?? "",
    second: authors[1] ?? "",
    others,
    titles: [title, ...others].map(textOf),
    authors: authors.map(textOf),
    language: languages.size === 1 ? [...languages][0] : undefined,
  };
}

/** Returns the folded words, each between spaces. */
function textOf(text: string) {
  return ` ${wordsOf(text)
    .flatMap(({ parts }) => parts)
    .join(" ")} `;
}

function surname({ author }: FoldedBook) {
  return author.split(" ").at(-1) ?? "";
}

/** Returns a lookup of works by title, and by author if there is one. */
function lookUpByTitle(books: FoldedBook[]) {
  const byTitle = new Map<string, FoldedBook[]>();
  for (const book of books) {
    for (const title of new Set(book.titles)) byTitle.set(title, [...(byTitle.get(title) ?? []), book]);
  }
  return ({ title, author }: { title?: string; author?: string }) => {
    const found = title === undefined ? [] : (byTitle.get(textOf(title)) ?? []);
    const fitting = found.filter(({ authors }) => author === undefined || authors.includes(textOf(author)));
    return new Set(fitting.map(({ key }) => key));
  };
}

/** Removes, doubles, replaces or swaps one letter of the longest word. */
function misspell(text: string, random: () => number) {
  const words = text.match(/[A-Za-z]+/g) ?? [];
  const [word = ""] = words.toSorted((a, b) => b.length - a.length);
  if (word.length < MISSPELLED_LENGTH_MIN) return undefined;
  // Readers rarely misspell the first letter.
  const at = 1 + Math.floor(random() * (word.length - 2));
  const [letter, next] = [word.charAt(at), word.charAt(at + 1)];
  const other = LETTERS.charAt(Math.floor(random() * LETTERS.length));
  const changes = ["", letter + letter, other, next + letter];
  const kind = Math.floor(random() * changes.length);
  const wrong = word.slice(0, at) + (changes[kind] ?? "") + word.slice(at + (kind === 3 ? 2 : 1));
  return wrong.toLowerCase() === word.toLowerCase() ? undefined : text.replace(word, wrong);
}

/** Returns a query of the two longest words of a title that has more. */
function partialTitle(book: FoldedBook) {
  const words = book.title.match(/\p{L}+/gu) ?? [];
  const telling = words.toSorted((a, b) => b.length - a.length).slice(0, 2);
  if (words.length < 3 || book.author === "" || (telling[1] ?? "").length < TELLING_LENGTH_MIN)
    return undefined;
  const q = `${words.filter((word) => telling.includes(word)).join(" ")} ${surname(book)}`;
  return { ...book, q };
}

/** Returns whether a work has all words of a text in its titles and authors. */
function isFoundInOneWork(books: FoldedBook[], text: string) {
  const words = wordsOf(text).flatMap(({ parts }) => parts.map((part) => ` ${fold(part)} `));
  return books.some(({ titles, authors }) =>
    words.every((word) => [...titles, ...authors].some((one) => one.includes(word))),
  );
}
