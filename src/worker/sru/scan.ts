import { element, textElement } from "../../catalog/xml.ts";
import { Diagnostic } from "../../search/cql/diagnostic.ts";
import { indexOf, qualifiedName } from "../../search/cql/cql-indexes.ts";
import { parseCql } from "../../search/cql/cql-parser.ts";
import { plainTerm } from "../../search/cql/clause.ts";
import type { FacetValue } from "../../search/engine.ts";
import { FACET_VALUES_MAX } from "../../search/facets.ts";
import { ALL } from "../../search/query/query.ts";
import { fold } from "../../search/text/collation.ts";
import { derived } from "../http/derived-answers.ts";
import type { RequestContext } from "../http/operation.ts";
import type { Reply } from "../http/reply.ts";
import { searchCacheControl } from "../search/answers.ts";
import { askIndex } from "../search/guarded.ts";
import { type SruParameters, numberOf, versionOf } from "./parameters.ts";
import { diagnosticsElement, echoElement, sruReply } from "./protocol.ts";

/** Terms of an answer: when none are asked for, and at most. */
export const SCAN_TERMS = { default: 20, max: 200 };
/** How long the terms of an index are kept, in seconds: to count them is a walk through the index. */
const TERMS_SECONDS = 3600;

/** A term with what it is ordered by. */
interface ScanTerm extends FacetValue {
  readonly folded: string;
}

/**
 * `scan`: the terms of an index around one, as they are ordered, with the number of works that have each. An index
 * has its 20,000 most frequent ones. Throws a `Diagnostic`.
 */
export async function scan(
  parameters: SruParameters,
  warnings: readonly Diagnostic[],
  context: RequestContext,
): Promise<Reply> {
  const { scanClause: written } = parameters;
  if (written === undefined) throw new Diagnostic(7, "scanClause");
  const { field, term } = clauseOf(written);
  const { default: absent, max: most } = SCAN_TERMS;
  const count = numberOf(parameters, "maximumTerms", { absent, least: 1, most });
  const position = numberOf(parameters, "responsePosition", { absent: 1, least: 0, most: 1e9 });
  if (position > count + 1) throw new Diagnostic(120, String(position));
  const terms = await termsOf(field, context);
  const wanted = fold(term);
  const at = terms.findIndex(({ folded }) => folded >= wanted);
  const first = Math.max(0, (at === -1 ? terms.length : at) + 1 - position);
  const page = terms.slice(first, first + count);
  const version = versionOf(parameters);
  const elements = page.map((one, index) =>
    element("term", [
      element("value", one.value),
      element("numberOfRecords", String(one.count)),
      ...textElement("whereInList", placeOf(first + index, terms.length)),
    ]),
  );
  const parts = [
    ...(elements.length === 0 ? [] : [element("terms", elements)]),
    echoElement("echoedScanRequest", [
      ["version", version],
      ["scanClause", written],
      ["responsePosition", String(position)],
      ["maximumTerms", String(count)],
    ]),
    ...diagnosticsElement(warnings, version),
  ];
  const cacheControl = searchCacheControl(context, { sort: [] });
  return sruReply("scanResponse", { version, parts }, { cacheControl });
}

/** The field to be listed, and where; an empty term is the beginning. Throws diagnostics 10 and 16, and those of queries. */
function clauseOf(written: string): { readonly field: string; readonly term: string } {
  const { root } = parseCql(written);
  if (root.kind !== "clause") throw new Diagnostic(10, "one clause");
  const { index, term } = root;
  // A term by itself says nothing of where to look.
  const field = qualifiedName(index) === "cql.serverchoice" ? undefined : indexOf(index).scan;
  if (field === undefined) throw new Diagnostic(16, index.written);
  return { field, term: term.trim() === "" ? "" : (plainTerm(term, { isMasked: false }) ?? "") };
}

function placeOf(at: number, count: number): string | undefined {
  if (count === 1) return "only";
  if (at === 0) return "first";
  return at === count - 1 ? "last" : undefined;
}

/** All terms of a field, in order, up to an hour old. */
async function termsOf(field: string, context: RequestContext): Promise<ScanTerm[]> {
  const request = { field, limit: -1, sort: "index", offset: 0, mincount: 1 } as const;
  const values = await derived(context, {
    name: `scan:v1:${context.settings.SEARCH_ENGINE}:${field}`,
    seconds: TERMS_SECONDS,
    make: () =>
      askIndex(context, field, async (engine) => {
        const facets = await engine.facets({
          query: ALL,
          filters: [],
          editionClauses: [],
          facets: [request],
        });
        return ordered(facets.fields[field] ?? [], field).slice(0, FACET_VALUES_MAX);
      }),
  });
  return values;
}

/** Terms by what they are without case and accents, those that differ in nothing else as one. Authors go by name. */
function ordered(values: readonly FacetValue[], field: string): ScanTerm[] {
  const byValue = new Map<string, number>();
  for (const { value, count } of values) {
    const name = field === "author_facet" ? value.slice(value.indexOf(" ") + 1) : value;
    byValue.set(name, (byValue.get(name) ?? 0) + count);
  }
  const terms = [...byValue].map(([value, count]) => ({ value, count, folded: fold(value) }));
  return terms.sort((a, b) => compared(a.folded, b.folded) || compared(a.value, b.value));
}

function compared(one: string, other: string): number {
  return Number(one > other) - Number(one < other);
}
