import { parseAuthorHeading } from "../../catalog/matching/author-heading.ts";
import { WHOLE_TITLE_LENGTH, removeFinalNotes, shortTitlesOf } from "../../catalog/matching/match-keys.ts";
import { WORK_SCHEME } from "./field-names.ts";
import { keyConditionOf } from "./normalize.ts";
import { parseText } from "./parser.ts";
import { namesIn } from "./person-names.ts";
import {
  type ReadWords,
  RULES,
  splitWords,
  dropArticles,
  dropEditionWords,
  dropNotes,
  findVolume,
  joinWords,
} from "./reading-rules.ts";
import { BY_WORDS } from "./reading-words.ts";
import { escapeText, namesField } from "./syntax.ts";
import type { WorkParameters } from "./work-parameters.ts";

/** Text of a search with its parameters, such as `title`. */
export interface Typed {
  readonly q: string;
  readonly parameters: WorkParameters;
}

/** Weaker reading of a typed search. `text` is its plain form, which clients and readers are told. */
export interface OtherReading extends Typed {
  readonly text: string;
}

/** Text as clients and readers are told it, and the query that it stands for. */
interface Form {
  readonly text: string;
  readonly query: string;
}

const LEVELS = [1, 2, 3] as const;

interface Forms {
  /** Volume of a series or title; undefined without its number. */
  readonly volume?: Form | undefined;
  /** Forms by the level of their rules, the strictest first. */
  readonly levels: readonly Form[];
}

/** Pattern of a dash between blanks, or at one end. */
const DASH = /(?<=^|\s)\p{Pd}+(?=\s|$)/u;

function formsOf(typed: string, queryOf = (text: string): string => text): Forms {
  const noted = dropNotes(typed);
  const words = splitWords(noted);
  let text = noted === typed && !DASH.test(typed) ? typed : joinWords(words);
  let read: ReadWords = words;
  const levels = LEVELS.map((level) => {
    const before = read;
    for (const rule of RULES) if (rule.level === level) read = rule.read(read);
    if (!isEqual(read, before)) text = joinWords(read);
    return { text, query: queryOf(text) };
  });
  return { volume: volumeFormOf(words), levels };
}

function isEqual(first: ReadWords, second: ReadWords): boolean {
  return first.length === second.length && first.every((chunk, at) => chunk === second[at]);
}

