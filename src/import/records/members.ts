import { marcCodeOf } from "../../catalog/language.ts";
import { RECORD_VALUES_MAX, isBlankMember } from "../../catalog/editing/members.ts";
import { caseFold, foldLanguageName } from "../../catalog/matching/match-keys.ts";
import { type CatalogRecord, type Json, keyOf, stringsOf, textOf } from "../../catalog/record.ts";
import { type ImportWarning, addWarning } from "../warning.ts";
import type { LanguageIndex } from "./snapshot.ts";

/**
 * Returns a stored list with the missing values of the record added, or undefined if there are none. Texts are
 * duplicates if `fold` gives the same result for both; by default it ignores case.
 */
export function appendMissing(
  stored: Json | undefined,
  values: Json | undefined,
  fold: (text: string) => string = caseFold,
): Json[] | undefined {
  const elements = Array.isArray(stored) ? stored : stringsOf(stored);
  const known = new Set(stringsOf(elements).map(fold));
  const added = stringsOf(values).filter((value) => {
    const key = fold(value);
    if (value.trim() === "" || known.has(key)) return false;
    known.add(key);
    return true;
  });
  return added.length === 0 ? undefined : [...elements, ...added];
}

/** Returns the members with content: neither null nor an empty text or list. */
export function pickPresent(record: CatalogRecord): CatalogRecord {
  return Object.fromEntries(Object.entries(record).filter(([, value]) => !isBlankMember(value)));
}

/**
 * Returns a value without the entries of its lists and objects beyond `RECORD_VALUES_MAX`, such as further identifiers,
 * which are added to `warnings`. Matching looks up each of them, also of objects, which the record store does not limit.
 */
export function limitEntries(value: Json, place: string, warnings: ImportWarning[]): Json {
  if (typeof value !== "object" || value === null) return value;
  const entries = Object.entries(value);
  for (const [name, dropped = null] of entries.slice(RECORD_VALUES_MAX))
    addWarning(warnings, "too-long", [Array.isArray(value) ? place : `${place}.${name}`, dropped]);
  const left = entries
    .slice(0, RECORD_VALUES_MAX)
    .map(([name, entry = null]) => [name, limitEntries(entry, `${place}.${name}`, warnings)] as const);
  return Array.isArray(value) ? left.map(([, entry]) => entry) : Object.fromEntries(left);
}

/** Converts one or several texts to a stored text, joined with blank lines. */
export function toTextObject(value: Json | undefined): Json | undefined {
  const texts = (Array.isArray(value) ? value : [value]).flatMap((element) => textOf(element) ?? []);
  const joined = texts.filter((text) => text.trim() !== "").join("\n\n");
  return joined === "" ? undefined : { type: "/type/text", value: joined };
}

/**
 * Returns the distinct keys of the languages that a member names by key, code or name. Adds a warning about a name of
 * no language, or of several.
 */
export function importedLanguageKeys(
  [member, values]: readonly [name: string, values: Json | undefined],
  languages: LanguageIndex,
  warnings: ImportWarning[],
): string[] {
  if (!Array.isArray(values)) return [];
  const keys = values.flatMap((value) => {
    const key = languageKey(value, languages);
    if (key === undefined) addWarning(warnings, "invalid-language", [member, keyOf(value) ?? value]);
    return key ?? [];
  });
  return [...new Set(keys)];
}

function languageKey(value: Json, { keys, byIso, byName }: LanguageIndex): string | undefined {
  const name = keyOf(value) ?? (typeof value === "string" ? value.trim() : "");
  const code = name.toLowerCase();
  for (const key of [name, `/languages/${code}`]) if (keys.has(key)) return key;
  const coded = `/languages/${marcCodeOf(name.replace("/languages/", ""))}`;
  if (keys.has(coded)) return coded;
  const named = byName.get(foldLanguageName(name)) ?? [];
  return byIso.get(code) ?? (named.length === 1 ? named[0] : undefined);
}
