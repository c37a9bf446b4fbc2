import type { Facets, WorkSearch } from "../../search/engine.ts";
import { type NamedAuthor, namedAuthors } from "../../search/present/named-authors.ts";
import { type FoundWork, foundWorks } from "../../search/present/works.ts";
import type { RequestContext } from "../context.ts";
import { facetRequest, wholeFacets } from "../routes/search/facets.ts";
import { engineOf } from "../search/engine-of.ts";
import { correctedText, findWorks } from "../search/find-works.ts";
import { guarded } from "../search/guarded.ts";
import type { SearchRequest } from "../search/search-request.ts";
import { FACET_KINDS, type FacetGroup, facetGroups } from "./facet-groups.ts";
import { keptLanguageNames } from "./language-names.ts";

/** A page of works that were found, with what else the page says. */
export interface FoundPage {
  readonly numFound: number;
  readonly works: readonly FoundWork[];
  /** The text that was searched for instead, because words of the query occur nowhere. */
  readonly corrected: string | undefined;
  readonly authors: readonly NamedAuthor[];
  readonly groups: readonly FacetGroup[];
  /** Names of languages by code. */
  readonly languages: ReadonlyMap<string, string>;
  /** Names of the authors of the works found, by number. */
  readonly authorNames: ReadonlyMap<string, string>;
}

/** Searches works, and counts the values by which they can be narrowed, side by side. */
export async function findPage(
  request: SearchRequest,
  chosen: (parameter: string) => readonly string[],
  context: RequestContext,
): Promise<FoundPage> {
  const { search, freeWords, text, wish } = request;
  const [{ hits, corrections }, facets, languages] = await guarded(async () => {
    const engine = await engineOf(context);
    return Promise.all([
      findWorks(engine, search, freeWords),
      countedFacets(search, context),
      keptLanguageNames(context),
    ]);
  }, text);
  const works = foundWorks(hits, wish);
  const isCorrected = corrections.size > 0;
  const hasEditionClauses = search.editionClauses.length > 0;
  return {
    numFound: hits.numFound,
    works,
    corrected: isCorrected ? correctedText(text, corrections) : undefined,
    authors: namedAuthors(text, hits.documents),
    // The values of the words as they are spelt: of a corrected search there are none.
    groups: facetGroups({ facets, hasEditionClauses, languages, chosen }),
    languages,
    authorNames: authorNamesIn(facets),
  };
}

/** Values of the field are number and name. */
function authorNamesIn({ fields }: Facets): Map<string, string> {
  return new Map(
    (fields["author_facet"] ?? []).map(({ value }) => {
      const [olid = ""] = value.split(" ", 1);
      return [olid, value.slice(olid.length + 1)];
    }),
  );
}

const FIELDS = FACET_KINDS.map(({ field }) => field);

/** Counts over the works of a search; over all works they are kept for an hour, as for programs. */
async function countedFacets(search: WorkSearch, context: RequestContext): Promise<Facets> {
  const { query, filters, editionClauses, keys } = search;
  const isWhole =
    query.op === "all" && filters.length === 0 && editionClauses.length === 0 && keys === undefined;
  if (isWhole) return wholeFacets(FIELDS, context);
  const engine = await engineOf(context);
  const selection = { query, filters, editionClauses, ...(keys === undefined ? {} : { keys }) };
  return engine.facets({ ...selection, facets: FIELDS.map(facetRequest) });
}
