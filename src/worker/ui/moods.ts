import type { Language } from "../http/pages/reader.ts";
import { type Markup, forReader } from "./markup.ts";
import ar from "./moods/ar.json" with { type: "json" };
import de from "./moods/de.json" with { type: "json" };
import es from "./moods/es.json" with { type: "json" };
import fr from "./moods/fr.json" with { type: "json" };

const CATALOGUES: Readonly<Partial<Record<Language, Readonly<Record<string, string>>>>> = { ar, de, es, fr };

/** Translates a text of the vocabulary of observations; texts that can no longer be chosen stay English. */
export function mood(text: string): Markup {
  return forReader(({ language }) => CATALOGUES[language]?.[text] ?? text);
}
