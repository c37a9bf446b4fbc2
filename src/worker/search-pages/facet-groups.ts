import type { Facets } from "../../search/engine.ts";
import type { FacetRow } from "../search/facet-rows.ts";

/** Values of a field by which a page offers to narrow a search. */
export const SHOWN_FACET_VALUES = 12;

/** Longest value that is offered, in UTF-16 units: it stands in an address. */
export const FACET_VALUE_MAX = 500;

/** A field whose values narrow a search. */
export interface FacetKind {
  readonly field: string;
  /** The parameter that takes a value of it. */
  readonly parameter: string;
  readonly title: string;
  /** A condition on single editions: of several such conditions one edition has to meet all. */
  readonly ofEditions: boolean;
  /** Of several values one is enough. */
  readonly oneIsEnough: boolean;
}

function kind(field: string, title: string, more: Partial<FacetKind> = {}): FacetKind {
  return { field, parameter: field, title, ofEditions: false, oneIsEnough: false, ...more };
}

/** The fields that are offered, in their order on the page. */
export const FACET_KINDS: readonly FacetKind[] = [
  kind("author_facet", "Authors", { parameter: "author_key" }),
  kind("language", "Languages", { ofEditions: true, oneIsEnough: true }),
  kind("first_publish_year", "First published"),
  kind("subject_facet", "Subjects"),
  kind("person_facet", "People"),
  kind("place_facet", "Places"),
  kind("time_facet", "Times"),
  kind("publisher_facet", "Publishers", { ofEditions: true }),
];

/** Values of one field with how many works have them. */
export interface FacetGroup {
  readonly kind: FacetKind;
  readonly rows: readonly FacetRow[];
  /** False: a value chosen would find fewer works than have it, so the numbers are not to be shown. */
  readonly isCounted: boolean;
}

/** What groups are made of. */
export interface FacetGroupsInput {
  readonly facets: Facets;
  /** Conditions on single editions are there already. */
  readonly hasEditionClauses: boolean;
  /** Names of languages by code. */
  readonly languages: ReadonlyMap<string, string>;
  /** Values that are chosen, by parameter. */
  chosen(parameter: string): readonly string[];
}

/** The values that a page offers (Q443): not those that are chosen, and no language beside a chosen one. */
export function facetGroups({
  facets,
  hasEditionClauses,
  languages,
  chosen,
}: FacetGroupsInput): FacetGroup[] {
  return FACET_KINDS.flatMap((one) => {
    const taken = chosen(one.parameter);
    if (one.oneIsEnough && taken.length > 0) return [];
    const rows = (facets.fields[one.field] ?? [])
      .map((counted) => facetRow(one.field, counted, languages))
      .filter(({ value }) => value.length <= FACET_VALUE_MAX && !taken.includes(value))
      .slice(0, SHOWN_FACET_VALUES);
    return rows.length === 0 ? [] : [{ kind: one, rows, isCounted: !(one.ofEditions && hasEditionClauses) }];
  });
}

/** A counted value with what it is called. */
function facetRow(
  field: string,
  { value, count }: { readonly value: string; readonly count: number },
  languages: ReadonlyMap<string, string>,
): FacetRow {
  if (field === "language") return { value, label: languages.get(value) ?? value, count };
  const blank = field === "author_facet" ? value.indexOf(" ") : -1;
  return blank === -1
    ? { value, label: value, count }
    : { value: value.slice(0, blank), label: value.slice(blank + 1), count };
}
