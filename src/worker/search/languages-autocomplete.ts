import * as z from "zod";
import type { LanguageNames } from "../../catalog/language.ts";
import { normalForm } from "../../catalog/matching/match-keys.ts";
import { VARY_LANGUAGE, languageOf } from "../http/accept.ts";
import { type RequestContext, catalogReader, operation } from "../http/operation.ts";
import { lenientInteger } from "../http/parameters.ts";
import { json } from "../http/reply.ts";
import { knownLanguages } from "./known-languages.ts";

/** Rows of an autocomplete answer. */
export const AUTOCOMPLETE_LIMIT = { default: 5, max: 100 };
const MARKS = /\p{M}+/gu;

/** `GET /languages/_autocomplete`: languages one of whose names has a word that starts with `q`. */
export const languagesAutocomplete = operation({
  id: "languagesAutocomplete",
  summary: "Languages by the beginning of a word of their name",
  tag: "lookup",
  query: {
    q: z.string().max(200).default(""),
    limit: lenientInteger(AUTOCOMPLETE_LIMIT.default, { min: 0, max: AUTOCOMPLETE_LIMIT.max }),
  },
  responses: {
    200: {
      description: "Languages, those whose name starts with q first",
      schema: z.array(z.object({ key: z.string(), code: z.string(), name: z.string() })),
    },
  },
  async handle({ query: { q, limit } }, context) {
    const rows = (await languagesBeginning(q, context)).slice(0, limit);
    const entries = rows.map(({ code, name }) => ({ key: `/languages/${code}`, code, name }));
    return json(entries, { cacheControl: "public, max-age=86400", headers: { Vary: VARY_LANGUAGE } });
  },
});

/** Languages one of whose names has a word that starts with a text, those whose name does first. */
export async function languagesBeginning(q: string, context: RequestContext): Promise<LanguageNames[]> {
  const known = await knownLanguages(catalogReader(context), languageOf(context));
  const current = known.filter(({ record }) => record["deprecated"] !== true);
  return matching(
    current.map(({ names }) => names),
    fold(q),
  );
}

function matching(languages: readonly LanguageNames[], wanted: string): LanguageNames[] {
  const rank = ({ name }: LanguageNames): number => (fold(name).startsWith(wanted) ? 0 : 1);
  return languages
    .filter(({ name, native, english }) =>
      [name, native ?? "", english].some((text) => hasWord(text, wanted)),
    )
    .sort((a, b) => rank(a) - rank(b) || (fold(a.name) < fold(b.name) ? -1 : 1));
}

function hasWord(name: string, wanted: string): boolean {
  const folded = fold(name);
  return folded.startsWith(wanted) || folded.split(/[^\p{L}\p{N}]+/u).some((word) => word.startsWith(wanted));
}

function fold(text: string): string {
  return normalForm(text, "NFKD").replace(MARKS, "").toLowerCase().trim();
}
