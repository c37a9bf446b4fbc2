import { parseDocument } from "../../catalog/document.ts";
import { foldLanguageName } from "../../catalog/matching/match-keys.ts";
import { type CatalogRecord, isObject, stringsOf } from "../../catalog/record.ts";
import type { LanguageIndex } from "../../import/records/snapshot.ts";
import { readLanguages } from "../records/languages.ts";
import type { Database } from "../statement.ts";

/** TTL of the cached languages in milliseconds, even if their version has not changed. */
const LANGUAGES_TTL_MS = 5 * 60_000;

/** Reads all languages that records can refer to. One statement. */
export async function readLanguageIndex(database: Database): Promise<LanguageIndex> {
  const records = await readLanguages(database);
  return buildLanguageIndex(records.map(({ document }) => parseDocument(document)));
}

/**
 * Builds the lookup tables for languages by key, ISO 639-1 code and name. Skips deprecated languages. Pure function.
 */
export function buildLanguageIndex(records: readonly CatalogRecord[]): LanguageIndex {
  const keys = new Set<string>();
  const byIso = new Map<string, string>();
  const byName = new Map<string, string[]>();
  for (const record of records) {
    const { key, deprecated, identifiers } = record;
    if (typeof key !== "string" || deprecated === true) continue;
    keys.add(key);
    const [iso] = isObject(identifiers) ? stringsOf(identifiers["iso_639_1"]) : [];
    if (iso !== undefined && !byIso.has(iso)) byIso.set(iso, key);
    for (const name of namesOf(record)) byName.set(name, [...(byName.get(name) ?? []), key]);
  }
  return { keys, byIso, byName };
}

function namesOf({ name, name_translated: translated }: CatalogRecord): ReadonlySet<string> {
  const others = isObject(translated) ? Object.values(translated).flatMap(stringsOf) : [];
  const names = [...stringsOf(name), ...others].map(foldLanguageName);
  return new Set(names.filter((text) => text !== ""));
}

/** In-memory cache of the languages, valid for one version. */
export class LanguageCache {
  private entry:
    | { readonly index: LanguageIndex; readonly version: string; readonly until: number }
    | undefined;

  /**
   * Returns the languages of a version (`Reading.languages`) at a time in milliseconds. One statement on a cache miss.
   */
  async get(database: Database, version: string, now: number): Promise<LanguageIndex> {
    const { entry } = this;
    if (entry !== undefined && entry.version === version && now < entry.until) return entry.index;
    const index = await readLanguageIndex(database);
    this.entry = { index, version, until: now + LANGUAGES_TTL_MS };
    return index;
  }

  forget(): void {
    this.entry = undefined;
  }
}
