import { latestRecord, parseDocument } from "../../catalog/document.ts";
import { lastSegment } from "../../catalog/keys.ts";
import { type LanguageNames, languageNames } from "../../catalog/language.ts";
import { type CatalogRecord, typeKey } from "../../catalog/record.ts";
import { readLanguages } from "../../db/records/languages.ts";
import { readRecords } from "../../db/records/read.ts";
import type { Database } from "../../db/statement.ts";

/** A language that has a record. */
export interface KnownLanguage {
  readonly names: LanguageNames;
  readonly record: CatalogRecord;
}

/** What languages are called in `language`, by code; those without a record are left out. One statement, or none for no codes. */
export async function namesOfLanguages(
  database: Database,
  codes: readonly string[],
  language: string,
): Promise<ReadonlyMap<string, string>> {
  const keys = codes.map((code) => `/languages/${code}`);
  const rows = keys.length === 0 ? [] : await readRecords(database, keys);
  const known = rows.flatMap((row): [string, string][] => {
    const record = latestRecord(row);
    const code = lastSegment(row.key);
    return typeKey(record) === "/type/language" ? [[code, languageNames(code, record, language).name]] : [];
  });
  return new Map(known);
}

/** All languages that have a record, with their names in `language`. One statement. */
export async function knownLanguages(database: Database, language: string): Promise<KnownLanguage[]> {
  const records = await readLanguages(database);
  return records.map(({ key, document }) => {
    const record = parseDocument(document);
    return { names: languageNames(key.slice("/languages/".length), record, language), record };
  });
}
