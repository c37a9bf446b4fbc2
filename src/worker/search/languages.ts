import * as z from "zod";
import { marcCodeOf } from "../../catalog/language.ts";
import { isObject, stringsOf } from "../../catalog/record.ts";
import { anyOf, equals } from "../../search/query/query.ts";
import { fold } from "../../search/text/collation.ts";
import { VARY_LANGUAGE, languageOf } from "../http/accept.ts";
import { type RequestContext, catalogReader, operation } from "../http/operation.ts";
import { json } from "../http/reply.ts";
import { searchCacheControl } from "./guarded.ts";
import { readKnownLanguages } from "./known-languages.ts";
import { languageSearchPage } from "./language-search-page.ts";
import { countWorks, makeFacetRequests } from "./facets.ts";

const LANGUAGES_FOUND_MAX = 25;

/**
 * Q444: finds the language that a text names, by code or by any of its names, and counts the languages of the works in
 * it. Two round trips.
 */
async function findLanguageCounts(
  q: string,
  member: "name" | "shown",
  context: RequestContext,
): Promise<z.infer<typeof response>> {
  const name = fold(q.trim());
  if (name === "") return { numFound: 0, docs: [] };
  const known = await readKnownLanguages(catalogReader(context), languageOf(context));
  const named = known.filter(({ names, record }) => {
    const translated = isObject(record["name_translated"]) ? record["name_translated"] : {};
    const others = Object.values(translated).flatMap(stringsOf);
    const all = [names.code, names.name, names.shown, names.english, ...others];
    return all.some((text) => fold(text) === name);
  });
  // Editions may use a code that has no record.
  const codes = named.length === 0 ? [marcCodeOf(q) ?? name] : named.map(({ names }) => names.code);
  const filters = [anyOf(codes.map((code) => equals("language", code)))];
  const { numFound, fields } = await countWorks(
    { filters, facets: makeFacetRequests(["language"]) },
    q,
    context,
  );
  const byCode = new Map(known.map(({ names }) => [names.code, names[member]]));
  const docs = (fields["language"] ?? []).slice(0, LANGUAGES_FOUND_MAX).map(({ value, count }) => ({
    name: byCode.get(value) ?? value,
    key: `/languages/${value}`,
    marc_code: value,
    count,
  }));
  return { numFound, docs };
}

const parameters = { q: z.string().default("").describe("Code or name of a language") };
const response = z.object({
  numFound: z.int(),
  docs: z.array(z.object({ name: z.string(), key: z.string(), marc_code: z.string(), count: z.int() })),
});

export const searchLanguages = operation({
  id: "searchLanguages",
  summary: "Count the languages of works in a given language",
  tag: "search",
  query: parameters,
  responses: {
    200: { description: "Languages by number of works; numFound counts the works", schema: response },
  },
  async handle({ query: { q } }, context) {
    const cacheControl = searchCacheControl(context);
    return json(await findLanguageCounts(q, "name", context), {
      cacheControl,
      headers: { Vary: VARY_LANGUAGE },
    });
  },
});

export const searchLanguagesPage = operation({
  id: "searchLanguagesPage",
  summary: "Show the language search page",
  tag: "search",
  query: parameters,
  responses: { 200: { description: "HTML page or JSON", schema: response, also: ["text/html"] } },
  programs: searchLanguages,
  async handle({ query }, context) {
    const q = query.q.trim();
    const { numFound, docs } = await findLanguageCounts(q, "shown", context);
    const cacheControl = searchCacheControl(context);
    return languageSearchPage({ q, numFound, languages: docs, cacheControl });
  },
});
