import type { OrderTerm } from "../../search/engine/order-terms.ts";
import type { Mark } from "../../search/engine.ts";

/** Returns SQL of an order. `columnOf` maps columns to their names in that place. */
export function orderSql(terms: readonly OrderTerm[], columnOf = (value: string): string => value): string {
  const keys = terms.map(
    ({ value, descending, isOptional }) =>
      `${columnOf(value)} ${descending ? "DESC" : "ASC"}${isOptional ? " NULLS LAST" : ""}`,
  );
  return keys.join(", ");
}

/**
 * Returns SQL of the rows after a mark in an order; `bind` turns a value of the mark into SQL. The last term must be
 * unique per row.
 */
export function afterSql(
  terms: readonly OrderTerm[],
  mark: Mark,
  bind: (value: Mark[number]) => string,
): string {
  const [term, ...more] = terms;
  if (term === undefined) return "0";
  const [value = null, ...others] = mark;
  const { value: sql, descending, isOptional } = term;
  const beyond = `${sql} ${descending ? "<" : ">"}`;
  if (isOptional && value === null) return `(${sql} IS NULL AND ${afterSql(more, others, bind)})`;
  const bound = bind(value);
  if (more.length === 0) return `${beyond} ${bound}`;
  const rest = `(${sql} = ${bound} AND ${afterSql(more, others, bind)})`;
  return isOptional
    ? `(${beyond} ${bound} OR ${sql} IS NULL OR ${rest})`
    : `(${beyond}= ${bound} AND (${beyond} ${bound} OR ${rest}))`;
}
