import { isBlank } from "../../catalog/editing/members.ts";
import { caseFold, foldedName } from "../../catalog/matching/normal-form.ts";
import { type CatalogRecord, type Json, isObject, keyOf, stringsOf, textOf } from "../../catalog/record.ts";
import { ImportFailure } from "../failure.ts";
import type { LanguageIndex } from "./found.ts";

/**
 * The elements of a stored list with those of the record that it lacks; undefined when it lacks none. Two texts are one
 * when `keyOf` is the same for both; in which case they are written does not count otherwise.
 */
export function appended(
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

/** The members that say something: neither null nor an empty text or list. */
export function presentMembers(record: CatalogRecord): CatalogRecord {
  return Object.fromEntries(Object.entries(record).filter(([, value]) => !isBlank(value)));
}

/** A text of an import record as it is stored; several texts are one, with blank lines between. Undefined for none. */
export function textObject(value: Json | undefined): Json | undefined {
  const texts = (Array.isArray(value) ? value : [value]).flatMap((one) => textOf(one) ?? []);
  const text = texts.filter((one) => one.trim() !== "").join("\n\n");
  return text === "" ? undefined : { type: "/type/text", value: text };
}

/** A number of an import record as it is stored; undefined for none. Throws ImportFailure `type-error`. */
export function wholeNumber(name: string, value: Json | undefined): number | undefined {
  const inner = isObject(value) ? value["value"] : value;
  if (inner === undefined || inner === null || inner === "") return undefined;
  const number = typeof inner === "string" && /^\s*\d{1,9}\s*$/.test(inner) ? Number(inner) : inner;
  if (typeof number === "number" && Number.isSafeInteger(number)) return number;
  throw new ImportFailure("type-error", `${name} is not a whole number`);
}

/**
 * Keys of the languages that a record names by key, code or name, each once. Throws ImportFailure
 * `invalid-language` for a name that no language has, or that several have.
 */
export function languageKeys(values: Json | undefined, languages: LanguageIndex): string[] {
  if (!Array.isArray(values)) return [];
  return [...new Set(values.map((value) => languageKey(value, languages)))];
}

function languageKey(value: Json, { keys, byIso, byName }: LanguageIndex): string {
  const given = keyOf(value) ?? (typeof value === "string" ? value.trim() : "");
  const code = given.toLowerCase();
  for (const key of [given, `/languages/${code}`]) if (keys.has(key)) return key;
  const named = byName.get(foldedName(given)) ?? [];
  const key = byIso.get(code) ?? (named.length === 1 ? named[0] : undefined);
  if (key === undefined) throw new ImportFailure("invalid-language", `invalid language code: '${code}'`);
  return key;
}
