import { type Book, fullTitleOf, languageTagOf } from "./book.ts";
import {
  type Agent,
  type AgentRole,
  agentsInRole,
  namePartsOf,
  naturalNameOf,
  sortedNameOf,
} from "./agents.ts";
import { exportDateOf } from "./dates.ts";
import { joinNonEmpty } from "./values.ts";
import { formatWikipedia } from "./wikipedia.ts";
import { type ReferenceWords, REFERENCE_WORDS, toHeadlineCase } from "./reference-words.ts";

interface Reference {
  readonly text: string;
  /** HTML of the text, with the title in italics, or as code. Data of records is escaped. */
  readonly html: string;
}

interface Title {
  readonly title: string;
  readonly more?: string;
}

interface ReferenceData {
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
  readonly words: ReferenceWords;
}

/** Maximum number of people per role: records may have any number. */
const PEOPLE_MAX = 100;
/** Maximum length of a text of a record in a reference, in characters. */
const TEXT_LENGTH = 1000;

/** Formats a book as a reference in every style, with the words of a supported language. */
export function formatReferences(
  book: Book,
  language: keyof typeof REFERENCE_WORDS,
): Record<CitationStyle, Reference> {
  const data = referenceDataOf(book, language);
  const wikitext = formatWikipedia(book);
  return {
    apa: toReference(formatApa(data)),
    mla: toReference(formatMla(data)),
    chicago: toReference(formatChicago(data)),
    wikipedia: { text: wikitext, html: `<code>${escapeHtml(wikitext)}</code>` },
  };
}

function referenceDataOf(book: Book, language: keyof typeof REFERENCE_WORDS): ReferenceData {
  const people = (role: AgentRole) => agentsInRole(book, role).slice(0, PEOPLE_MAX);
  const title = cutText(fullTitleOf(book));
  const isEnglish = (languageTagOf(book) ?? language) === "en";
  const [series] = book.series;
  return {
    authors: people("author"),
    editors: people("editor"),
    translators: people("translator"),
    illustrators: people("illustrator"),
    title,
    headline: isEnglish ? toHeadlineCase(title) : title,
    year: exportDateOf(book.issued, REFERENCE_WORDS[language].beforeChrist).text,
    edition: cutText(book.edition),
    series: [cutText(series?.title), cutText(series?.number)].filter(Boolean).join(" "),
    place: cutText(book.publishPlaces[0]),
    publisher: cutText(book.publishers[0]),
    words: REFERENCE_WORDS[language],
  };
}

function cutText(text: string | undefined): string {
  return (text ?? "").slice(0, TEXT_LENGTH).trim();
}

/** American Psychological Association, seventh edition. */
const APA_AUTHORS_MAX = 20;
const APA_AUTHORS_FIRST = 19;

function formatApa(data: ReferenceData): readonly (string | Title)[] {
  const { authors, editors, title, words } = data;
  const main = authors.length > 0 ? authors : editors;
  const names = formatApaNames(main);
  const makers =
    authors.length > 0 || editors.length === 0 ? names : `${names} (${apaLabelOf(editors, words)})`;
  const others = [
    authors.length > 0 ? formatApaOthers(editors, apaLabelOf(editors, words)) : "",
    formatApaOthers(data.illustrators, words.illustrator),
    formatApaOthers(data.translators, words.translator),
    data.edition,
  ].filter(Boolean);
  const date = `(${data.year ?? words.noDate})`;
  const book = { title, more: others.length === 0 ? "" : ` (${others.join("; ")})` };
  return makers === "" ? [book, date, data.publisher] : [makers, date, book, data.publisher];
}

function apaLabelOf(editors: readonly Agent[], { editor, editors: several }: ReferenceWords): string {
  return editors.length > 1 ? several : editor;
}

function formatApaNames(agents: readonly Agent[]): string {
  const names = agents.map((agent) => {
    const parts = namePartsOf(agent);
    if (parts === undefined) return agent.name;
    const { family, given, particle, suffix } = parts;
    return joinNonEmpty([joinNonEmpty([particle, family], " "), initialsOf(given), suffix], ", ");
  });
  if (names.length > APA_AUTHORS_MAX) {
    return `${names.slice(0, APA_AUTHORS_FIRST).join(", ")}, . . . ${names.at(-1)}`;
  }
  return joinNames(names, "&");
}

function formatApaOthers(agents: readonly Agent[], label: string): string {
  if (agents.length === 0) return "";
  const names = agents.map((agent) => {
    const parts = namePartsOf(agent);
    return parts === undefined ? agent.name : naturalNameOf({ ...parts, given: initialsOf(parts.given) });
  });
  return `${names.length < 3 ? names.join(" & ") : joinNames(names, "&")}, ${label}`;
}

