import { type Hits, type PlainSearch, type Sort, WINDOW_PLAIN_MAX } from "../../search/engine.ts";
import { planQuery } from "../../search/lucene/lucene-query.ts";
import { plainPlan } from "../../search/plan/plain-query.ts";
import { checkBreadth, checkWords } from "../../search/plan/too-broad.ts";
import { type PlainScheme, PLAIN_FIELDS } from "../../search/plain-fields.ts";
import { PLAIN_SOURCES } from "../search/plain-sources.ts";
import { type OrderTerm, afterQuery, randomTerms, sortText } from "./order.ts";
import { PLAIN_READ_FIELDS, scoredPage } from "./plain-score.ts";
import { type Found, type FoundPage, type SolrReader, find, numberIn, textIn } from "./reader.ts";
import { markFields, markOf, walkedTerms } from "./works.ts";

/** `SearchEngine.authors`, `subjects` and `lists`. */
export async function searchPlain(
  reader: SolrReader,
  scheme: PlainScheme,
  search: PlainSearch,
): Promise<Hits> {
  const queries = [search.query, ...search.filters];
  checkBreadth(queries);
  checkWords(queries, (field) => field === null || PLAIN_FIELDS[scheme].get(field)?.words !== undefined);
  const plan = plainPlan({ op: "and", of: queries }, scheme);
  const { after, rows, start, sort } = search;
  const query = `+${planQuery(plan, scheme)}`;
  const isPage = rows > 0 && (after !== undefined || start + rows <= WINDOW_PLAIN_MAX);
  if (!isPage) return hits(scheme, await find(reader, scheme, { query, limit: 0 }));
  const driver = plan.kind === "and" ? plan.of[0] : plan;
  const isScored = after === undefined && (sort[0]?.field ?? "score") === "score";
  if (driver?.kind === "match" && isScored) {
    return hits(scheme, await scoredPage(reader, scheme, { search, query, match: driver.match }));
  }
  const terms = orderTerms(scheme, search);
  const follows = after?.length ? ` +${afterQuery(terms, after)}` : "";
  const found = await find(reader, scheme, {
    query: query + follows,
    sort: sortText(terms),
    fields: [...PLAIN_READ_FIELDS, ...markFields(terms)],
    offset: after === undefined ? start : 0,
    limit: rows,
  });
  const last = after && found.docs.at(-1);
  const numFound = after?.length ? 0 : found.numFound;
  return { ...hits(scheme, { ...found, numFound }), mark: last && markOf(last, terms) };
}

function hits(scheme: PlainScheme, { numFound, docs }: FoundPage): Hits {
  return { numFound, numFoundExact: true, documents: docs.map((one) => plainDocument(scheme, one)) };
}

/** A document as it is returned. */
export function plainDocument(scheme: PlainScheme, found: Found) {
  const document = textIn(found, "document");
  // Subjects are stored as they are.
  const row =
    scheme === "subject" ? JSON.parse(document) : { document, work_count: numberIn(found, "n_work_count") };
  return PLAIN_SOURCES[scheme].documentOf(row);
}

/** Ties go by number, of lists and subjects by key. Without text the most popular come first. */
function orderTerms(scheme: PlainScheme, { sort, after }: PlainSearch): OrderTerm[] {
  const best: Sort = { field: "score", descending: true };
  const source = PLAIN_SOURCES[scheme];
  const terms = walkedTerms(sort.length > 0 || after !== undefined ? sort : [best], (one) => {
    const { field, descending, seed = "" } = one;
    if (field === "score") return [{ value: `n_${source.popular}`, descending: true }];
    const column = source.sorts.get(field);
    if (column === undefined) return [];
    if (field === "random") return randomTerms(seed, descending);
    const isNumber = PLAIN_FIELDS[scheme].get(field)?.column === "number";
    return [{ value: `${isNumber ? "n" : "s"}_${column}`, descending, isOptional: true }];
  });
  const last = { value: TIES[scheme], descending: terms.at(-1)?.descending ?? false };
  return [...terms.slice(0, -1), last];
}

const TIES: Readonly<Record<PlainScheme, string>> = { author: "no", subject: "id", list: "id" };
