import { HASH_MASK, hashParametersOf } from "../../search/engine/random-order.ts";
import type { Generation } from "../../search/engine.ts";

/** Maximum number of values bound directly to one statement, so that one more can carry the others. */
const DIRECT_VALUES_MAX = 90;

/** Bound values of a statement by their names in the SQL. Equal texts are bound once. */
export class SqlValues {
  readonly #direct: (string | number)[] = [];
  readonly #others: (string | number)[] = [];
  readonly #names = new Map<string, string>();

  /** Binds a text and returns its name in the SQL, such as `?3`. The number of texts is unlimited. */
  text(value: string): string {
    const known = this.#names.get(value);
    if (known !== undefined) return known;
    const name = this.#add(value);
    this.#names.set(value, name);
    return name;
  }

  /**
   * Binds a value of any kind. Whole numbers are written into the SQL, because D1 binds them as fractions; fractions
   * are bound.
   */
  value(value: string | number | null): string {
    if (typeof value === "string") return this.text(value);
    return value === null || Number.isSafeInteger(value) ? String(value ?? "NULL") : this.#add(value);
  }

  /** Binds a list and returns the statement that yields its elements. */
  list(values: readonly (string | number)[]): string {
    return `SELECT value FROM json_each(${this.text(JSON.stringify(values))})`;
  }

  get values(): (string | number | null)[] {
    if (this.#others.length === 0) return this.#direct;
    return [...this.#direct, JSON.stringify(this.#others)];
  }

  #add(value: string | number): string {
    if (this.#direct.length < DIRECT_VALUES_MAX) return `?${this.#direct.push(value)}`;
    return `(?${DIRECT_VALUES_MAX + 1} ->> ${this.#others.push(value) - 1})`;
  }
}

export interface SqlContext {
  readonly generation: Generation;
  readonly values: SqlValues;
}

/**
 * Returns SQL for a random order that is stable for a seed: the stored 31-bit hashes in `column`, mixed with a hash of
 * the seed.
 */
export function randomOrderSql(column: string, seed: string): string {
  const { factor, summand } = hashParametersOf(seed);
  return `((${column} * ${factor} + ${summand}) & ${HASH_MASK})`;
}

/** Joins conditions as a balanced tree, because SQLite limits the depth of an expression. */
export function joinSql(conditions: readonly string[], operator: "AND" | "OR"): string {
  if (conditions.length <= 1) return conditions[0] ?? "1";
  const half = Math.ceil(conditions.length / 2);
  const [left, right] = [conditions.slice(0, half), conditions.slice(half)];
  return `(${joinSql(left, operator)} ${operator} ${joinSql(right, operator)})`;
}
