import { stringsOf } from "../../catalog/record.ts";
import type { Document } from "../engine.ts";
import { type Query, anyOf, between } from "../query/query.ts";
import { fold } from "../text/fold.ts";
import type { NamedAuthor } from "./named-authors.ts";

/** Works of each sample that notable authors are taken from. */
export const NOTABLE_SAMPLE = 40;
/** Notable authors of a subject. */
const NOTABLE_MAX = 8;
const NO_LETTER = /[^\p{L}\p{N}]+/gu;

/** The orders of the samples: most readers, most courses. */
export const NOTABLE_SORTS = ["readinglog_count", "osp_count"] as const;

/** Works that somebody reads, teaches, or prints again and again (search.md 8). */
export const NOTABLE: Query = anyOf([
  between("osp_count", "1", null),
  between("readinglog_count", "5", null),
  between("edition_count", "5", null),
]);

/** The first authors of two samples in turn, each person once by number and by name (search.md 8). */
export function notableAuthors(samples: readonly (readonly Document[])[]): NamedAuthor[] {
  const places = Math.max(0, ...samples.map(({ length }) => length));
  const authors = Array.from({ length: places }, (_, place) =>
    samples.flatMap((sample) => authorOf(sample[place])),
  ).flat();
  const byKey = [...new Map(authors.map((author) => [author.key, author])).values()];
  // The first one of a name stays: a map keeps the last.
  const byName = new Map(byKey.toReversed().map((author) => [nameKey(author.name), author]));
  return byKey.filter((author) => byName.get(nameKey(author.name)) === author).slice(0, NOTABLE_MAX);
}

function authorOf(work: Document | undefined): NamedAuthor[] {
  const [olid] = stringsOf(work?.["author_key"]);
  const [name] = stringsOf(work?.["author_name"]);
  return olid === undefined || name === undefined ? [] : [{ key: `/authors/${olid}`, name }];
}

/** A name without case, accents and punctuation. */
function nameKey(name: string): string {
  return fold(name).replace(NO_LETTER, "");
}
