import { foldedName } from "../../catalog/matching/folded-name.ts";
import type { LanguageIndex } from "../load/language-index.ts";

const FOLDER = "/languages/";
const CODE = /^.{3}$/u;

/** The language of an item: a code stays, a name is looked up. Undefined for a name that no language has, or several. */
export function itemLanguage(text: string | undefined, languages: LanguageIndex): string | undefined {
  if (text === undefined || CODE.test(text)) return text;
  const [key, ...others] = languages.byName.get(foldedName(text)) ?? [];
  return key === undefined || others.length > 0 ? undefined : key.slice(FOLDER.length);
}
