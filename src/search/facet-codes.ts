/** Codes of values in texts of `work_facet`: the digits of migrations/search/0005_facets.sql, five bits each. */
const LAST_DIGIT = 48;
const OTHER_DIGIT = 93;
const DIGIT_BITS = 5;
const DIGIT_MASK = 2 ** DIGIT_BITS - 1;

/** What stands between the columns of a work, and between works. */
export const COLUMN_END = " ";
export const WORK_END = "!";
const COLUMN_END_UNIT = COLUMN_END.charCodeAt(0);

/** Goes through the codes of some works: each with the place of its column, and of its work in the text. */
export function eachCode(text: string, visit: (code: number, column: number, work: number) => void): void {
  let code = 0;
  let column = 0;
  let work = 0;
  for (let at = 0; at < text.length; at += 1) {
    const unit = text.charCodeAt(at);
    if (unit >= OTHER_DIGIT) code = (code << DIGIT_BITS) | (unit - OTHER_DIGIT);
    else if (unit >= LAST_DIGIT) {
      visit((code << DIGIT_BITS) | (unit - LAST_DIGIT), column, work);
      code = 0;
    } else if (unit === COLUMN_END_UNIT) column += 1;
    else {
      column = 0;
      work += 1;
    }
  }
}

/** A code as it stands in the texts. */
export function packedCode(code: number): string {
  let packed = String.fromCharCode(LAST_DIGIT + (code & DIGIT_MASK));
  for (let rest = code >> DIGIT_BITS; rest > 0; rest >>= DIGIT_BITS) {
    packed = String.fromCharCode(OTHER_DIGIT + (rest & DIGIT_MASK)) + packed;
  }
  return packed;
}

/** A code with the number of works that have it. */
export interface CountedCode {
  readonly code: number;
  readonly count: number;
}

/** Counts codes over works. A code is of one column, and a work has it once. */
export class CodeCounts {
  #counts = new Uint32Array(1024);
  #columns = new Uint8Array(1024);

  /** Adds the works of a text. */
  add(text: string): void {
    eachCode(text, (code, column) => {
      if (code >= this.#counts.length) this.#grow(2 * code);
      this.#counts[code] = (this.#counts[code] ?? 0) + 1;
      this.#columns[code] = column;
    });
  }

  /** Codes by the place of their column, of so many. */
  byColumn(columns: number): CountedCode[][] {
    const lists: CountedCode[][] = Array.from({ length: columns }, () => []);
    for (let code = 0; code < this.#counts.length; code += 1) {
      const count = this.#counts[code] ?? 0;
      if (count > 0) lists[this.#columns[code] ?? 0]?.push({ code, count });
    }
    return lists;
  }

  #grow(length: number): void {
    const [counts, columns] = [new Uint32Array(length), new Uint8Array(length)];
    counts.set(this.#counts);
    columns.set(this.#columns);
    this.#counts = counts;
    this.#columns = columns;
  }
}

/**
 * The codes among which are the `needed` most frequent ones, whatever decides between equals: those that are surely
 * wanted, those that are equal to the last one, and how many of these are wanted.
 */
export function mostFrequentCodes(
  codes: readonly CountedCode[],
  needed: number,
): {
  readonly sure: readonly CountedCode[];
  readonly equal: readonly CountedCode[];
  readonly missing: number;
} {
  if (codes.length <= needed) return { sure: codes, equal: [], missing: 0 };
  const least =
    Uint32Array.from(codes, ({ count }) => count)
      .sort()
      .at(-Math.max(1, needed)) ?? 0;
  const sure = codes.filter(({ count }) => count > least);
  const equal = codes.filter(({ count }) => count === least);
  return { sure, equal, missing: needed - sure.length };
}
