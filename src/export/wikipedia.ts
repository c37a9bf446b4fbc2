import { type PublicationDate, formatIsoDate } from "../catalog/publication-date.ts";
import { type AgentRole, agentsInRole, namePartsOf } from "./agents.ts";
import { type Book, fullTitleOf, isbnOf, languageTagOf } from "./book.ts";
import { exportDateOf } from "./dates.ts";
import { joinNonEmpty } from "./values.ts";

/** Maximum number of people per role: the numbers that citoid maps to parameters. */
const PEOPLE_MAX = 9;
/** Maximum length of a value, in characters. */
const VALUE_LENGTH = 1000;
/** First year for which the template accepts a date of three numbers: the calendar is Gregorian. */
const ISO_DATES_SINCE = 1583;
const MONTHS = "January February March April May June July August September October November December".split(
  " ",
);
/** Text with a meaning in a parameter of a template: pipes, braces, tags, links, quotes of markup, signatures, entities. */
const MARKUP = /[|{}<>]|\[{2,}|\]{2,}|'{2,}|~{3,}|&(?=#?\w+;)/g;

/**
 * Q835: formats a book as a call of the template "cite book" of the English Wikipedia, with the parameters that citoid maps
 * to it.
 */
export function formatWikipedia(book: Book): string {
  const [series] = book.series;
  const parameters = [
    ...nameParametersOf(book, "author", ""),
    ...nameParametersOf(book, "editor", "editor-"),
    ...nameParametersOf(book, "translator", "translator-"),
    ["title", fullTitleOf(book)],
    ["url", book.url],
    ["date", dateOf(book.issued)],
    ["language", languageTagOf(book)],
    ["series", joinNonEmpty([series?.title ?? "", series?.number ?? ""], " ")],
    // The template adds "ed.".
    ["edition", book.edition?.replace(/ (?:ed|edn|edition)\.?$/i, "")],
    ["location", book.publishPlaces[0]],
    ["publisher", book.publishers[0]],
    ["isbn", isbnOf(book)],
    ["oclc", book.oclc[0]],
  ] as const;
  const texts = parameters.map(([name, value]) => [name, escapeMarkup(value ?? "")] as const);
  const written = texts.filter(([, value]) => value !== "").map(([name, value]) => ` |${name}=${value}`);
  return `{{cite book${written.join("")}}}`;
}

/** Returns `last`, `first`, `last2`, `first2` and so on; a name without parts is the last name. */
function nameParametersOf(book: Book, role: AgentRole, prefix: string): (readonly [string, string])[] {
  return agentsInRole(book, role)
    .slice(0, PEOPLE_MAX)
    .flatMap((agent, index) => {
      const number = index === 0 ? "" : index + 1;
      const parts = namePartsOf(agent);
      const last = parts === undefined ? agent.name : joinNonEmpty([parts.particle, parts.family], " ");
      const first = parts === undefined ? "" : joinNonEmpty([parts.given, parts.suffix], " ");
      return [
        [`${prefix}last${number}`, last],
        [`${prefix}first${number}`, first],
      ];
    });
}

/** Writes a date as the template accepts it: it has no form for dates before Christ. */
function dateOf(issued: PublicationDate | undefined): string | undefined {
  const { single, text } = exportDateOf(issued);
  if (single === undefined && text?.includes("BC") === true) return undefined;
  if (single?.month === undefined || single.certainty !== undefined) return text?.replace("ca. ", "c. ");
  const { year, month, day } = single;
  const name = `${MONTHS[month - 1]} ${year}`;
  if (day === undefined) return name;
  return year < ISO_DATES_SINCE ? `${day} ${name}` : formatIsoDate(single);
}

function escapeMarkup(text: string): string {
  const line = text.slice(0, VALUE_LENGTH).replace(/\s+/g, " ").trim();
  return line.replace(MARKUP, (markup) =>
    Array.from(markup, (character) => `&#${character.codePointAt(0)};`).join(""),
  );
}
