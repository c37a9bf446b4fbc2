import { element, textElement } from "../../catalog/xml.ts";
import { Diagnostic } from "../../search/cql/diagnostic.ts";
import { indexOf, qualifiedNameOf } from "../../search/cql/cql-indexes.ts";
import { parseCql } from "../../search/cql/cql-parser.ts";
import { plainTermOf } from "../../search/cql/clause.ts";
import { NO_DETAILS, sortedNameOf } from "../../export/agents.ts";
import type { FacetValue } from "../../search/engine.ts";
import { FACET_VALUES_MAX } from "../../search/facets.ts";
import { fold, compareValues } from "../../search/text/collation.ts";
import { readDerived } from "../http/derived-answers.ts";
import type { RequestContext } from "../http/operation.ts";
import type { Reply } from "../http/reply.ts";
import { countWorks } from "../search/facets.ts";
import { searchCacheControl } from "../search/guarded.ts";
import { type SruParameters, parseSruNumber, versionOf } from "./sru-request.ts";
import { makeDiagnostics, makeEcho, makeSruReply } from "./sru-response.ts";

/** Terms of a response: default and maximum. */
export const SCAN_TERMS = { default: 20, max: 200 };
/** Lifetime of cached terms in seconds. Counting them takes a walk through the index. */
const TERMS_SECONDS = 3600;

interface ScanTerm extends FacetValue {
  folded: string;
}

/**
 * `scan`: lists the terms of an index around one, in order, with the number of works that have each. Only the 20,000 most
 * frequent terms of an index are listed. Throws a `Diagnostic`.
 */
export async function scan(
  parameters: SruParameters,
  warnings: readonly Diagnostic[],
  context: RequestContext,
): Promise<Reply> {
  const { scanClause } = parameters;
  if (scanClause === undefined) throw new Diagnostic(7, "scanClause");
  const { field, term } = parseScanClause(scanClause);
  const { default: absent, max: most } = SCAN_TERMS;
  const count = parseSruNumber(parameters, "maximumTerms", { absent, least: 1, most });
  const position = parseSruNumber(parameters, "responsePosition", { absent: 1, least: 0, most: 1e9 });
  if (position > count + 1) throw new Diagnostic(120, String(position));
  const terms = await readTerms(field, context);
  const start = fold(term);
  const at = terms.findIndex(({ folded }) => folded >= start);
  const first = Math.max(0, (at === -1 ? terms.length : at) + 1 - position);
  const page = terms.slice(first, first + count);
  const version = versionOf(parameters);
  const elements = page.map(({ value, count: works }, index) =>
    element("term", [
      element("value", value),
      element("numberOfRecords", String(works)),
      ...textElement("whereInList", whereInList(first + index, terms.length)),
    ]),
  );
  const parts = [
    ...(elements.length === 0 ? [] : [element("terms", elements)]),
    makeEcho("echoedScanRequest", [
      ["version", version],
      ["scanClause", scanClause],
      ["responsePosition", String(position)],
      ["maximumTerms", String(count)],
    ]),
    ...makeDiagnostics(warnings, version),
  ];
  const cacheControl = searchCacheControl(context);
  return makeSruReply("scanResponse", { version, parts }, { cacheControl });
}

/**
 * Reads the field to list and the term to begin at, empty for the beginning. Throws diagnostics 10 and 16, and those of
 * queries.
 */
function parseScanClause(text: string): { field: string; term: string } {
  const { root } = parseCql(text);
  if (root.kind !== "clause") throw new Diagnostic(10, "one clause");
  const { index, term } = root;
  // A term without an index names no field.
  const field = qualifiedNameOf(index) === "cql.serverchoice" ? undefined : indexOf(index).scan;
  if (field === undefined) throw new Diagnostic(16, index.written);
  return { field, term: term.trim() === "" ? "" : (plainTermOf(term, { isMasked: false }) ?? "") };
}

function whereInList(at: number, count: number): string | undefined {
  if (count === 1) return "only";
  if (at === 0) return "first";
  return at === count - 1 ? "last" : undefined;
}

/**
 * Reads all terms of a field, up to an hour old, in an order without case and accents. Authors are listed by heading, as
 * records have it, equal ones as one term.
 */
function readTerms(field: string, context: RequestContext): Promise<ScanTerm[]> {
  const request = { field, limit: -1, sort: "index", offset: 0, mincount: 1 } as const;
  return readDerived(context, {
    name: `scan:v2:${context.settings.SEARCH_ENGINE}:${field}`,
    seconds: TERMS_SECONDS,
    make: async () => {
      const { fields } = await countWorks({ facets: [request] }, field, context);
      const byValue = new Map<string, number>();
      for (const { value, count } of fields[field] ?? []) {
        const name = value.slice(value.indexOf(" ") + 1);
        const term = field === "author_facet" ? sortedNameOf({ ...NO_DETAILS, name }) : value;
        byValue.set(term, (byValue.get(term) ?? 0) + count);
      }
      return Array.from(byValue, ([value, count]) => ({ value, count, folded: fold(value) }))
        .sort((a, b) => compareValues(a.folded, b.folded) || compareValues(a.value, b.value))
        .slice(0, FACET_VALUES_MAX);
    },
  });
}
