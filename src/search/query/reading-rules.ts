import { parseAuthorHeading } from "../../catalog/matching/author-heading.ts";
import { lastWord } from "../../catalog/matching/match-keys.ts";
import { fold } from "../text/collation.ts";
import { numberOfWord } from "./number-words.ts";
import { isJoin, namesIn } from "./person-names.ts";
import {
  AND_FORMS,
  ARTICLES,
  BY_WORDS,
  EDITION_PAIRS,
  EDITION_WORDS,
  JOINED_ARTICLE,
  OF_WORDS,
  VOLUME_WORDS,
} from "./reading-words.ts";

/** Word as typed, without the signs around it if it is folded. */
export interface ReadWord {
  readonly text: string;
  readonly folded: string;
  /** True at the beginning, and after a dash. */
  readonly isFirst: boolean;
}
export type ReadWords = readonly ReadWord[];

interface Rule {
  readonly name: string;
  /** Typed text, and the text that the rule makes of it. */
  readonly example: readonly [typed: string, read: string];
  /** Level of the readings that it belongs to: looser ones follow the same rules, and those of their own. */
  readonly level: 1 | 2 | 3;
  readonly read: (words: ReadWords) => ReadWords;
}

/**
 * Weaker readings of a title or name with what people and programs type around it, in the order in which they apply: each
 * reads what the one before it made. A rule that does not apply, or would leave nothing, leaves the text as it is (Q792).
 */
export const RULES: readonly Rule[] = [
  { name: "volume", example: ["The Hunger Games, Book 1", "The Hunger Games"], level: 1, read: dropVolume },
  { name: "edition", example: ["Jane Eyre: A Novel", "Jane Eyre"], level: 1, read: dropEditionWords },
  { name: "and", example: ["war an peace", "war and peace"], level: 1, read: spellAnd },
  {
    name: "article",
    example: ["The Green Eggs and Ham", "Green Eggs and Ham"],
    level: 2,
    read: dropArticles,
  },
  { name: "byline", example: ["Jane Eyre by C. Brontë", "Jane Eyre Brontë"], level: 3, read: keepSurnames },
  {
    name: "joins",
    example: ["Neil Gaiman and Terry Pratchett", "Neil Gaiman Terry Pratchett"],
    level: 3,
    read: dropJoins,
  },
  { name: "initials", example: ["J. Eyre Brontë", "Eyre Brontë"], level: 3, read: dropInitials },
];

