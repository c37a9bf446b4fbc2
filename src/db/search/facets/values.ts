import { FACET_SOURCES } from "../../../search/facets/fields.ts";
import { pickValues, valuesNeeded } from "../../../search/facets/pick.ts";
import type { FacetRequest, FacetValue } from "../../../search/engine.ts";
import type { ColumnRow, ValueRow, Wanted } from "./statements.ts";

/** Counted values by field. */
export type Counted = ReadonlyMap<string, readonly FacetValue[]>;

/** How many values of each list field are wanted. */
export function wantedMembers(requests: readonly FacetRequest[]): Wanted {
  return new Map(
    requests.flatMap((request): [string, number][] =>
      FACET_SOURCES.get(request.field)?.kind === "member" ? [[request.field, valuesNeeded(request)]] : [],
    ),
  );
}

/** True when some of the fields are columns. */
export function wantsColumns(requests: readonly FacetRequest[]): boolean {
  return requests.some(({ field }) => {
    const kind = FACET_SOURCES.get(field)?.kind;
    return kind === "year" || kind === "level";
  });
}

/** Values of list fields as `memberStatement` counted them. */
export function memberValues(rows: readonly ValueRow[]): Counted {
  const values = new Map<string, FacetValue[]>();
  for (const { field, value, n } of rows) {
    const known = values.get(field) ?? [];
    known.push({ value: String(value), count: n });
    values.set(field, known);
  }
  return values;
}

/** Values of fields that columns tell. */
export function columnValues(rows: readonly ColumnRow[]): Counted {
  return new Map(
    [...FACET_SOURCES].flatMap(([field, source]): [string, FacetValue[]][] => {
      if (source.kind === "member") return [];
      const valueOf = ({ year, access }: ColumnRow): string | undefined =>
        source.kind === "level" ? String(access >= source.level) : (year?.toString() ?? undefined);
      return [[field, sums(rows, valueOf)]];
    }),
  );
}

function sums(rows: readonly ColumnRow[], valueOf: (row: ColumnRow) => string | undefined): FacetValue[] {
  const counts = new Map<string, number>();
  for (const row of rows) {
    const value = valueOf(row);
    if (value !== undefined) counts.set(value, (counts.get(value) ?? 0) + row.n);
  }
  return [...counts].map(([value, count]) => ({ value, count }));
}

/** What every request asks for; fields that are none have no values. */
export function answers(
  requests: readonly FacetRequest[],
  ...counted: readonly Counted[]
): Record<string, FacetValue[]> {
  const all = new Map<string, readonly FacetValue[]>();
  for (const some of counted) for (const [field, values] of some) all.set(field, values);
  return Object.fromEntries(
    requests.map((request) => [request.field, pickValues(all.get(request.field) ?? [], request)]),
  );
}
