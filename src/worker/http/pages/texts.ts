import { type Phrase, type Text, plainText } from "../../../catalog/texts.ts";
import type { Language } from "./reader.ts";
import en from "../../../../locales/en.json" with { type: "json" };

type Catalogue = Readonly<Record<string, Phrase>>;

/** English comes with the pages, as the source of the keys. */
const IMPORTS: Partial<Record<Language, () => Promise<{ default: Catalogue }>>> = {
  de: () => import("../../../../locales/de.json", { with: { type: "json" } }),
  fr: () => import("../../../../locales/fr.json", { with: { type: "json" } }),
  es: () => import("../../../../locales/es.json", { with: { type: "json" } }),
  ar: () => import("../../../../locales/ar.json", { with: { type: "json" } }),
};

const catalogues = new Map<Language, Catalogue>();

/** Imports the texts of a language, without which pages are in English. */
export async function importTexts(language: Language): Promise<void> {
  if (catalogues.has(language)) return;
  const imported = await IMPORTS[language]?.();
  if (imported !== undefined) catalogues.set(language, imported.default);
}

/** Returns the texts of a language that was imported. */
export function textsIn(language: Language): Catalogue | undefined {
  return catalogues.get(language);
}

/** Renders a text that is not part of a page, in a language that was imported. */
export function plainTextIn(language: Language, { key, values }: Text): string {
  return plainText(textsIn(language)?.[key] ?? en[key], values, new Intl.PluralRules(language));
}
