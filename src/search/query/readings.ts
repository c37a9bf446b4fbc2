import { parseAuthorHeading } from "../../catalog/matching/author-heading.ts";
import { WHOLE_TITLE_LENGTH, shortTitlesOf } from "../../catalog/matching/match-keys.ts";
import { keyConditionOf } from "./normalize.ts";
import { isJoin, namesIn } from "./person-names.ts";
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
import { escapeText } from "./syntax.ts";
import { type Typed, hasSyntax, plainTextsOf, readFields } from "./typed-search.ts";

/** Weaker reading of a typed search. `text` is its plain form, which clients and readers are told. */
export interface OtherReading extends Typed {
  readonly text: string;
}

/** Text as clients and readers are told it, and the query that it stands for. */
interface Form {
  readonly text: string;
  readonly query: string;
}

const BLANKS = /\s+/;
const LEVELS = [1, 2, 3] as const;

interface Forms {
  /** Volume of a series or title; undefined without its number. */
  readonly volume?: (Form & { readonly isBare: boolean }) | undefined;
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
function volumeFormOf(words: ReadWords): Forms["volume"] {
  const volume = findVolume(words);
  if (volume === undefined || words.length === volume.to - volume.from) return undefined;
  const { number, from, to, isBare = false } = volume;
  const [before, after] = [words.slice(0, from), words.slice(to)];
  const parts = from > 0 ? [before, after] : [after, []];
  const [name = [], rest = []] = parts.map(dropEditionWords);
  const forms = INTEGER.test(number) ? [number, number.padStart(2, "0")] : [number];
  const query =
    number === "1"
      ? firstVolumeQueryOf(dropArticles(name), forms)
      : laterVolumeQueryOf(dropArticles(name), forms);
  return {
    isBare,
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

/**
 * Readings by when they are tried, each list with the strictest first: its last one finds all works that the others find. Those
 * that drop what is no part of a title come before the correction of the spelling.
 */
export interface Readings {
  readonly early: readonly OtherReading[];
  readonly late: readonly OtherReading[];
  /** Names of `author=`, which the author may have in another form. */
  readonly names: readonly string[];
  /** True for names joined by a word, which no author has, so that no correction would help. */
  readonly isJoined: boolean;
}

const NO_READINGS: Readings = { early: [], late: [], names: [], isJoined: false };
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
  if (isLong) return NO_READINGS;
  if (key !== undefined) {
    const text = `${key.field}:${key.value}`;
    const readings = [{ text, q: text, parameters: typed.parameters }];
    return { ...NO_READINGS, early: readings };
  }
  const isTitle = title.trim() !== "" && !title.includes("*");
  const { dashed, plain } = plainTextsOf(q);
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
  const volumes = isVolume ? [makeReading(({ volume }) => volume)] : [];
  const [strict, ...loose] = LEVELS.map((_level, at) => makeReading(({ levels }) => levels[at]));
  const early = [{ text: plain, q: plain, parameters }, ...volumes, ...(strict ? [strict] : [])];
  const isJoined = author.split(BLANKS).some(isJoin);
  const isClean = plain === typed.q.trim() && join([plain, title]) === strict?.text;
  // Q655: without a subtitle or dates, a title or name is searched before its spelling is corrected.
  const isLonger = shortTitlesOf(title).length > 0 || (isText && name !== dashed);
  const readings = new Map([...early, ...loose].map((reading) => [reading.q, reading]));
  const all = [...readings.values()].filter((reading) => reading.q !== typed.q.trim() && reading.text !== "");
  // A number alone at the end may be a word of the title, which the correction finds.
  const isBare = plain === typed.q.trim() && parts.some(({ volume }) => volume?.isBare);
  const beforeCorrection = isBare ? volumes : early;
  const isEarly = (reading: OtherReading) =>
    isLonger || ((!isClean || isJoined) && beforeCorrection.some(({ q: other }) => other === reading.q));
  return {
    early: all.filter(isEarly),
    late: all.filter((reading) => !isEarly(reading)),
    names: DIGIT_OR_WILDCARD.test(author) ? [] : namesIn(author),
    isJoined,
  };
}
