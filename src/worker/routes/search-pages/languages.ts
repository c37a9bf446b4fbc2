import * as z from "zod";
import { operation } from "../../operation.ts";
import { addressOf } from "../../pages/address.ts";
import { counted } from "../../pages/search/parts.ts";
import { countsPage } from "../../pages/search/counts-page.ts";
import { VARY_LANGUAGE } from "../../reader-language.ts";
import { json } from "../../reply.ts";
import { searchCacheControl } from "../../search/cache-control.ts";
import { findLanguages } from "../../search-pages/find-languages.ts";
import { programAnswer } from "../../search-pages/program-answer.ts";
import { wantsHtml } from "../../wants-html.ts";

const parameters = { q: z.string().default("").describe("Code or name of a language") };
const answer = z.object({
  numFound: z.int(),
  docs: z.array(z.object({ name: z.string(), key: z.string(), marc_code: z.string(), count: z.int() })),
});

/** `GET /search/languages.json`: a language by code or name, and in what else its works are (search.md 7.6). */
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

const asJson = programAnswer(searchLanguages);

/** `GET /search/languages`: the same for people. */
export const searchLanguagesPage = operation({
  id: "searchLanguagesPage",
  summary: "Works in a language, counted by all languages that they are in, as a page",
  tag: "search",
  query: parameters,
  responses: { 200: { description: "A page, or JSON for programs", schema: answer, also: ["text/html"] } },
  async handle({ query }, context) {
    if (!wantsHtml(context.request)) return asJson(context);
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
