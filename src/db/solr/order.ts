import type { Mark, Sort } from "../../search/engine.ts";
import { FIELDS } from "../../search/fields.ts";
import { NO_DOCUMENT, quoteText, randomFunctionsOf } from "../../search/lucene/lucene-query.ts";
import type { OrderTerm } from "../../search/engine/order-terms.ts";
import { hashParametersOf } from "../../search/engine/random-order.ts";
import type { SolrFields } from "./reader.ts";

export const POPULAR: readonly OrderTerm[] = [
  { value: "n_boost", descending: true },
  { value: "no", descending: false },
];

export function sortText(terms: readonly OrderTerm[]): string {
  return terms.map(({ value, descending }) => `${value} ${descending ? "desc" : "asc"}`).join(", ");
}

/** Returns the sort keys of works for a field; none for fields that cannot be sorted by. */
export function workTerms({ field, descending, seed = "" }: Sort): OrderTerm[] {
  if (field === "score") return [{ value: "n_boost", descending }];
  if (field === "random") return randomTerms(seed, descending);
  if (field === "key") return [{ value: "id", descending }];
  const row = FIELDS.get(field);
  const value = row?.holds === "text" || field === "title_sort" ? `s_${field}` : `n_${field}`;
  switch (row?.sorted) {
    case "zero":
      return [{ value: `def(${value},0)`, descending }];
    case "last":
      return [{ value, descending, isOptional: true }];
    case "all":
      return [{ value, descending }];
    default:
      return [];
  }
}

export function randomTerms(seed: string, descending: boolean): OrderTerm[] {
  const { factor, summand } = hashParametersOf(seed);
  return randomFunctionsOf(factor, summand).map((value) => ({ value, descending }));
}

/** Returns the query for documents after a mark in an order. The last term must be unique per document. */
export function afterQuery(terms: readonly OrderTerm[], mark: Mark): string {
  const [term, ...more] = terms;
  if (term === undefined) return NO_DOCUMENT;
  const [value = null, ...others] = mark;
  const rest = (): string => (more.length === 0 ? NO_DOCUMENT : afterQuery(more, others));
  const isAbsent = `(*:* -${term.value}:[* TO *])`;
  if (value === null) return `(+${isAbsent} +${rest()})`;
  const beyond = rangeQuery(term.value, term.descending ? { to: value } : { from: value });
  const same =
    more.length === 0 ? [] : [`(+${rangeQuery(term.value, { from: value, to: value })} +${rest()})`];
  return `(${[beyond, ...(term.isOptional ? [isAbsent] : []), ...same].join(" ")})`;
}

type Value = string | number;

/** Returns the query for a value of a field or function if both ends are given, or for the values beyond one end. */
function rangeQuery(value: string, { from, to }: { from?: Value; to?: Value }): string {
  const isSame = from !== undefined && to !== undefined;
  if (isFunction(value)) {
    const bounds = [
      ...(from === undefined ? [] : [`l=${from}`, `incl=${isSame}`]),
      ...(to === undefined ? [] : [`u=${to}`, `incu=${isSame}`]),
    ];
    return `{!frange ${bounds.join(" ")} v="${value}"}`;
  }
  return `${value}:${isSame ? "[" : "{"}${endText(from)} TO ${endText(to)}${isSame ? "]" : "}"}`;
}

function endText(end: Value | undefined): string {
  if (end === undefined) return "*";
  return typeof end === "number" ? String(end) : quoteText(end);
}

function isFunction(value: string): boolean {
  return value.includes("(");
}

/** Returns the fields to read of documents for a mark: functions get names. */
export function markFields(terms: readonly OrderTerm[]): string[] {
  return terms.map(({ value }, at) => (isFunction(value) ? `o${at}:${value}` : value));
}

/** Returns the mark of a document that was read with `markFields`. */
export function markOf(doc: SolrFields, terms: readonly OrderTerm[]): Mark {
  return terms.map(({ value: name }, at) => {
    const value = doc[isFunction(name) ? `o${at}` : name];
    return typeof value === "string" || typeof value === "number" ? value : null;
  });
}
