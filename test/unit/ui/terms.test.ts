// Texts use the words of `locales/terms.md`, and the punctuation of their language.
import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { LANGUAGES } from "../../../src/worker/http/pages/reader.ts";
import type { Phrase } from "../../../src/catalog/texts.ts";
import en from "../../../locales/en.json" with { type: "json" };

const read = (path: string) => readFileSync(`${import.meta.dirname}/../../../${path}`, "utf8");
const textOf = (phrase: Phrase = ""): string =>
  typeof phrase === "string" ? phrase : Object.values(phrase).join("\n");
/** Omits what is not prose: placeholders, code, keys and queries. */
const proseOf = (text: string): string => text.replace(/\{\w+\}|`\w+`|\/\w[\w/]*|\w+:\w+/g, "…");
/** Omits entity tags and references, which have a punctuation of their own. */
const withoutCode = (text: string): string => text.replace(/"\d"|&[\w{}]+;/g, "…");

const LETTERS = String.raw`[\p{L}\p{M}]`;
/** Makes a pattern for whole words; `*` stands for any letters. */
const wordPattern = (word: string) =>
  new RegExp(`(?<!${LETTERS})${word.replaceAll("*", `${LETTERS}*`)}(?!${LETTERS})`, "iu");

const [, ...rows] = read("locales/terms.md")
  .split("\n")
  .filter((line) => /^\| \w/.test(line))
  .map((line) => line.slice(2, -2).split(" | "));
const terms = rows.map(([names = "", ...cells]) => ({
  name: names,
  pattern: new RegExp(`\\b(?:${names.replaceAll(", ", "|")})s?\\b`, "i"),
  cells: cells.map((cell) => {
    const [right = "", wrong] = cell.split("; not ");
    return { right: right.split(", "), wrong: wrong?.split(", ") ?? [] };
  }),
}));

const PUNCTUATION: Readonly<Record<string, RegExp>> = {
  de: /["”«]|“[^,.;:!?) \n{|]|(?:^|[ (])“|\.\.\./,
  fr: / [:;?!»%]|« |[^\s\u00a0\u202f/|][;?!»]|\p{L}:(?=\s|$)|"|'/u,
  es: /"|'|“|(?<!¿[^?\n]*)\?|(?<!¡[^!\n]*)!/,
  ar: /[,;?](?= |$)|"|'/m,
};

describe.each(LANGUAGES.slice(1))("texts in %s", (language) => {
  const at = LANGUAGES.indexOf(language) - 1;
  const catalogue = JSON.parse(read(`locales/${language}.json`)) as Record<string, Phrase>;
  const moods = JSON.parse(read(`src/worker/ui/moods/${language}.json`)) as Record<string, string>;
  const texts = Object.entries(en).map(([key, phrase]) => ({
    key,
    english: proseOf(textOf(phrase)),
    text: proseOf(textOf(catalogue[key])),
  }));

  const isWordOf = ({ cells }: (typeof terms)[number], wrong: string): boolean =>
    cells[at]?.right.some((word) => wordPattern(wrong).test(word)) === true;

  it.each(terms)("have the word for $name", ({ pattern, cells }) => {
    const { right, wrong } = cells[at] ?? { right: [], wrong: [] };
    const found = texts.filter(({ english }) => pattern.test(english));
    const all = found.map(({ text }) => text.toLowerCase()).join("\n");
    expect(right.filter((word) => !all.includes(word.toLowerCase()))).toEqual([]);
    const misused = found.flatMap(({ key, english, text }) => {
      const others = terms.filter((other) => other.pattern.test(english));
      return wrong
        .filter((word) => wordPattern(word).test(text) && !others.some((other) => isWordOf(other, word)))
        .map((word) => [key, word]);
    });
    expect(misused).toEqual([]);
  });

  it("have its punctuation", () => {
    const pattern = PUNCTUATION[language] ?? /$^/;
    const shown = [
      ...Object.entries(catalogue).map(([key, phrase]) => [key, textOf(phrase)]),
      ...Object.entries(moods),
    ];
    expect(shown.filter(([, text = ""]) => pattern.test(withoutCode(text)))).toEqual([]);
  });
});
