import { derived } from "../answers/derived.ts";
import type { RequestContext } from "../context.ts";
import { languageOf } from "../reader-language.ts";
import { namesOfLanguages } from "../search/facet-rows.ts";

/** How long names of languages are kept for pages, in seconds: they stand in some 500 records. */
export const LANGUAGE_NAMES_SECONDS = 3600;

/** Names of all languages by code, in the reader's language, up to an hour old. */
export async function keptLanguageNames(context: RequestContext): Promise<ReadonlyMap<string, string>> {
  const names = await derived(context.stores.cache, {
    name: `language-names:v1:${languageOf(context)}`,
    seconds: LANGUAGE_NAMES_SECONDS,
    make: async () => [...(await namesOfLanguages(context))],
    waitUntil: (promise) => context.waitUntil(promise),
  });
  return new Map(names);
}
