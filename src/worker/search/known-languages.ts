import * as z from "zod";
import { parseDocument } from "../../catalog/document.ts";
import { type LanguageNames, languageNamesOf } from "../../catalog/language-names.ts";
import { foldLanguageName } from "../../catalog/matching/match-keys.ts";
import type { CatalogRecord } from "../../catalog/record.ts";
import { readLanguages } from "../../db/records/languages.ts";
import { beginningCostOf } from "../../search/text/spelling.ts";
import type { Database } from "../../db/statement.ts";
import { VARY_LANGUAGE, languageOf } from "../http/accept.ts";
import { readDerived } from "../http/derived-answers.ts";
import { pageLanguage } from "../http/pages/reader.ts";
import { type RequestContext, catalogReader, operation } from "../http/operation.ts";
import { lenientInteger } from "../http/parameters.ts";
import { json } from "../http/reply.ts";

export interface KnownLanguage {
  readonly names: LanguageNames;
  readonly record: CatalogRecord;
}

/** Reads all languages that have a record, with their names in `language`. One statement. */
export async function readKnownLanguages(database: Database, language: string): Promise<KnownLanguage[]> {
  const records = await readLanguages(database);
  return records.map(({ key, document }) => {
    const record = parseDocument(document);
    return { names: languageNamesOf(key.slice("/languages/".length), record, language), record };
  });
}

/** Q823: returns the language of names: that of the page, of which readers get five, or of JSON, which has all that records have. */
export async function namingLanguageOf(member: "name" | "shown", context: RequestContext): Promise<string> {
  const { request, url } = context;
  if (member === "name") return languageOf(context);
  return pageLanguage(request, await context.site(), url.searchParams.get("lang"));
}

/** Lifetime of cached names of languages in seconds, in KV and then in the isolate: they are in some 500 records. */
const LANGUAGE_NAMES_SECONDS = 1800;
const KEPT_LANGUAGES_MAX = 20;

type NamesByCode = ReadonlyMap<string, string>;
/** Names by in-memory cache, of which there is one per isolate (and per service under test), and by language. */
const namesInMemory = new WeakMap<object, Map<string, { names: NamesByCode; expires: number }>>();

/** Returns the names of all languages by code, in the user's language, up to an hour old; `name` for JSON. */
export async function readLanguageNames(
  context: RequestContext,
  member: "name" | "shown" = "shown",
): Promise<NamesByCode> {
  const { cache, now } = context;
  const language = await namingLanguageOf(member, context);
  const byLanguage = namesInMemory.get(cache) ?? new Map<string, { names: NamesByCode; expires: number }>();
  namesInMemory.set(cache, byLanguage);
  const key = `${member}:${language}`;
  const entry = byLanguage.get(key);
  if (entry !== undefined && entry.expires > now) return entry.names;
  const pairs = await readDerived(context, {
    name: `language-names:v2:${key}`,
    seconds: LANGUAGE_NAMES_SECONDS,
    make: async () => {
      const known = await readKnownLanguages(catalogReader(context), language);
      return known.map(({ names: each }): [string, string] => [each.code, each[member]]);
    },
  });
  const names = new Map(pairs);
  if (byLanguage.size >= KEPT_LANGUAGES_MAX) byLanguage.clear();
  byLanguage.set(key, { names, expires: now + LANGUAGE_NAMES_SECONDS * 1000 });
  return names;
}

export const AUTOCOMPLETE_LIMIT = { default: 5, max: 100 };

export const languagesAutocomplete = operation({
  id: "languagesAutocomplete",
  summary: "Autocomplete language names",
  tag: "lookup",
  query: {
    q: z.string().max(200).default(""),
    limit: lenientInteger(AUTOCOMPLETE_LIMIT.default, { min: 0, max: AUTOCOMPLETE_LIMIT.max }),
  },
  responses: {
    200: {
      description: "Languages, names that start with `q` first",
      schema: z.array(z.object({ key: z.string(), code: z.string(), name: z.string() })),
    },
  },
  async handle({ query: { q, limit } }, context) {
    const rows = (await findLanguages(q, "name", context)).slice(0, limit);
    const entries = rows.map(({ code, name }) => ({ key: `/languages/${code}`, code, name }));
    return json(entries, { cacheControl: "public, max-age=86400", headers: { Vary: VARY_LANGUAGE } });
  },
});

/** Minimum length of a text whose spelling is corrected, in UTF-16 units. */
const CORRECTED_LENGTH_MIN = 4;

/**
 * Finds the languages with a word of a name that starts with a text, or else with one that is nearly it, those whose
 * `member` starts with it first.
 */
export async function findLanguages(
  q: string,
  member: "name" | "shown",
  context: RequestContext,
): Promise<LanguageNames[]> {
  const language = await namingLanguageOf(member, context);
  const known = await readKnownLanguages(catalogReader(context), language);
  const { compare } = new Intl.Collator(language);
  const beginning = foldLanguageName(q);
  const findBy = (test: (word: string) => boolean): LanguageNames[] =>
    known
      .filter(({ record }) => record["deprecated"] !== true)
      .map(({ names }) => names)
      .filter((names) =>
        [names[member], names.native ?? "", names.english].some((name) => {
          const folded = foldLanguageName(name);
          return [folded, ...folded.split(/[^\p{L}\p{N}]+/u)].some(test);
        }),
      );
  const found = findBy((word) => word.startsWith(beginning));
  // Q831
  const isMisspelt = found.length === 0 && beginning.length >= CORRECTED_LENGTH_MIN;
  const languages = isMisspelt ? findBy((word) => beginningCostOf(beginning, word) <= 1) : found;
  const rank = (names: LanguageNames): number =>
    foldLanguageName(names[member]).startsWith(beginning) ? 0 : 1;
  return languages.sort((a, b) => rank(a) - rank(b) || compare(a[member], b[member]));
}
