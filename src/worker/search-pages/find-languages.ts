import { parseDocument } from "../../catalog/document.ts";
import { type LanguageNames, languageNames } from "../../catalog/language.ts";
import { isObject, stringsOf } from "../../catalog/record.ts";
import { readLanguages } from "../../db/languages/read-languages.ts";
import { ALL, anyOf, equals } from "../../search/query/query.ts";
import { fold } from "../../search/text/fold.ts";
import { type RequestContext, catalogReader } from "../context.ts";
import { languageOf } from "../reader-language.ts";
import { facetRequest } from "../routes/search/facets.ts";
import { engineOf } from "../search/engine-of.ts";
import { guarded } from "../search/guarded.ts";

/** Languages in an answer (search.md 7.6). */
export const LANGUAGES_FOUND_MAX = 25;

/** A language that works found are in. */
export interface FoundLanguage {
  readonly name: string;
  readonly key: string;
  readonly marc_code: string;
  readonly count: number;
}

/** Works in a language, counted by all languages that they are in. */
export interface FoundLanguages {
  readonly numFound: number;
  readonly docs: readonly FoundLanguage[];
}

/** Q444: what language a text names, by code or by any of its names, and the languages of the works in it. Two round trips. */
export async function findLanguages(q: string, context: RequestContext): Promise<FoundLanguages> {
  const asked = fold(q.trim());
  if (asked === "") return { numFound: 0, docs: [] };
  const known = await languages(context);
  const named = known.filter(({ names, all }) => fold(names.code) === asked || all.has(asked));
  // A code may be used by editions, and have no record.
  const codes = named.length === 0 ? [asked] : named.map(({ names }) => names.code);
  const search = {
    query: ALL,
    filters: [anyOf(codes.map((code) => equals("language", code)))],
    editionClauses: [],
    facets: [facetRequest("language")],
  };
  const { numFound, fields } = await guarded(async () => (await engineOf(context)).facets(search), q);
  const byCode = new Map(known.map(({ names }) => [names.code, names.name]));
  const docs = (fields["language"] ?? []).slice(0, LANGUAGES_FOUND_MAX).map(({ value, count }) => ({
    name: byCode.get(value) ?? value,
    key: `/languages/${value}`,
    marc_code: value,
    count,
  }));
  return { numFound, docs };
}

interface KnownLanguage {
  readonly names: LanguageNames;
  /** Every name of it, folded. */
  readonly all: ReadonlySet<string>;
}

async function languages(context: RequestContext): Promise<KnownLanguage[]> {
  const reader = languageOf(context);
  const records = await readLanguages(catalogReader(context));
  return records.map(({ key, document }) => {
    const record = parseDocument(document);
    const names = languageNames(key.slice("/languages/".length), record, reader);
    const translated = isObject(record["name_translated"]) ? record["name_translated"] : {};
    const all = [names.name, names.english, ...Object.values(translated).flatMap(stringsOf)];
    return { names, all: new Set(all.map(fold)) };
  });
}
