import { parseDocument } from "../../catalog/document.ts";
import { type LanguageNames, languageNames } from "../../catalog/language.ts";
import type { CatalogRecord } from "../../catalog/record.ts";
import { readLanguages } from "../../db/records/languages.ts";
import type { Database } from "../../db/statement.ts";

/** A language that has a record. */
export interface KnownLanguage {
  readonly names: LanguageNames;
  readonly record: CatalogRecord;
}

/** All languages that have a record, with their names in `language`. One statement. */
export async function knownLanguages(database: Database, language: string): Promise<KnownLanguage[]> {
  const records = await readLanguages(database);
  return records.map(({ key, document }) => {
    const record = parseDocument(document);
    return { names: languageNames(key.slice("/languages/".length), record, language), record };
  });
}
