import type { SearchRequest } from "../../search/engine.ts";
import { conjoinQueries, queryFieldIn, matchQuery } from "../../search/lucene/lucene-query.ts";
import type { Match } from "../../search/plan/match.ts";
import { type OrderTerm, walkTerms } from "../../search/engine/order-terms.ts";
import { type WorkPage, type WorkSource, PAGE_EDITIONS_MAX } from "../../search/engine/search-works.ts";
import { POPULAR, afterQuery, markFields, markOf, sortText, workTerms } from "./order.ts";
import {
  type SolrFields,
  type SolrPage,
  type SolrReader,
  bytesIn,
  countDocuments,
  find,
  noOf,
  numberIn,
} from "./reader.ts";
import { readSolrCandidates } from "./solr-candidates.ts";
import { restoreOf, workFields } from "./solr-rows.ts";
import { readSolrVocabulary, selectionQuery } from "./solr-terms.ts";

const EDITIONS_MAX = 100_000;
const NO_DOCS: Pick<SolrPage, "docs"> = { docs: [] };

export function createSolrWorkSource(reader: SolrReader): WorkSource {
  return {
    prefix: reader.prefix,
    lookUp: (requests) => readSolrVocabulary(reader, requests),
    count: (selection) => countDocuments(reader, "work", selectionQuery(selection)),
    async readWalk(selection, { sort, rows, after, ...request }) {
      const terms = walkTerms(sort, "no", workTerms);
      const follows = after.length === 0 ? [] : [afterQuery(terms, after)];
      const { numFound, docs } = await find(reader, "work", {
        query: conjoinQueries([`(${selectionQuery(selection)})`, ...follows]),
        sort: sortText(terms),
        fields: [...workFields(request), ...markFields(terms)],
        limit: rows,
      });
      const last = docs.at(-1);
      return {
        numFound: after.length === 0 ? numFound : 0,
        works: docs.map(workOf),
        mark: last && markOf(last, terms),
      };
    },
    readSorted(selection, search) {
      const terms = [...search.sort.flatMap(workTerms), { value: "no", descending: false }];
      return readOrderedPage(reader, selectionQuery(selection), { ...search, terms });
    },
    readPopular(selection, { without = [], ...search }) {
      const others = without.length === 0 ? "" : ` -(${queryFieldIn("no", without)})`;
      return readOrderedPage(reader, selectionQuery(selection) + others, { ...search, terms: POPULAR });
    },
    readCandidates: (selection, { words }, search) =>
      readSolrCandidates(reader, selection, { words, readAlong: workFields(search) }),
    readEditions: (match, page) => readEditions(reader, match, page),
    readRows: (ids, editionsOf, request) => readRows(reader, { ids, editionsOf }, request),
  };
}

async function readEditions(
  reader: SolrReader,
  match: Match,
  { after, isDescending, offset, limit }: Parameters<WorkSource["readEditions"]>[1],
) {
  const terms = [{ value: "n_row", descending: isDescending }];
  const follows = after?.length ? ` +${afterQuery(terms, after)}` : "";
  const { numFound, docs } = await find(reader, "edition", {
    query: `+${matchQuery(match, "edition")}${follows}`,
    sort: sortText(terms),
    fields: ["n_row", "work", "shown"],
    offset,
    limit,
  });
  return { numFound, editions: docs.map(editionOf) };
}

async function readRows(
  reader: SolrReader,
  { ids, editionsOf }: { ids: readonly number[]; editionsOf: readonly number[] },
  request: Pick<SearchRequest, "withEditions" | "fields">,
) {
  const [works, editions] = await Promise.all([
    ids.length === 0
      ? NO_DOCS
      : find(reader, "work", {
          query: queryFieldIn("no", ids),
          fields: workFields(request),
          limit: ids.length,
        }),
    editionsOf.length === 0
      ? NO_DOCS
      : find(reader, "edition", {
          query: `+(${queryFieldIn("work", editionsOf)}) +n_rank:[0 TO ${PAGE_EDITIONS_MAX}}`,
          fields: ["work", "shown"],
          sort: "work asc, n_position asc",
          limit: EDITIONS_MAX,
        }),
  ]);
  return {
    works: new Map(works.docs.map((doc) => [noOf(doc), restoreOf(doc)])),
    editions: editions.docs.map(editionOf),
  };
}

async function readOrderedPage(
  reader: SolrReader,
  query: string,
  { terms, start, rows, ...request }: SearchRequest & { readonly terms: readonly OrderTerm[] },
): Promise<WorkPage> {
  const page = { sort: sortText(terms), fields: workFields(request), offset: start, limit: rows };
  const { numFound, docs } = await find(reader, "work", { query, ...page });
  return { numFound, works: docs.map(workOf) };
}

function workOf(doc: SolrFields) {
  return { id: noOf(doc), score: 0, restore: restoreOf(doc) };
}

function editionOf(doc: SolrFields) {
  return {
    id: numberIn(doc, "n_row") ?? 0,
    work: numberIn(doc, "work") ?? 0,
    document: bytesIn(doc, "shown"),
  };
}