/** Abbreviates given names: `Jean-Paul` becomes `J.-P.`; `J. R. R.` is unchanged. */
function initialsOf(given: string): string {
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
function formatMla(data: ReferenceData): readonly (string | Title)[] {
  const { authors, editors, translators, words } = data;
  const main = authors.length > 0 ? authors : editors;
  const [first = "", ...others] = main.map((agent, index) =>
    index === 0 ? formatInverted(agent) : formatDirect(agent),
  );
  const names = others.length > 1 ? `${first}, ${words.etAl}` : joinNames([first, ...others], words.and);
  const label = editors.length > 1 ? words.longEditors : words.longEditor;
  const makers = authors.length > 0 || names === "" ? names : `${names}, ${label}`;
  const publication = joinNonEmpty(
    [
      authors.length > 0 ? formatByline(words.editedBy, editors, words) : "",
      formatByline(words.translatedBy, translators, words),
      formatByline(words.illustratedBy, data.illustrators, words),
      data.edition,
      data.publisher,
      data.year ?? "",
    ],
    ", ",
  );
  return [makers, { title: data.headline }, capitalize(publication), data.series];
}

/** Chicago Manual of Style, seventeenth edition: author-date. */
const CHICAGO_AUTHORS_MAX = 10;
const CHICAGO_AUTHORS_FIRST = 7;

function formatChicago(data: ReferenceData): readonly (string | Title)[] {
  const { authors, editors, translators, words } = data;
  const main = authors.length > 0 ? authors : editors;
  const names =
    main.length > CHICAGO_AUTHORS_MAX
      ? `${formatChicagoNames(main.slice(0, CHICAGO_AUTHORS_FIRST)).join(", ")}, ${words.etAl}`
      : joinNames(formatChicagoNames(main), words.and);
  const label = (editors.length > 1 ? words.editors : words.editor).toLowerCase();
  const makers = authors.length > 0 || names === "" ? names : `${names}, ${label}`;
  const title = { title: data.headline };
  const year = data.year ?? words.noDate;
  return [
    ...(makers === "" ? [title, year] : [makers, year, title]),
    authors.length > 0 ? capitalize(formatByline(words.editedBy, editors, words)) : "",
    capitalize(formatByline(words.translatedBy, translators, words)),
    capitalize(formatByline(words.illustratedBy, data.illustrators, words)),
    data.edition,
    data.series,
    joinNonEmpty([data.place, data.publisher], ": "),
  ];
}

/** Returns the first name in sorted form, `Cervantes, Miguel de`, and the others in natural order. */
function formatChicagoNames(agents: readonly Agent[]): string[] {
  return agents.map((agent, index) => (index === 0 ? sortedNameOf(agent) : formatDirect(agent)));
}

export const CITATION_LABELS = {
  apa: "APA",
  mla: "MLA",
  chicago: "Chicago",
  wikipedia: "Wikipedia",
} as const;
type CitationStyle = keyof typeof CITATION_LABELS;

// The compiler types member names as plain strings.
export const CITATION_STYLES = Object.keys(CITATION_LABELS) as readonly CitationStyle[];

function formatByline(label: string, agents: readonly Agent[], { and }: ReferenceWords): string {
  if (agents.length === 0) return "";
  const names = agents.map(formatDirect);
  return `${label} ${names.length < 3 ? names.join(` ${and} `) : joinNames(names, and)}`;
}

/** Joins names with commas and a word before the last. */
function joinNames(names: readonly string[], and: string): string {
  return names.length < 2 ? names.join("") : `${names.slice(0, -1).join(", ")}, ${and} ${names.at(-1)}`;
}

function formatInverted(agent: Agent): string {
  const parts = namePartsOf(agent);
  if (parts === undefined) return agent.name;
  return joinNonEmpty([joinNonEmpty([parts.particle, parts.family], " "), parts.given, parts.suffix], ", ");
}

function formatDirect(agent: Agent): string {
  const parts = namePartsOf(agent);
  return parts === undefined ? agent.name : naturalNameOf(parts);
}

function capitalize(text: string): string {
  return text.slice(0, 1).toUpperCase() + text.slice(1);
}

/** Joins sentences with one punctuation mark at the end of each. */
function toReference(sentences: ReturnType<typeof formatApa>): Reference {
  const texts: string[] = [];
  const pages: string[] = [];
  for (const sentence of sentences) {
    if (sentence === "") continue;
    const { title, more } = typeof sentence === "string" ? { title: "", more: sentence } : sentence;
    const whole = title + (more ?? "");
    const end = /[.?!…]$/.test(whole) ? "" : ".";
    texts.push(whole + end);
    pages.push(`${title === "" ? "" : `<i>${escapeHtml(title)}</i>`}${escapeHtml(more ?? "")}${end}`);
  }
  return { text: texts.join(" "), html: pages.join(" ") };
}

const SPECIAL: Readonly<Record<string, string>> = { "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;" };

function escapeHtml(text: string): string {
  return text.replace(/[&<>"]/g, (character) => SPECIAL[character] ?? character);
}
