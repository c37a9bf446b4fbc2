import * as z from "zod";
import { parseDocument } from "../../catalog/document.ts";
import { type LanguageNames, languageNames } from "../../catalog/language.ts";
import { isObject, stringsOf } from "../../catalog/record.ts";
import { readLanguages } from "../../db/records/languages.ts";
import { ALL, anyOf, equals } from "../../search/query/query.ts";
import { fold } from "../../search/text/fold.ts";
import { VARY_LANGUAGE, languageOf } from "../http/accept.ts";
import { type RequestContext, catalogReader, operation } from "../http/operation.ts";
import { json } from "../http/reply.ts";
import { addressOf } from "../ui/markup.ts";
import { searchCacheControl } from "./answers.ts";
import { countsPage } from "./counts-page.ts";
import { facetRequest } from "./facets.ts";
import { askIndex } from "./guarded.ts";
import { counted } from "./result-parts.ts";

/** Languages in an answer. */
const LANGUAGES_FOUND_MAX = 25;

/** A language that works found are in. */
interface FoundLanguage {
  readonly name: string;
  readonly key: string;
  readonly marc_code: string;
  readonly count: number;
}

/** Works in a language, counted by all languages that they are in. */
interface FoundLanguages {
  readonly numFound: number;
  readonly docs: readonly FoundLanguage[];
}

/**
 * Q444: what language a text names, by code or by any of its names, and the languages of the works in it. Two round
 * trips.
 */
async function findLanguages(q: string, context: RequestContext): Promise<FoundLanguages> {
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
  const { numFound, fields } = await askIndex(context, q, (engine) => engine.facets(search));
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

const parameters = { q: z.string().default("").describe("Code or name of a language") };
const answer = z.object({
  numFound: z.int(),
  docs: z.array(z.object({ name: z.string(), key: z.string(), marc_code: z.string(), count: z.int() })),
});

/** `GET /search/languages.json`: a language by code or name, and in what else its works are. */
export const searchLanguages = operation({
  id: "searchLanguages",
  summary: "Works in a language, counted by all languages that they are in",
  tag: "search",
  query: parameters,
  responses: {
    200: { description: "Languages, most works first; numFound counts the works", schema: answer },
  },
  async handle({ query: { q } }, context) {
    const cacheControl = searchCacheControl(context, { sort: [] });
    return json(await findLanguages(q, context), { cacheControl, headers: { Vary: VARY_LANGUAGE } });
  },
});

/** `GET /search/languages`: the same for people. */
export const searchLanguagesPage = operation({
  id: "searchLanguagesPage",
  summary: "Works in a language, counted by all languages that they are in, as a page",
  tag: "search",
  query: parameters,
  responses: { 200: { description: "A page, or JSON for programs", schema: answer, also: ["text/html"] } },
  programs: searchLanguages,
  async handle({ query }, context) {
    const q = query.q.trim();
    const { numFound, docs } = await findLanguages(q, context);
    return countsPage({
      path: "/search/languages",
      q,
      title: q === "" ? "Search languages" : `Languages: ${q}`,
      label: "Name of a language, or its code of three letters",
      summary: `${counted(numFound, "work", "works")} in this language.`,
      caption: "All languages that these works are in",
      rows: docs.map(({ name, key, count }) => ({ name, address: addressOf(key), count })),
      cacheControl: searchCacheControl(context, { sort: [] }),
    });
  },
});
