import * as z from "zod";
import type { Document } from "../../search/engine.ts";
import { keyOfWorkId } from "../../search/indexing/ids.ts";
import { ALL } from "../../search/query/query.ts";
import { parseWorkSort } from "../../search/sorts.ts";
import { readDerived } from "../http/derived-answers.ts";
import { type RequestContext, baseUrl } from "../http/operation.ts";
import { REVALIDATE, json } from "../http/reply.ts";
import { NAME, VERSION } from "../http/settings.ts";
import { readRanking } from "../patrons/activity/ranking.ts";
import { type BookView, BOOK_VIEW_FIELDS, toBookView } from "../patrons/people/book-list.ts";
import { engineOf } from "../search/engine.ts";
import { askIndex, withSearchErrors } from "../search/guarded.ts";
import { readSubjectIndex } from "../search/subject-index.ts";
import { resource } from "../http/views.ts";
import { homePage } from "./home-page.ts";
import { catalogTotals } from "./totals.ts";

export const home = resource({
  id: "home",
  summary: "Get the name, version and documentation of the service",
  tag: "service",
  cache: { isolate: 5, edge: 30 },
  responses: {
    200: {
      description: "Service information, or the home page for browsers",
      schema: z.object({ name: z.string(), version: z.string(), documentation: z.string() }),
      also: ["text/html"],
    },
  },
  read: (_input, context) => ({ name: NAME, version: VERSION, documentation: `${baseUrl(context)}/docs` }),
  asJson: (service) => json(service, { cacheControl: REVALIDATE }),
  /** Two round trips, in parallel with those for content that is cached for an hour or longer. */
  async page(_service, _input, context) {
    const options = { rows: HOME_BOOKS, fields: ["key", ...BOOK_VIEW_FIELDS] };
    const [trending, reprinted, { lists }, totals] = await Promise.all([
      trendingBooks(context),
      readDerived(context, {
        name: "reprinted:v1",
        seconds: REPRINTED_SECONDS,
        make: async () => (await findMostReprinted(context, "home", options)).map(toBookView),
      }),
      readSubjectIndex(context),
      catalogTotals(context),
    ]);
    return homePage({ trending, reprinted, subjects: lists.subjects.slice(0, HOME_SUBJECTS), totals });
  },
});

const HOME_BOOKS = 14;
const HOME_SUBJECTS = 14;
const REPRINTED_SECONDS = 3600;

/** Finds the books that most readers shelved this week. Two round trips. */
async function trendingBooks(context: RequestContext): Promise<BookView[]> {
  const ranking = {
    period: "weekly",
    hours: 0,
    minimum: 0,
    byCount: true,
    offset: 0,
    limit: HOME_BOOKS,
  } as const;
  const [{ works }, engine] = await Promise.all([
    readRanking(ranking, context),
    withSearchErrors(() => engineOf(context), "home"),
  ]);
  if (works.length === 0) return [];
  const keys = works.map(({ work }) => keyOfWorkId(work, context.settings.RECORD_PREFIX));
  return (await withSearchErrors(() => engine.getMany(keys, BOOK_VIEW_FIELDS), "home")).map(toBookView);
}

/** Finds the works with most editions. One round trip. `caller` replaces the query in errors. */
export async function findMostReprinted(
  context: RequestContext,
  caller: string,
  options: { rows: number; fields: readonly string[] },
): Promise<readonly Document[]> {
  const search = {
    query: ALL,
    filters: [],
    editionClauses: [],
    sort: parseWorkSort("editions", context.now).sorts,
    start: 0,
    withEditions: false,
    ...options,
  };
  return (await askIndex(context, caller, (engine) => engine.works(search))).documents;
}
