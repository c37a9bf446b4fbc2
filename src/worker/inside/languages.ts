import { parseDocument } from "../../catalog/document.ts";
import { languageNames } from "../../catalog/language.ts";
import { readLanguages } from "../../db/languages/read-languages.ts";
import type { Database } from "../../db/statement.ts";
import { fold } from "../../search/text/fold.ts";

const FOLDER = "/languages/";

/** English names of languages by MARC code or English name, folded. One statement. */
async function englishNames(database: Database): Promise<ReadonlyMap<string, string>> {
  const records = await readLanguages(database);
  const names = records.map(({ key, document }) => {
    const code = key.slice(FOLDER.length);
    return { code, name: languageNames(code, parseDocument(document), "en").english };
  });
  return new Map([
    ...names.map(({ code, name }) => [fold(code), name] as const),
    ...names.map(({ name }) => [fold(name), name] as const),
  ]);
}

/** English names of languages given by MARC code or name; what is not known stays as it is (search.md 7.4). */
export async function languagesInEnglish(database: Database, values: readonly string[]): Promise<string[]> {
  if (values.length === 0) return [];
  const names = await englishNames(database);
  return values.map((value) => names.get(fold(value.trim())) ?? value.trim());
}