const BLANKS = /\s+/;
const FIRST_SIGN = /[\p{L}\p{M}\p{N}#№'’]/u;
const LAST_SIGN = /[\p{L}\p{M}\p{N}#°º+]/u;
const FINAL_SIGNS = /[\s.,;:/\p{Pd}]/u;
const DASH = /^\p{Pd}+$/u;

export function splitWords(text: string): ReadWord[] {
  const words = text.split(BLANKS).filter((word) => word !== "");
  return words.flatMap((word, at) => {
    const folded = fold(trimSigns(word));
    const isFirst = at === 0 || DASH.test(words[at - 1] ?? "");
    return folded === "" ? [] : [{ text: word, folded, isFirst }];
  });
}

/** Removes punctuation around a word, in linear time unlike an expression with its end. */
function trimSigns(word: string): string {
  const signs = [...word];
  const start = signs.findIndex((sign) => FIRST_SIGN.test(sign));
  return start === -1
    ? ""
    : signs.slice(start, signs.findLastIndex((sign) => LAST_SIGN.test(sign)) + 1).join("");
}

export function joinWords(words: ReadWords): string {
  const text = words.map((word) => word.text).join(" ");
  let end = text.length;
  while (end > 0 && FINAL_SIGNS.test(text.charAt(end - 1))) end -= 1;
  return text.slice(0, end);
}

function without(words: ReadWords, isDropped: (word: ReadWord, at: number) => boolean): ReadWords {
  const rest = words.filter((word, at) => !isDropped(word, at));
  return rest.length === 0 ? words : rest;
}

interface Volume {
  readonly number: string;
  readonly from: number;
  /** Place after its last word. */
  readonly to: number;
  /** True for a number alone at the end, which may belong to the title: `Slaughterhouse 5`. */
  readonly isBare?: true;
}

const SIGN_AND_NUMBER = /^(\p{L}{1,8}\.?|#|№|n[°º]|)(\d[\d.,/–-]*)$/u;
const DIGITS = /^\d{1,3}$/;
const FINAL_DOT = /\.$/;
const CAPITALS = /^\p{Lu}{2,}\P{L}*$/u;

/** Finds the last number of a volume: `#1`, `vol. 2`, `Book One`, `2. Band`, `الجزء الأول`, or a number at the end. */
export function findVolume(words: ReadWords): Volume | undefined {
  const places = words.map((_word, at) => at).toReversed();
  const volumeAt = (find: (at: number) => Volume | undefined): Volume | undefined =>
    places.map(find).find((volume) => volume !== undefined);
  return (
    volumeAt((at) => namedVolumeAt(words, at)) ??
    volumeAt((at) => countedVolumeAt(words, at)) ??
    finalVolumeOf(words)
  );
}

function isVolumeWord(word: ReadWord | undefined): boolean {
  return word !== undefined && VOLUME_WORDS.has(word.folded.replace(FINAL_DOT, ""));
}

function namedVolumeAt(words: ReadWords, at: number): Volume | undefined {
  const [, sign = "", digits] = SIGN_AND_NUMBER.exec(words[at]?.folded ?? "") ?? [];
  if (digits !== undefined && VOLUME_WORDS.has(sign.replace(FINAL_DOT, ""))) {
    return { number: digits, from: at, to: endOfVolume(words, at + 1) };
  }
  const number = isVolumeWord(words[at]) ? numberOfWord(words[at + 1]?.folded ?? "") : undefined;
  return number === undefined ? undefined : { number, from: at, to: endOfVolume(words, at + 2) };
}

function countedVolumeAt(words: ReadWords, at: number): Volume | undefined {
  const number = isVolumeWord(words[at + 1]) ? numberOfWord(words[at]?.folded ?? "") : undefined;
  return number === undefined ? undefined : { number, from: at, to: endOfVolume(words, at + 2) };
}

function finalVolumeOf(words: ReadWords): Volume | undefined {
  const [at, last] = [words.length - 1, words.at(-1)];
  const isNumber = last !== undefined && (DIGITS.test(last.folded) || CAPITALS.test(last.text));
  const number = isNumber ? numberOfWord(last.folded) : undefined;
  return number === undefined || at === 0 ? undefined : { number, from: at, to: at + 1, isBare: true };
}

/** Returns the end of `of 3` after a volume, or of a word such as `of` before the name of the series. */
function endOfVolume(words: ReadWords, at: number): number {
  if (!OF_WORDS.has(words[at]?.folded ?? "")) return at;
  return numberOfWord(words[at + 1]?.folded ?? "") === undefined ? at + 1 : at + 2;
}

function dropVolume(words: ReadWords): ReadWords {
  const volume = findVolume(words);
  return volume === undefined ? words : without(words, (_word, at) => at >= volume.from && at < volume.to);
}

export function dropEditionWords(words: ReadWords): ReadWords {
  const texts = words.map(({ folded }) => folded.replace(FINAL_DOT, ""));
  const isPair = (at: number): boolean => EDITION_PAIRS.has(`${texts[at]} ${texts[at + 1]}`);
  const dropped = texts.map(
    (text, at) => EDITION_WORDS.has(text) || isPair(at) || (at > 0 && isPair(at - 1)),
  );
  // An article or a number before such a word belongs to it: `a novel`, `2nd edition`.
  for (let at = texts.length - 2; at >= 0; at -= 1) {
    const text = texts[at] ?? "";
    const isArticle = ARTICLES.has(text) && !ARTICLES.has(texts[at + 1] ?? "");
    if (dropped[at + 1] && (isArticle || numberOfWord(text) !== undefined)) dropped[at] = true;
  }
  return without(words, (_word, at) => dropped[at] === true);
}

function spellAnd(words: ReadWords): ReadWords {
  return words.map((word, at) => {
    const isInside = at > 0 && at < words.length - 1;
    return isInside && AND_FORMS.has(word.folded.replaceAll("'", ""))
      ? { text: "and", folded: "and", isFirst: word.isFirst }
      : word;
  });
}

export function dropArticles(words: ReadWords): ReadWords {
  const isLastArticle = (at: number): boolean =>
    at === words.length - 1 && at > 0 && (words[at - 1]?.text.endsWith(",") ?? false);
  const rest = without(
    words,
    ({ folded, isFirst }, at) => ARTICLES.has(folded) && (isFirst || isLastArticle(at)),
  );
  return rest.map((word) => {
    const text = word.isFirst ? word.text.replace(JOINED_ARTICLE, "") : word.text;
    return text === word.text || text === "" ? word : { text, folded: fold(text), isFirst: true };
  });
}

/** Keeps the last names of the authors after the last word such as `by`. */
function keepSurnames(words: ReadWords): ReadWords {
  const by = words.findLastIndex(({ folded }, at) => BY_WORDS.has(folded) && at > 0 && at < words.length - 1);
  if (by === -1) return words;
  const names = namesIn(joinWords(words.slice(by + 1)));
  const surnames = splitWords(names.map((name) => lastWord(parseAuthorHeading(name).naturalName)).join(" "));
  return [...words.slice(0, by).filter(({ folded }) => !BY_WORDS.has(folded)), ...surnames];
}

function dropJoins(words: ReadWords): ReadWords {
  return without(words, ({ text }) => isJoin(text));
}

const INITIALS = /^(?:(?:\p{L}\.-?)+,?|\p{Lu}{1,3},?)$/u;

function dropInitials(words: ReadWords): ReadWords {
  return without(words, ({ text }) => INITIALS.test(text));
}

const NOTE = /[([]([^()[\]]*)[)\]]/g;

/** Removes notes in brackets after the first word, except for the number of a volume. */
export function dropNotes(text: string): string {
  return text.replace(NOTE, (note, inner: string, at: number) => {
    const words = splitWords(inner);
    const volume = findVolume([{ text: "", folded: "", isFirst: true }, ...words]);
    if (volume !== undefined && volume.to - volume.from === words.length) return ` #${volume.number} `;
    return text.slice(0, at).trim() === "" ? note : " ";
  });
}
