import type { FacetRequest, FacetValue } from "../engine.ts";
import { fold } from "../text/fold.ts";

/** Values of a field that are looked at when all are asked for, or those that contain a text. */
export const FACET_VALUES_MAX = 20_000;

/** How many values have to be known to answer a request: the most frequent ones. */
export function valuesNeeded({ limit, offset, sort, contains }: FacetRequest): number {
  const needsAll = limit < 0 || sort === "index" || contains !== undefined;
  return needsAll ? FACET_VALUES_MAX : Math.min(FACET_VALUES_MAX, offset + limit);
}

/** The values that a request asks for, out of all: ties of the count go by the value (search.md 5.2, 5.5). */
export function pickValues(values: readonly FacetValue[], request: FacetRequest): FacetValue[] {
  const { limit, offset, sort, mincount, contains } = request;
  const wanted = contains === undefined ? undefined : fold(contains);
  const kept = values.filter(
    ({ value, count }) =>
      count >= Math.max(1, mincount) && (wanted === undefined || fold(value).includes(wanted)),
  );
  const sorted = kept.sort(sort === "index" ? byValue : byCount);
  return sorted.slice(offset, limit < 0 ? undefined : offset + limit);
}

function byValue(a: FacetValue, b: FacetValue): number {
  return Number(a.value > b.value) - Number(a.value < b.value);
}

function byCount(a: FacetValue, b: FacetValue): number {
  return b.count - a.count || byValue(a, b);
}
