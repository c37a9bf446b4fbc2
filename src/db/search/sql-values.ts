import type { Generation } from "./generation.ts";

/** Values that D1 binds to one statement, less the one that carries the others. */
const DIRECT_VALUES_MAX = 90;

/** Values of a statement under the names that the SQL has for them. Equal texts are bound once. */
export class SqlValues {
  readonly #direct: (string | number)[] = [];
  readonly #others: (string | number)[] = [];
  readonly #names = new Map<string, string>();

  /** Binds a text; returns its name in the SQL, such as `?3`. However many there may be. */
  text(value: string): string {
    const known = this.#names.get(value);
    if (known !== undefined) return known;
    const name = this.#add(value);
    this.#names.set(value, name);
    return name;
  }

  /** A value of any kind. Whole numbers stand in the SQL, as D1 binds them as fractions; these are bound as they are. */
  value(value: string | number | null): string {
    if (typeof value === "string") return this.text(value);
    return value === null || Number.isSafeInteger(value) ? String(value ?? "NULL") : this.#add(value);
  }

  /** Binds a list; returns the statement that yields its elements. */
  list(values: readonly (string | number)[]): string {
    return `SELECT value FROM json_each(${this.text(JSON.stringify(values))})`;
  }

  /** What to bind, in order. */
  get values(): (string | number | null)[] {
    if (this.#others.length === 0) return this.#direct;
    return [...this.#direct, JSON.stringify(this.#others)];
  }

  #add(value: string | number): string {
    if (this.#direct.length < DIRECT_VALUES_MAX) return `?${this.#direct.push(value)}`;
    return `(?${DIRECT_VALUES_MAX + 1} ->> ${this.#others.push(value) - 1})`;
  }
}

/** What SQL over the index is made with. */
export interface SqlContext {
  readonly generation: Generation;
  readonly values: SqlValues;
}

/** The stored hashes have 31 bits, so that a product of two of them is an exact integer. */
const HASH_MASK = 0x7fff_ffff;

/**
 * SQL that orders rows by chance, always alike for a seed: their stored hashes of 31 bits, stirred
 * by one of the seed. `column` holds the hashes.
 */
export function randomOrder(column: string, seed: string): string {
  const { factor, summand } = stirring(seed);
  return `((${column} * ${factor} + ${summand}) & ${HASH_MASK})`;
}

/** How hashes are stirred. An odd factor maps them onto themselves, so that no two rows fall together. */
export function stirring(seed: string) {
  const hash = hashOf(seed);
  return { factor: (hash | 1) >>> 0, summand: hash };
}

/** FNV-1a over UTF-16 units, cut to 31 bits. */
export function hashOf(text: string): number {
  let hash = 0x811c_9dc5;
  for (let at = 0; at < text.length; at += 1) {
    hash = Math.imul(hash ^ text.charCodeAt(at), 0x0100_0193);
  }
  return hash & HASH_MASK;
}

/** Joins conditions as a balanced tree: SQLite limits the depth of an expression. */
export function joinedSql(conditions: readonly string[], operator: "AND" | "OR"): string {
  if (conditions.length <= 1) return conditions[0] ?? "1";
  const half = Math.ceil(conditions.length / 2);
  const [left, right] = [conditions.slice(0, half), conditions.slice(half)];
  return `(${joinedSql(left, operator)} ${operator} ${joinedSql(right, operator)})`;
}
