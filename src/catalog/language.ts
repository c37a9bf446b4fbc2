import { type CatalogRecord, isObject, stringsOf } from "./record.ts";

/** The names under which a language is known to readers of one interface language. */
export interface LanguageNames {
  readonly code: string;
  /** In the reader's language, else the record's own name. */
  readonly name: string;
  /** The record's name, usually English. */
  readonly english: string;
  /** What its speakers call it. */
  readonly native: string | undefined;
}

const TWO_LETTERS = /^([a-z]{2})/i;

/** The names of a language record. `interfaceLanguage` is an ISO 639-1 code. */
export function languageNames(
  code: string,
  record: CatalogRecord | undefined,
  interfaceLanguage: string,
): LanguageNames {
  const own = record?.["name"];
  const english = typeof own === "string" ? own.trim() : `/languages/${code}`;
  const translated = isObject(record?.["name_translated"]) ? record["name_translated"] : {};
  const identifiers = isObject(record?.["identifiers"]) ? record["identifiers"] : {};
  const [iso] = stringsOf(identifiers["iso_639_1"]);
  const [name = english] = stringsOf(translated[interfaceLanguage]);
  const [native] = iso === undefined ? [] : stringsOf(translated[iso]);
  return { code, name, english, native };
}

/** The reader's language: `?lang=`, else the cookie, else the first tag of `Accept-Language`, else English. */
export function readerLanguage(sources: readonly (string | null | undefined)[]): string {
  for (const source of sources) {
    const match = source === null || source === undefined ? null : TWO_LETTERS.exec(source);
    if (match?.[1] !== undefined) return match[1].toLowerCase();
  }
  return "en";
}
