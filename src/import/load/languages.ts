import { foldedName } from "../../catalog/matching/folded-name.ts";
import { type Json, keyOf } from "../../catalog/record.ts";
import { ImportFailure } from "../failure.ts";
import type { LanguageIndex } from "./language-index.ts";

/**
 * Keys of the languages that a record names by key, code or name, each once (import.md 20). Throws ImportFailure
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
