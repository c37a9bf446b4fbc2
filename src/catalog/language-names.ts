import { NAMING_LANGUAGES, isoLanguageOf, marcCodeOf, displayNamesIn } from "./language.ts";
import otherNames from "./language-names.json" with { type: "json" };
import { type CatalogRecord, isObject, stringsOf } from "./record.ts";

export interface LanguageNames {
  readonly code: string;
  /** Name in the reader's language, or else the record's own name. */
  readonly name: string;
  /** Name on pages: in the reader's language by the record, or else by Unicode, or else the record's own name. */
  readonly shown: string;
  /** Name in the record, usually English. */
  readonly english: string;
  /** Name in the language itself. */
  readonly native: string | undefined;
}

/** Returns the names of a language record. `interfaceLanguage` is an ISO 639-1 code. */
export function languageNamesOf(
  code: string,
  record: CatalogRecord | undefined,
  interfaceLanguage: string,
): LanguageNames {
  const recordName = record?.["name"];
  const english = typeof recordName === "string" ? recordName.trim() : `/languages/${code}`;
  const translated = isObject(record?.["name_translated"]) ? record["name_translated"] : {};
  const identifiers = isObject(record?.["identifiers"]) ? record["identifiers"] : {};
  const [iso] = stringsOf(identifiers["iso_639_1"]);
  const [name] = stringsOf(translated[interfaceLanguage]);
  const [native] = iso === undefined ? [] : stringsOf(translated[iso]);
  const shown = name ?? unicodeNameOf(code, interfaceLanguage) ?? english;
  return { code, name: name ?? english, shown, english, native };
}

/** Names by Unicode (CLDR) that the Workers runtime lacks, by tag, in the order of `NAMING_LANGUAGES` without English. */
const OTHER_NAMES: Readonly<Record<string, readonly string[]>> = otherNames;

const namesByLanguage = new Map<string, Intl.DisplayNames>();

/** Returns the name of a language in a language of pages other than English; undefined for unknown codes. */
function unicodeNameOf(code: string, language: string): string | undefined {
  if (language === "en" || !NAMING_LANGUAGES.includes(language) || !/^[a-z]{2,3}$/.test(code))
    return undefined;
  const names = namesByLanguage.get(language) ?? displayNamesIn(language);
  namesByLanguage.set(language, names);
  const marc = marcCodeOf(code) ?? code;
  const tag = isoLanguageOf(marc) ?? marc;
  const name = names.of(tag) ?? OTHER_NAMES[tag]?.[NAMING_LANGUAGES.indexOf(language) - 1];
  // Records have names in upper case, as headings.
  return name === undefined ? undefined : name.charAt(0).toLocaleUpperCase(language) + name.slice(1);
}
