import type { PublicationDate } from "../catalog/publication-date.ts";
import type { JsonObject } from "../catalog/record.ts";
import { type Agent, type AgentRole, agentsInRole, namePartsOf, sortedNameOf } from "./agents.ts";
import { exportDateOf } from "./dates.ts";
import { type Book, SHORTENED, fullTitleOf, isbnOf, languageTagOf } from "./book.ts";
import { dropEmptyMembers, joinNonEmpty } from "./values.ts";

/** Converts a book to an item of CSL-JSON 1.0.2: https://github.com/citation-style-language/schema */
export function toCslItem(book: Book): JsonObject {
  const [series] = book.series;
  return dropEmptyMembers({
    id: book.id,
    type: "book",
    title: fullTitleOf(book),
    "title-short": book.subtitle === undefined ? undefined : book.title,
    author: cslNamesOf(book, "author"),
    editor: cslNamesOf(book, "editor"),
    translator: cslNamesOf(book, "translator"),
    illustrator: cslNamesOf(book, "illustrator"),
    contributor: cslNamesOf(book, "contributor"),
    issued: book.issued === undefined ? undefined : toCslDate(book.issued),
    publisher: book.publishers[0],
    "publisher-place": book.publishPlaces[0],
    edition: book.edition,
    "collection-title": series?.title,
    "collection-number": series?.number,
    "number-of-pages": book.pages === undefined ? undefined : String(book.pages),
    ISBN: isbnOf(book),
    "call-number": book.congressClasses[0] ?? book.deweyClasses[0],
    language: languageTagOf(book),
    abstract: book.description,
    keyword: book.subjects.join(", "),
    URL: book.url,
  });
}

function cslNamesOf(book: Book, role: AgentRole): JsonObject[] {
  return agentsInRole(book, role).map(toCslName);
}

function toCslName(agent: Agent): JsonObject {
  const parts = namePartsOf(agent);
  if (parts === undefined) return { literal: agent.name };
  const { family, given, particle, suffix } = parts;
  return dropEmptyMembers({ family, given, "non-dropping-particle": particle, suffix });
}

function toCslDate({ year, month, day, lastYear, certainty }: PublicationDate): JsonObject {
  const first = [toCslYear(year), month, day].filter((part) => part !== undefined);
  const parts = lastYear === undefined ? [first] : [first, [toCslYear(lastYear)]];
  return { "date-parts": parts, ...(certainty !== undefined && { circa: true }) };
}

/** Returns the year as citation processors number it: there is no year 0, and -400 is 400 B.C. */
function toCslYear(year: number): number {
  return year > 0 ? year : year - 1;
}

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
    ["year", (exportDateOf(book.issued).text ?? "").replace("–", "--")],
    ["edition", escapeTex(book.edition ?? "")],
    ["series", escapeTex(series?.title ?? "")],
    ["number", escapeTex(series?.number ?? "")],
    ["isbn", escapeTex(isbnOf(book) ?? "")],
    ["language", languageTagOf(book) ?? ""],
    ["note", book.description?.endsWith(SHORTENED) === true ? SHORTENED : ""],
    ["url", book.url],
  ] as const;
  const lines = fields.filter(([, value]) => value !== "").map(([name, value]) => `  ${name} = {${value}}`);
  return `@book{${book.id},\n${lines.join(",\n")}\n}\n`;
}

function formatNames(book: Book, role: AgentRole): string {
  return agentsInRole(book, role).map(formatBibtexName).join(" and ");
}

function formatBibtexName(agent: Agent): string {
  const parts = namePartsOf(agent);
  if (parts === undefined) return `{${escapeTex(agent.name)}}`;
  const { family, given, particle, suffix } = parts;
  const last = joinNonEmpty([particle, family], " ");
  return [last, suffix, given]
    .filter((part) => part !== "")
    .map((part) => (AND.test(part) ? `{${escapeTex(part)}}` : escapeTex(part)))
    .join(", ");
}

/** Escapes characters with a meaning in TeX, and braces, which would end the value. */
function escapeTex(text: string): string {
  return text.replace(CONTROL, " ").replace(SPECIAL, (character) => ESCAPES[character] ?? `\\${character}`);
}

/** Tags for the makers of a book. For other roles there is no tag that programs agree on. */
const PARTS: readonly (readonly [tag: string, role: AgentRole])[] = [
  ["AU", "author"],
  ["ED", "editor"],
  ["A4", "translator"],
];
const LINE_BREAKS = /[\r\n]+/;

/** Formats a book as a RIS reference for reference managers; lines end with CR LF. */
export function formatRis(book: Book): string {
  const [series] = book.series;
  const { single, text } = exportDateOf(book.issued);
  const date = [single?.year, single?.month, single?.day].map((part) =>
    part === undefined ? "" : String(part).padStart(2, "0"),
  );
  // The last part is for anything that the numbers do not say.
  const more = single?.year === undefined || text !== String(single.year) ? text : "";
  const fields: (readonly [tag: string, value: string | number | undefined])[] = [
    ["TY", book.material.ris],
    ["ID", book.id],
    ["TI", fullTitleOf(book)],
    ...PARTS.flatMap(([tag, role]) =>
      agentsInRole(book, role).map((agent) => [tag, sortedNameOf(agent)] as const),
    ),
    ["PY", single && String(single.year).padStart(4, "0")],
    ["DA", text && `${date.join("/")}/${more}`],
    ["PB", book.publishers[0]],
    ["CY", book.publishPlaces[0]],
    ["ET", book.edition],
    ["T2", series?.title],
    ["VL", series?.number],
    ["SP", book.pages],
    ["SN", isbnOf(book)],
    ["CN", book.congressClasses[0] ?? book.deweyClasses[0]],
    ["LA", languageTagOf(book)],
    ["AB", book.description],
    ...book.subjects.map((subject) => ["KW", subject] as const),
    ["UR", book.url],
  ];
  const lines = fields.flatMap(([tag, value]) =>
    value === undefined || value === "" ? [] : [`${tag}  - ${joinLines(String(value))}\r\n`],
  );
  return `${lines.join("")}ER  - \r\n`;
}

function joinLines(text: string): string {
  const lines = text.split(LINE_BREAKS).map((line) => line.trim());
  return lines.filter((line) => line !== "").join(" ");
}
