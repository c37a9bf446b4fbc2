import * as z from "zod";
import { type Query, between } from "../../search/query/query.ts";

/** A year as a form sends it; anything else is passed over. */
function year(description: string) {
  return z.coerce.number().int().min(-9999).max(9999).optional().catch(undefined).describe(description);
}

/** Years of first publication by which people narrow a search. */
export const yearParameters = {
  from: year("For people: first published in this year or later"),
  to: year("For people: first published in this year or earlier"),
};

/** What they mean; the ends count. */
export interface YearRange {
  readonly from?: number | undefined;
  readonly to?: number | undefined;
}

/** The condition that works were first published in these years; none without a year. */
export function yearFilters({ from, to }: YearRange): Query[] {
  if (from === undefined && to === undefined) return [];
  return [between("first_publish_year", bound(from), bound(to))];
}

function bound(one: number | undefined): string | null {
  return one === undefined ? null : String(one);
}
