import type { Book } from "./book.ts";
import { fullTitleOf, isbnOf, languageTagOf } from "./csl.ts";
import { type Agent, type AgentRole, namePartsOf, agentRoleOf } from "./names.ts";

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
export function formatBibtex(book: Book): string {
  const [series] = book.series;
  const fields = [
    ["author", formatNames(book, "author")],
    ["editor", formatNames(book, "editor")],
    ["translator", formatNames(book, "translator")],
    ["title", escapeTex(fullTitleOf(book))],
    ["publisher", escapeTex(book.publishers.join(", "))],
    ["address", escapeTex(book.publishPlaces[0] ?? "")],
    ["year", String(book.issued?.year ?? "")],
    ["edition", escapeTex(book.edition ?? "")],
    ["series", escapeTex(series?.title ?? "")],
    ["number", escapeTex(series?.number ?? "")],
    ["isbn", escapeTex(isbnOf(book) ?? "")],
    ["language", languageTagOf(book) ?? ""],
    ["url", book.url],
  ] as const;
  const lines = fields.filter(([, value]) => value !== "").map(([name, value]) => `  ${name} = {${value}}`);
  return `@book{${book.id},\n${lines.join(",\n")}\n}\n`;
}

function formatNames({ agents }: Book, part: AgentRole): string {
  return agents
    .filter((agent) => agentRoleOf(agent) === part)
    .map(formatBibtexName)
    .join(" and ");
}

function formatBibtexName(agent: Agent): string {
  const parts = namePartsOf(agent);
  if (parts === undefined) return `{${escapeTex(agent.name)}}`;
  const { family, given, particle, suffix } = parts;
  const last = [particle, family].filter((part) => part !== "").join(" ");
  return [last, suffix, given]
    .filter((part) => part !== "")
    .map((part) => (AND.test(part) ? `{${escapeTex(part)}}` : escapeTex(part)))
    .join(", ");
}

/** Escapes characters with a meaning in TeX, and braces, which would end the value. */
function escapeTex(text: string): string {
  return text.replace(CONTROL, " ").replace(SPECIAL, (character) => ESCAPES[character] ?? `\\${character}`);
}
