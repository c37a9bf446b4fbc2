import type { Book } from "./book.ts";
import { fullTitle, languageTag } from "./csl.ts";
import { type Agent, type NameParts, type Part, nameParts, partOf, sortedName } from "./names.ts";
import { type Words, WORDS, headline } from "./reference-words.ts";

/** Reference to a book in a bibliography. */
interface Reference {
  readonly text: string;
  /** HTML of the text with the title in italics. Data of records is escaped. */
  readonly html: string;
}

/** Function that formats a book in a style: sentences, with the title marked. */
type Write = (cited: Cited) => readonly (string | Title)[];

interface Title {
  readonly title: string;
  /** Text after the title in the same sentence. */
  readonly more?: string;
}

/** Data of a reference. */
interface Cited {
  readonly authors: readonly Agent[];
  readonly editors: readonly Agent[];
  readonly translators: readonly Agent[];
  readonly illustrators: readonly Agent[];
  readonly title: string;
  /** Title in headline style if the book is in English. */
  readonly headline: string;
  readonly year: string | undefined;
  readonly edition: string;
  readonly series: string;
  readonly place: string;
  readonly publisher: string;
  readonly words: Words;
}

/** Maximum number of people per role: records may have any number. */
const PEOPLE_MAX = 100;
/** Maximum length of a text of a record in a reference, in characters. */
const TEXT_LENGTH = 1000;

/** Formats a book as a reference in every style, with the words of a supported language. */
export function referencesOf(book: Book, language: keyof typeof WORDS): Record<CitationStyle, Reference> {
  const cited = citedBook(book, language);
  const written = CITATION_STYLES.map((name) => [name, reference(STYLES[name](cited))]);
  // Every style has an entry.
  return Object.fromEntries(written) as Record<CitationStyle, Reference>;
}

function citedBook(book: Book, language: keyof typeof WORDS): Cited {
  const people = (part: Part) => book.agents.filter((one) => partOf(one) === part).slice(0, PEOPLE_MAX);
  const title = short(fullTitle(book));
  const isEnglish = (languageTag(book) ?? language) === "en";
  const [series] = book.series;
  return {
    authors: people("author"),
    editors: people("editor"),
    translators: people("translator"),
    illustrators: people("illustrator"),
    title,
    headline: isEnglish ? headline(title) : title,
    year: book.issued === undefined ? undefined : String(book.issued.year),
    edition: short(book.edition),
    series: [short(series?.title), short(series?.number)].filter(Boolean).join(" "),
    place: short(book.publishPlaces[0]),
    publisher: short(book.publishers[0]),
    words: WORDS[language],
  };
}

function short(text: string | undefined): string {
  return (text ?? "").slice(0, TEXT_LENGTH).trim();
}

/** American Psychological Association, seventh edition. */
const APA_AUTHORS_MAX = 20;
const APA_AUTHORS_FIRST = 19;

function apa(cited: Cited): readonly (string | Title)[] {
  const { authors, editors, title, words } = cited;
  const main = authors.length > 0 ? authors : editors;
  const names = apaNames(main);
  const makers =
    authors.length > 0 || editors.length === 0 ? names : `${names} (${apaLabel(editors, words)})`;
  const others = [
    authors.length > 0 ? apaOthers(editors, apaLabel(editors, words)) : "",
    apaOthers(cited.illustrators, words.illustrator),
    apaOthers(cited.translators, words.translator),
    cited.edition,
  ].filter(Boolean);
  const date = `(${cited.year ?? words.noDate})`;
  const book = { title, more: others.length === 0 ? "" : ` (${others.join("; ")})` };
  return makers === "" ? [book, date, cited.publisher] : [makers, date, book, cited.publisher];
}

function apaLabel(editors: readonly Agent[], { editor, editors: several }: Words): string {
  return editors.length > 1 ? several : editor;
}

function apaNames(agents: readonly Agent[]): string {
  const names = agents.map((agent) => {
    const parts = nameParts(agent);
    if (parts === undefined) return agent.name;
    const { family, given, particle, suffix } = parts;
    return filled([filled([particle, family], " "), initials(given), suffix], ", ");
  });
  if (names.length > APA_AUTHORS_MAX) {
    return `${names.slice(0, APA_AUTHORS_FIRST).join(", ")}, . . . ${names.at(-1)}`;
  }
  return joined(names, "&");
}

function apaOthers(agents: readonly Agent[], label: string): string {
  if (agents.length === 0) return "";
  const names = agents.map((agent) => {
    const parts = nameParts(agent);
    return parts === undefined ? agent.name : spoken({ ...parts, given: initials(parts.given) });
  });
  return `${names.length < 3 ? names.join(" & ") : joined(names, "&")}, ${label}`;
}

/** Abbreviates given names: `Jean-Paul` becomes `J.-P.`; `J. R. R.` is unchanged. */
function initials(given: string): string {
  const words = given.split(/[\s.]+/).filter((word) => word !== "");
  return words
    .map((word) =>
      word
        .split("-")
        .map((part) => (part === "" ? "" : `${Array.from(part)[0]}.`))
        .join("-"),
    )
    .join(" ");
}

