import type { EbookAccess } from "../../catalog/ebook-access.ts";
import { SUBJECT_TYPES } from "../documents/subject-key.ts";
import { type ParseOptions, type Query, NONE, anyOf, between, equals, not } from "./query.ts";
import type { WorkParameters } from "./work-parameters.ts";
import { rulesOf } from "./normalize.ts";

/** Options of a search: the client's, and those of the catalog. */
interface FilterOptions extends ParseOptions {
  /**
   * True for patrons with a print disability (cookie `pd`), who may read more: full text starts at `printdisabled` for
   * them.
   */
  readonly printDisabled: boolean;
}

const INTEGER = /^[+-]?\d+$/;
const FACETS_OF_WORKS = SUBJECT_TYPES.map((type) => `${type}_facet` as const);

/** Returns the filters of a search. All must hold; only of several languages one is enough. */
export function filtersOf(parameters: WorkParameters, options: FilterOptions) {
  // One edition must meet these together with the edition clauses, in edition fields.
  const editionFilters = [
    ...accessFiltersOf(parameters, options.printDisabled),
    ...languageFilters(parameters.language ?? []),
    ...exactFilters("publisher_facet", parameters.publisher_facet),
    ...exactFilters("public_scan_b", parameters.public_scan_b),
  ];
  const filters = [
    ...editionFilters,
    ...authorFiltersOf(parameters, options.prefix),
    ...FACETS_OF_WORKS.flatMap((name) => exactFilters(name, parameters[name])),
    ...(parameters.first_publish_year ?? []).map((value) =>
      INTEGER.test(value.trim()) ? equals("first_publish_year", String(Number(value))) : NONE,
    ),
  ];
  return { filters, editionFilters };
}

function accessFiltersOf(parameters: WorkParameters, isPrintDisabled: boolean): Query[] {
  const least: EbookAccess = isPrintDisabled ? "printdisabled" : "borrowable";
  return [
    ...flagFilters(parameters.has_fulltext, between("ebook_access", least, null)),
    ...flagFilters(parameters.public_scan, equals("ebook_access", "public")),
    ...flagFilters(parameters.print_disabled, equals("ebook_access", "printdisabled")),
  ];
}

/**
 * Returns the condition for `true`, its negation for `false` (Q54: no work is on both sides), none for other values.
 */
function flagFilters(value: string | undefined, condition: Query): Query[] {
  if (value === "true") return [condition];
  return value === "false" ? [not(condition)] : [];
}

function languageFilters(codes: readonly string[]): Query[] {
  return codes.length === 0 ? [] : [anyOf([...new Set(codes)].map((code) => equals("language", code)))];
}

/** Returns filters for `author_key` and its other name `author_facet`. */
function authorFiltersOf({ author_key = [], author_facet = [] }: WorkParameters, prefix: string): Query[] {
  const rules = rulesOf("author_key", prefix);
  return exactFilters(
    "author_key",
    [...author_key, ...author_facet].map((key) => rules?.value(key) ?? key),
  );
}

function exactFilters(field: string, values: readonly string[] = []): Query[] {
  return [...new Set(values)].map((value) => equals(field, value));
}
