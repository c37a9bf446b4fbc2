/** Values that D1 binds to one statement, less the one that carries the others. */
const DIRECT_VALUES_MAX = 90;

/** Values of a statement under the names that the SQL has for them. Equal texts are bound once. */
export class SqlValues {
  readonly #direct: string[] = [];
  readonly #others: string[] = [];
  readonly #names = new Map<string, string>();

  /** Binds a text; returns its name in the SQL, such as `?3`. However many there may be. */
  text(value: string): string {
    const known = this.#names.get(value);
    if (known !== undefined) return known;
    const name = this.#add(value);
    this.#names.set(value, name);
    return name;
  }

  /** Binds a list; returns the statement that yields its elements. */
  list(values: readonly (string | number)[]): string {
    return `SELECT value FROM json_each(${this.text(JSON.stringify(values))})`;
  }

  /** What to bind, in order. */
  get values(): (string | null)[] {
    if (this.#others.length === 0) return this.#direct;
    return [...this.#direct, JSON.stringify(this.#others)];
  }

  #add(value: string): string {
    if (this.#direct.length < DIRECT_VALUES_MAX) return `?${this.#direct.push(value)}`;
    return `(?${DIRECT_VALUES_MAX + 1} ->> ${this.#others.push(value) - 1})`;
  }
}