const INTEGER = /^\d{1,3}$/;
const QUOTES = /["\\]/g;
/** Words between the name and the number of a first volume in titles. */
const FIRST_VOLUME_WORDS = ["", "vol", "volume", "book", "part"];

/** Returns the form that finds a volume by the name and number in its title, or of its series. */
function volumeFormOf(words: ReadWords): Form | undefined {
  const volume = findVolume(words);
  if (volume === undefined || words.length === volume.to - volume.from) return undefined;
  const { number, from, to } = volume;
  const [before, after] = [words.slice(0, from), words.slice(to)];
  const parts = from > 0 ? [before, after] : [after, []];
  const [name = [], rest = []] = parts.map(dropEditionWords);
  const forms = INTEGER.test(number) ? [number, number.padStart(2, "0")] : [number];
  const query =
    number === "1"
      ? firstVolumeQueryOf(dropArticles(name), forms)
      : laterVolumeQueryOf(dropArticles(name), forms);
  return {
    text: join([joinWords(name), number, joinWords(rest)]),
    query: join([`(${query})`, escapeText(joinWords(rest))]),
  };
}

function laterVolumeQueryOf(name: ReadWords, forms: readonly string[]): string {
  const named = escapeText(joinWords(name));
  const number = forms.map(escapeText).join(" OR ");
  return `(title:(${named}) OR series_name:(${named})) (title:(${number}) OR series_position:(${number}))`;
}

/** Returns the query for a first volume. Its name must be whole, because it is rather the title of a work. */
function firstVolumeQueryOf(name: ReadWords, forms: readonly string[]): string {
  const named = joinWords(name).replace(QUOTES, "");
  const titles = FIRST_VOLUME_WORDS.flatMap((word) =>
    forms.map((form) => `title:"${join([named, word, form])}"`),
  );
  const series = name.length > 1 ? [`(series_name:"${named}" series_position:1)`] : [];
  return [...titles, ...series].join(" OR ");
}

function join(texts: readonly string[]): string {
  return texts.filter((text) => text !== "").join(" ");
}

function titleQueryOf(text: string): string {
  return `title:(${escapeText(text)})`;
}

/** Returns the forms of `title=`, which find all titles of a work. A dash or a word such as `by` may separate an author. */
function titleFormsOf(title: string): Forms {
  const { volume, levels } = formsOf(title, titleQueryOf);
  const [strict, loose, joined = strict] = levels;
  const [, short = loose] = formsOf(shortTitlesOf(title).at(-1) ?? title, titleQueryOf).levels;
  const hasAuthor = DASH.test(title) || splitWords(title).some(({ folded }) => BY_WORDS.has(folded));
  const withAuthor = joined && {
    text: joined.text,
    query: `(${short?.query} OR (${escapeText(joined.text)}))`,
  };
  return { volume, levels: [strict, loose, hasAuthor ? withAuthor : short].flatMap((form) => form ?? []) };
}

const DASHES = /(?<=^|\s)-+(?=\s|$)/g;
const BLANKS = /\s+/g;
const LEADING_DASH = /^\s*-+\s/;
const NAME_AND_COLON = /(?<=^|\s)([\w.]+)\s*:(?=\s+[^\s"([{])/g;
/** Signs and operators of a text that is more than a name or title. */
const SYNTAX = /["*^\\]|(?:^|\s)[-+](?=\S)|\b(?:AND|OR|NOT)\b/;

/** Returns true for a text that excludes its first word by a dash which was not meant so, whatever it finds. */
export function beginsWithDash(text: string): boolean {
  return LEADING_DASH.test(text);
}

function hasSyntax(text: string): boolean {
  const parsed = parseText(text, WORK_SCHEME);
  return SYNTAX.test(text) || parsed.kind !== "tree" || namesField(parsed.tree);
}

const FIELDED = /(?:^|\s)(title|author|by):(?=\S)/i;
const ENCLOSED = /^["(](.*)[")]$/;

/** Returns a text of a title and an author alone, such as `title:Emma author:"Jane Austen"`, as parameters. */
function readFields({ q, parameters }: Typed): Typed {
  const [before, ...parts] = q.trim().split(FIELDED);
  const fields = new Map<string, string>();
  for (let at = 0; at < parts.length; at += 2) {
    const name = parts[at]?.toLowerCase() === "title" ? "title" : "author";
    fields.set(name, (parts[at + 1] ?? "").trim().replace(ENCLOSED, "$1"));
  }
  const isRead =
    before === "" &&
    parameters.title === undefined &&
    parameters.author === undefined &&
    2 * fields.size === parts.length &&
    ![...fields.values()].some(hasSyntax);
  return isRead ? { q: "", parameters: { ...parameters, ...Object.fromEntries(fields) } } : { q, parameters };
}

export interface Readings {
  /** True for a note, subtitle or dates, without which a text is searched before its spelling is corrected (Q655). */
  readonly isLonger: boolean;
  /** Readings, the strictest first; the last one finds whatever the others find. */
  readonly readings: readonly OtherReading[];
  /** Names of `author=`, which the author may have in another form. */
  readonly names: readonly string[];
}

const WORDS_MAX = 40;
const DIGIT_OR_WILDCARD = /[\d*]/;

/** Returns the weaker readings of what was typed, for a search that finds nothing (Q792). None for a long text. */
export function readTyped(typed: Typed, prefix: string): Readings {
  const key = keyConditionOf(typed.q, prefix);
  const { q, parameters } = readFields(typed);
  const { title = "", author = "", ...others } = parameters;
  const texts = [q, title, author];
  const isLong = texts.some(
    (text) => text.length > WHOLE_TITLE_LENGTH || splitWords(text).length > WORDS_MAX,
  );
  if (isLong) return { isLonger: false, readings: [], names: [] };
  if (key !== undefined) {
    const text = `${key.field}:${key.value}`;
    const readings = [{ text, q: text, parameters: typed.parameters }];
    return { isLonger: false, readings, names: [] };
  }
  const isTitle = title.trim() !== "" && !title.includes("*");
  const removeColon = (typed: string, name: string) => (WORK_SCHEME.resolve(name) ? name : typed);
  const dashed = q.replace(NAME_AND_COLON, removeColon).trim();
  const plain = dashed.replace(DASHES, "").replace(BLANKS, " ").trim();
  const unread = { text: plain, query: plain };
  const { name } = parseAuthorHeading(dashed);
  const isText = !hasSyntax(plain);
  const parts: Forms[] = [
    isText ? formsOf(name) : { levels: LEVELS.map(() => unread) },
    ...(isTitle ? [titleFormsOf(title)] : []),
  ];
  const withoutTitle = isTitle ? { ...others, ...(author !== "" && { author }) } : parameters;
  const makeReading = (formOf: (part: Forms) => Form | undefined): OtherReading => {
    const forms = parts.flatMap((part) => formOf(part) ?? part.levels[0] ?? []);
    const [text, query] = [forms.map((form) => form.text), forms.map((form) => form.query)].map(join);
    return { text: text ?? "", q: query ?? "", parameters: withoutTitle };
  };
  const isVolume = parts.some(({ volume }) => volume !== undefined);
  const ofForms = [
    ...(isVolume ? [makeReading(({ volume }) => volume)] : []),
    ...LEVELS.map((_level, at) => makeReading(({ levels }) => levels[at])),
  ];
  const readings = new Map(
    [{ text: plain, q: plain, parameters }, ...ofForms].map((reading) => [reading.q, reading]),
  );
  readings.delete(typed.q.trim());
  return {
    isLonger:
      shortTitlesOf(title).length > 0 || (isText && (name !== dashed || removeFinalNotes(plain) !== plain)),
    readings: [...readings.values()].filter(({ text }) => text !== ""),
    names: DIGIT_OR_WILDCARD.test(author) ? [] : namesIn(author),
  };
}
