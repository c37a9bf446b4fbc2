import { type CatalogRecord, keyOf } from "../../catalog/record.ts";

const LANGUAGE = /^\/(?:languages|l)\/([a-z]{3})$/;

/** MARC codes of an edition's languages. */
export function languagesOf(edition: CatalogRecord): string[] {
  const { languages } = edition;
  if (!Array.isArray(languages)) return [];
  return languages.flatMap((language) => LANGUAGE.exec(keyOf(language) ?? "")?.[1] ?? []);
}
