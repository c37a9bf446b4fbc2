import type { Book } from "./book.ts";
import { fullTitle, isbnOf, languageTag } from "./csl.ts";
import { type Agent, type Part, nameParts, partOf } from "./names.ts";

const SPECIAL = /[\\{}$&#%_~^]/g;
const ESCAPES: Readonly<Record<string, string>> = {
  "\\": "\\textbackslash{}",
  "~": "\\textasciitilde{}",
  "^": "\\textasciicircum{}",
};
const CONTROL = /\p{Cc}+/gu;
/** Separator of names. A name that contains it is put in braces. */
const AND = /\band\b/i;

/** Formats a book as a BibTeX entry, named by the number of the record. */
export function bibtexEntry(book: Book): string {
  const [series] = book.series;
  const fields = [
    ["author", names(book, "author")],
    ["editor", names(book, "editor")],
    ["translator", names(book, "translator")],
    ["title", escaped(fullTitle(book))],
    ["publisher", escaped(book.publishers.join(", "))],
    ["address", escaped(book.publishPlaces[0] ?? "")],
    ["year", String(book.issued?.year ?? "")],
    ["edition", escaped(book.edition ?? "")],
    ["series", escaped(series?.title ?? "")],
    ["number", escaped(series?.number ?? "")],
    ["isbn", escaped(isbnOf(book) ?? "")],
    ["language", languageTag(book) ?? ""],
    ["url", book.url],
  ] as const;
  const lines = fields.filter(([, value]) => value !== "").map(([name, value]) => `  ${name} = {${value}}`);
  return `@book{${book.id},\n${lines.join(",\n")}\n}\n`;
}

function names({ agents }: Book, part: Part): string {
  return agents
    .filter((agent) => partOf(agent) === part)
    .map(bibtexName)
    .join(" and ");
}

function bibtexName(agent: Agent): string {
  const parts = nameParts(agent);
  if (parts === undefined) return `{${escaped(agent.name)}}`;
  const { family, given, particle, suffix } = parts;
  const last = [particle, family].filter((part) => part !== "").join(" ");
  return [last, suffix, given]
    .filter((part) => part !== "")
    .map((part) => (AND.test(part) ? `{${escaped(part)}}` : escaped(part)))
    .join(", ");
}

/** Escapes characters with a meaning in TeX, and braces, which would end the value. */
function escaped(text: string): string {
  return text.replace(CONTROL, " ").replace(SPECIAL, (character) => ESCAPES[character] ?? `\\${character}`);
}
