import * as z from "zod";
import { parseDocument } from "../../../catalog/document.ts";
import { languageNames } from "../../../catalog/language.ts";
import { type LanguageCount, countLanguages } from "../../../db/languages/count-languages.ts";
import { LANGUAGE_COUNTS, LANGUAGE_COUNTS_SECONDS, derived } from "../../answers/derived.ts";
import { type RequestContext, catalogReader } from "../../context.ts";
import { operation } from "../../operation.ts";
import { json } from "../../reply.ts";
import { VARY_LANGUAGE, languageOf } from "../../reader-language.ts";
import { integer } from "../../validation/parameters.ts";

/** Languages in an answer when no limit is given. */
export const LANGUAGES_LIMIT = 15;

/** A language with its numbers of works and e-books. */
export const languageSchema = z.object({
  name: z.string(),
  key: z.string(),
  marc_code: z.string(),
  count: z.int().describe("Works with an edition in the language"),
  ebook_edition_count: z.int().describe("Editions in the language that can be read or borrowed"),
});
export type Language = z.infer<typeof languageSchema>;

/** The orders of languages by their names on the wire. */
export const LANGUAGE_SORTS = ["count", "name", "ebook_edition_count"] as const;

/** `GET /languages.json`: the languages of the catalog with their counts (lookup.md 8.1). */
export const languagesOperation = operation({
  id: "languages",
  summary: "Languages with their numbers of works and e-books",
  tag: "lookup",
  query: {
    sort: z.enum(LANGUAGE_SORTS).default("count"),
    limit: integer(z.int().gt(0)).default(LANGUAGES_LIMIT),
  },
  responses: { 200: { description: "Languages that some work has", schema: z.array(languageSchema) } },
  async handle({ query: { sort, limit } }, context) {
    const sorted = (await sortedLanguages(sort, context)).slice(0, limit);
    return json(sorted, { cacheControl: LANGUAGES_CACHE_CONTROL, headers: { Vary: VARY_LANGUAGE } });
  },
});

/** How long others may keep what is said of all languages. */
export const LANGUAGES_CACHE_CONTROL = "public, max-age=60";

/** All languages that some work has, by their names in the reader's language. */
export async function sortedLanguages(
  sort: (typeof LANGUAGE_SORTS)[number],
  context: RequestContext,
): Promise<Language[]> {
  const counts = await languageCounts(context);
  const interfaceLanguage = languageOf(context);
  return counts.map((count) => entry(count, interfaceLanguage)).sort(ORDERS[sort]);
}

function languageCounts(context: RequestContext): Promise<LanguageCount[]> {
  const { stores, settings } = context;
  return derived(stores.cache, {
    name: LANGUAGE_COUNTS,
    seconds: LANGUAGE_COUNTS_SECONDS,
    make: async () => {
      const counts = await countLanguages(catalogReader(context), { derive: settings.DERIVE_HOLDINGS });
      // Q45: languages without works are left out.
      return counts.filter(({ works }) => works > 0);
    },
    waitUntil: (promise) => context.waitUntil(promise),
  });
}

function entry({ code, works, ebooks, document }: LanguageCount, interfaceLanguage: string): Language {
  const record = document === null ? undefined : parseDocument(document);
  const { name } = languageNames(code, record, interfaceLanguage);
  return { name, key: `/languages/${code}`, marc_code: code, count: works, ebook_edition_count: ebooks };
}

const byCount = (a: Language, b: Language): number => b.count - a.count || compare(a.marc_code, b.marc_code);
const ORDERS = {
  count: byCount,
  name: (a: Language, b: Language) => compare(a.name.toLowerCase(), b.name.toLowerCase()) || byCount(a, b),
  ebook_edition_count: (a: Language, b: Language) =>
    b.ebook_edition_count - a.ebook_edition_count || byCount(a, b),
};

function compare(a: string, b: string): number {
  return Number(a > b) - Number(a < b);
}