/** Formats a reference in the style of the Modern Language Association, ninth edition: works cited. */
function mla(cited: Cited): readonly (string | Title)[] {
  const { authors, editors, translators, words } = cited;
  const main = authors.length > 0 ? authors : editors;
  const [first = "", ...others] = main.map((agent, index) => (index === 0 ? inverted(agent) : direct(agent)));
  const names = others.length > 1 ? `${first}, ${words.etAl}` : joined([first, ...others], words.and);
  const label = editors.length > 1 ? words.longEditors : words.longEditor;
  const makers = authors.length > 0 || names === "" ? names : `${names}, ${label}`;
  const publication = filled(
    [
      authors.length > 0 ? by(words.editedBy, editors, words) : "",
      by(words.translatedBy, translators, words),
      by(words.illustratedBy, cited.illustrators, words),
      cited.edition,
      cited.publisher,
      cited.year ?? "",
    ],
    ", ",
  );
  return [makers, { title: cited.headline }, capitalized(publication), cited.series];
}

/** Chicago Manual of Style, seventeenth edition: author-date. */
const CHICAGO_AUTHORS_MAX = 10;
const CHICAGO_AUTHORS_FIRST = 7;

function chicago(cited: Cited): readonly (string | Title)[] {
  const { authors, editors, translators, words } = cited;
  const main = authors.length > 0 ? authors : editors;
  const names =
    main.length > CHICAGO_AUTHORS_MAX
      ? `${chicagoNames(main.slice(0, CHICAGO_AUTHORS_FIRST)).join(", ")}, ${words.etAl}`
      : joined(chicagoNames(main), words.and);
  const label = (editors.length > 1 ? words.editors : words.editor).toLowerCase();
  const makers = authors.length > 0 || names === "" ? names : `${names}, ${label}`;
  const title = { title: cited.headline };
  const year = cited.year ?? words.noDate;
  return [
    ...(makers === "" ? [title, year] : [makers, year, title]),
    authors.length > 0 ? capitalized(by(words.editedBy, editors, words)) : "",
    capitalized(by(words.translatedBy, translators, words)),
    capitalized(by(words.illustratedBy, cited.illustrators, words)),
    cited.edition,
    cited.series,
    filled([cited.place, cited.publisher], ": "),
  ];
}

/** Returns the first name in sorted form, `Cervantes, Miguel de`, and the others in natural order. */
function chicagoNames(agents: readonly Agent[]): string[] {
  return agents.map((agent, index) => (index === 0 ? sortedName(agent) : direct(agent)));
}

export const CITATION_STYLES = ["apa", "mla", "chicago"] as const;
type CitationStyle = (typeof CITATION_STYLES)[number];
const STYLES: Readonly<Record<CitationStyle, Write>> = { apa, mla, chicago };

function by(label: string, agents: readonly Agent[], { and }: Words): string {
  if (agents.length === 0) return "";
  const names = agents.map(direct);
  return `${label} ${names.length < 3 ? names.join(` ${and} `) : joined(names, and)}`;
}

/** Joins names with commas and a word before the last. */
function joined(names: readonly string[], and: string): string {
  return names.length < 2 ? names.join("") : `${names.slice(0, -1).join(", ")}, ${and} ${names.at(-1)}`;
}

function inverted(agent: Agent): string {
  const parts = nameParts(agent);
  if (parts === undefined) return agent.name;
  return filled([filled([parts.particle, parts.family], " "), parts.given, parts.suffix], ", ");
}

function direct(agent: Agent): string {
  const parts = nameParts(agent);
  return parts === undefined ? agent.name : spoken(parts);
}

function spoken({ given, particle, family, suffix }: NameParts): string {
  return filled([given, particle, family, suffix], " ");
}

function filled(texts: readonly string[], separator: string): string {
  return texts.filter((text) => text !== "").join(separator);
}

function capitalized(text: string): string {
  return text.slice(0, 1).toUpperCase() + text.slice(1);
}

/** Joins sentences with one punctuation mark at the end of each. */
function reference(sentences: ReturnType<Write>): Reference {
  const texts: string[] = [];
  const pages: string[] = [];
  for (const sentence of sentences) {
    if (sentence === "") continue;
    const { title, more } = typeof sentence === "string" ? { title: "", more: sentence } : sentence;
    const whole = title + (more ?? "");
    const end = /[.?!…]$/.test(whole) ? "" : ".";
    texts.push(whole + end);
    pages.push(`${title === "" ? "" : `<i>${escaped(title)}</i>`}${escaped(more ?? "")}${end}`);
  }
  return { text: texts.join(" "), html: pages.join(" ") };
}

const SPECIAL: Readonly<Record<string, string>> = { "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;" };

function escaped(text: string): string {
  return text.replace(/[&<>"]/g, (character) => SPECIAL[character] ?? character);
}
