import { stringsOf } from "../../catalog/record.ts";
import type { Document } from "../engine.ts";
import { type Query, anyOf, between } from "../query/query.ts";
import { fold } from "../text/collation.ts";

/** Number of works at the top of a search whose authors the query may mean. */
const WORKS_COMPARED = 5;
const AUTHORS_MAX = 3;
const PREFIX_LENGTH_MIN = 3;
const NO_WORD = /[^\p{L}\p{M}\p{N}]+/u;

export interface NamedAuthor {
  readonly key: string;
  readonly name: string;
}

/** Returns authors whom a query seems to name, out of the first authors of the first works found. */
export function namedAuthorsOf(query: string, works: readonly Document[]): NamedAuthor[] {
  const authors = works.slice(0, WORKS_COMPARED).flatMap(firstAuthorOf);
  const named = authors.filter(({ name }) => isNamed(query, name));
  return [...new Map(named.map((author) => [author.key, author])).values()].slice(0, AUTHORS_MAX);
}

/** Returns true if the name starts with the query or is in it, or a query word begins one of the name. */
export function isNamed(query: string, name: string): boolean {
  const [queryWords, nameWords] = [wordsOf(query), wordsOf(name)];
  if (queryWords.length === 0 || nameWords.length === 0) return false;
  const [text, whole] = [queryWords.join(" "), nameWords.join(" ")];
  if (whole.startsWith(text) || ` ${text} `.includes(` ${whole} `)) return true;
  return queryWords.some(
    (word) => Array.from(word).length >= PREFIX_LENGTH_MIN && nameWords.some((part) => part.startsWith(word)),
  );
}

function wordsOf(text: string): string[] {
  return fold(text)
    .split(NO_WORD)
    .filter((word) => word !== "");
}

export const NOTABLE_SAMPLE = 40;
const NOTABLE_MAX = 8;
const NO_LETTER = /[^\p{L}\p{N}]+/gu;

export const NOTABLE_SORTS = ["readinglog_count", "osp_count"] as const;

export const NOTABLE: Query = anyOf([
  between("osp_count", "1", null),
  between("readinglog_count", "5", null),
  between("edition_count", "5", null),
]);

/** Returns the first authors of two samples in turn, each person once by number and by name. */
export function notableAuthorsOf(samples: readonly (readonly Document[])[]): NamedAuthor[] {
  const places = Math.max(0, ...samples.map(({ length }) => length));
  const authors = Array.from({ length: places }, (_, place) =>
    samples.flatMap((sample) => firstAuthorOf(sample[place])),
  ).flat();
  const byKey = [...new Map(authors.map((author) => [author.key, author])).values()];
  // The first author of a name stays: a map keeps the last one.
  const byName = new Map(byKey.toReversed().map((author) => [nameKeyOf(author.name), author]));
  return byKey.filter((author) => byName.get(nameKeyOf(author.name)) === author).slice(0, NOTABLE_MAX);
}

function firstAuthorOf(work: Document | undefined): NamedAuthor[] {
  const [olid] = stringsOf(work?.["author_key"]);
  const [name] = stringsOf(work?.["author_name"]);
  return olid === undefined || name === undefined ? [] : [{ key: `/authors/${olid}`, name }];
}

function nameKeyOf(name: string): string {
  return fold(name).replace(NO_LETTER, "");
}
