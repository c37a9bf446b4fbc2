import type { Mark, Sort } from "../../search/engine.ts";
import { FIELDS } from "../../search/fields.ts";
import { NO_DOCUMENT, quoted, randomFunctions } from "../../search/lucene/lucene-query.ts";
import { stirring } from "../search/sql-values.ts";

/** One key of an order: a field, or a function. */
export interface OrderTerm {
  readonly value: string;
  readonly descending: boolean;
  /** Documents without a value come last, both ways. */
  readonly isOptional?: boolean;
}

/** The most popular first; equally popular ones by number. */
export const POPULAR: readonly OrderTerm[] = [
  { value: "n_boost", descending: true },
  { value: "no", descending: false },
];

/** The order as Solr has it. */
export function sortText(terms: readonly OrderTerm[]): string {
  return terms.map(({ value, descending }) => `${value} ${descending ? "desc" : "asc"}`).join(", ");
}

/** The keys of an order of works; none for fields that they are not sorted by. */
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

/** The keys of an order by chance. */
export function randomTerms(seed: string, descending: boolean): OrderTerm[] {
  const { factor, summand } = stirring(seed);
  return randomFunctions(factor, summand).map((value) => ({ value, descending }));
}

/** Documents that follow a mark in an order. The last term tells all of them apart. */
export function afterQuery(terms: readonly OrderTerm[], mark: Mark): string {
  const [term, ...more] = terms;
  if (term === undefined) return NO_DOCUMENT;
  const [value = null, ...others] = mark;
  const rest = (): string => (more.length === 0 ? NO_DOCUMENT : afterQuery(more, others));
  if (value === null) return `(+${absent(term)} +${rest()})`;
  const beyond = rangeQuery(term, term.descending ? { to: value } : { from: value });
  const same = more.length === 0 ? [] : [`(+${rangeQuery(term, { from: value, to: value })} +${rest()})`];
  return `(${[beyond, ...(term.isOptional ? [absent(term)] : []), ...same].join(" ")})`;
}

function absent({ value }: OrderTerm): string {
  return `(*:* -${value}:[* TO *])`;
}

type Value = string | number;

/** Both ends given: exactly that value; one: beyond it. */
function rangeQuery(
  { value }: OrderTerm,
  { from, to }: { readonly from?: Value; readonly to?: Value },
): string {
  const isSame = from !== undefined && to !== undefined;
  if (value.includes("(")) {
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
  return typeof end === "number" ? String(end) : quoted(end);
}
