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

const language = z.object({
  name: z.string(),
  key: z.string(),
  marc_code: z.string(),
  count: z.int().describe("Works with an edition in the language"),
  ebook_edition_count: z.int().describe("Editions in the language that can be read or borrowed"),
});
type Language = z.infer<typeof language>;

/** `GET /languages.json`: the languages of the catalog with their counts (lookup.md 8.1). */
export const languagesOperation = operation({
  id: "languages",
  summary: "Languages with their numbers of works and e-books",
  tag: "lookup",
  query: {
    sort: z.enum(["count", "name", "ebook_edition_count"]).default("count"),
    limit: integer(z.int().gt(0)).default(LANGUAGES_LIMIT),
  },
  responses: { 200: { description: "Languages that some work has", schema: z.array(language) } },
  async handle({ query: { sort, limit } }, context) {
    const counts = await languageCounts(context);
    const interfaceLanguage = languageOf(context);
    const languages = counts.map((count) => entry(count, interfaceLanguage));
    const sorted = languages.sort(ORDERS[sort]).slice(0, limit);
    return json(sorted, { cacheControl: "public, max-age=60", headers: { Vary: VARY_LANGUAGE } });
  },
});

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
