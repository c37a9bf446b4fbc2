import type { WorkSelection } from "../../search/engine.ts";
import { clausesOf, filtersOf } from "../../search/query/work-clauses.ts";
import { type Query, allOf, isTooComplex } from "../../search/query/query.ts";
import { parseWorkQuery } from "../../search/query/parse-query.ts";
import {
  type WorkParameters,
  CLAUSE_PARAMETERS,
  FLAG_PARAMETERS,
  LIST_PARAMETERS,
} from "../../search/query/work-parameters.ts";
import type { RequestContext } from "../http/operation.ts";
import { isPrintDisabled } from "./engine.ts";
import { queryRefused } from "./guarded.ts";

/** Which works a request means, parsed. */
interface ParsedSelection {
  /** Works, without conditions on single editions. */
  readonly works: WorkSelection;
  /** Conditions that one edition has to meet all together. */
  readonly editionClauses: readonly Query[];
  /** Words without a field that may be misspelt, as typed. */
  readonly freeWords: readonly string[];
  /** Neither text nor any parameter that chooses works. */
  readonly isEmpty: boolean;
}

/** Parses text and parameters; throws 422 when they are too complex. */
export function parseSelection(
  { q, parameters }: { readonly q: string; readonly parameters: WorkParameters },
  context: RequestContext,
): ParsedSelection {
  const prefix = context.settings.RECORD_PREFIX;
  const text = parseWorkQuery(q, { prefix });
  const fielded = clausesOf(parameters, { prefix });
  const restricted = filtersOf(parameters, { prefix, printDisabled: isPrintDisabled(context) });
  const query = allOf([text.query, ...fielded.clauses]);
  const editionClauses = [...text.editionClauses, ...fielded.editionClauses];
  const isComplex = text.tooComplex || fielded.tooComplex;
  // Conditions on editions repeat some of the query, and filters are many only when a client repeats them: both
  // have the same bound, by themselves.
  const parts = [[query], editionClauses, restricted.filters];
  if (isComplex || parts.some(isTooComplex)) throw queryRefused(q, "Query too complex");
  return {
    works: { query, filters: restricted.filters, editionClauses: [] },
    editionClauses: [...editionClauses, ...restricted.editionFilters],
    freeWords: [...new Set([...text.freeWords, ...fielded.freeWords])],
    isEmpty: q.trim() === "" && !asksForAnything(parameters),
  };
}

function asksForAnything(parameters: WorkParameters): boolean {
  const texts = [...CLAUSE_PARAMETERS, ...FLAG_PARAMETERS].map((name) => parameters[name] ?? "");
  const lists = LIST_PARAMETERS.map((name) => parameters[name] ?? []);
  return texts.some((text) => text.trim() !== "") || lists.some((values) => values.length > 0);
}
