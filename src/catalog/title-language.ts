import { lastSegmentOf } from "./keys.ts";
import { isoLanguageOf, marcCodeOf } from "./language.ts";
import { type CatalogRecord, keysOf } from "./record.ts";

/** MARC codes for several languages, an unknown one, none, uncoded and constructed ones. */
const NO_LANGUAGE: ReadonlySet<string> = new Set(["mul", "und", "zxx", "mis", "art"]);
const LATIN = /\p{Script=Latin}/u;
const OTHER_LETTERS = /[^\P{L}\p{Script=Latin}]/u;

const usesLatin = new Map<string, boolean>();

/**
 * Q822: returns the language (BCP 47) of a text by the MARC codes of its book. Undefined if these are several, or if the text has
 * other letters than the language, as a romanized or translated title.
 */
export function textLanguageOf(text: string, codes: readonly string[]): string | undefined {
  const [code, ...others] = new Set(codes.map((each) => marcCodeOf(each)));
  if (code === undefined || others.length > 0 || NO_LANGUAGE.has(code)) return undefined;
  const tag = isoLanguageOf(code) ?? code;
  const isLatin = usesLatin.get(tag) ?? new Intl.Locale(tag).maximize().script === "Latn";
  usesLatin.set(tag, isLatin);
  return (isLatin ? LATIN : OTHER_LETTERS).test(text) ? tag : undefined;
}

/** Returns the MARC codes of the languages that an edition states, or else the original ones of a work. */
export function languageCodesOf(record: CatalogRecord): string[] {
  return keysOf(record["languages"] ?? record["original_languages"]).map(lastSegmentOf);
}

/** Returns the codes for the title of a work: those of the editions with this title, or else the original ones. */
export function workTitleCodesOf(work: CatalogRecord, editions: readonly CatalogRecord[]): string[] {
  const codes = editions.filter(({ title }) => title === work["title"]).flatMap(languageCodesOf);
  return codes.length > 0 ? codes : languageCodesOf(work);
}
