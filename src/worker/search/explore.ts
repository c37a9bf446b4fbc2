import { parseWorkSort } from "../../search/sorts.ts";
import { ALL } from "../../search/query/query.ts";
import { readDerived } from "../http/derived-answers.ts";
import type { RequestContext } from "../http/operation.ts";
import type { Reply } from "../http/reply.ts";
import { explorePage } from "./explore-page.ts";
import { countAllWorks, toFacetRow } from "./facets.ts";
import { askIndex, searchCacheControl } from "./guarded.ts";
import { readLanguageNames } from "./known-languages.ts";
import { toShownBook } from "./result-row.ts";
import { readSubjectIndex } from "./subject-index.ts";

const EXPLORED_BOOKS = 14;
const BOOKS_SECONDS = 3600;

/** Shows the page for browsing the catalog. Everything is cached for an hour; else three round trips. */
export async function explore(context: RequestContext): Promise<Reply> {
  const search = {
    query: ALL,
    filters: [],
    editionClauses: [],
    sort: parseWorkSort("random.daily", context.now).sorts,
    start: 0,
    rows: EXPLORED_BOOKS,
    withEditions: false,
    fields: ["key", "title", "subtitle", "author_key", "author_name", "cover_i"],
  };
  const make = async () =>
    (await askIndex(context, "", (engine) => engine.works(search))).documents.map(toShownBook);
  const [books, { counted, lists }, { fields }, languages] = await Promise.all([
    readDerived(context, { name: "books-of-the-day:v1", seconds: BOOKS_SECONDS, make }),
    readSubjectIndex(context),
    countAllWorks(["first_publish_year", "language"], context),
    readLanguageNames(context),
  ]);
  return explorePage({
    books,
    counted,
    lists,
    years: fields["first_publish_year"] ?? [],
    languages: (fields["language"] ?? []).map((value) => toFacetRow("language", value, languages)),
    cacheControl: searchCacheControl(context),
  });
}
