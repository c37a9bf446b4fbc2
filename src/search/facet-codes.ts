/** Digits of the codes in texts of `work_facet`, as in migrations/search/0005_facets.sql, five bits each. */
const LAST_DIGIT = 48;
const OTHER_DIGIT = 93;
const DIGIT_BITS = 5;
const DIGIT_MASK = 2 ** DIGIT_BITS - 1;

/** Separators between the columns of a work, and between works. */
export const COLUMN_END = " ";
export const WORK_END = "!";
const COLUMN_END_UNIT = COLUMN_END.charCodeAt(0);

/** Calls `visit` with each code of some works, with the position of its column and of its work in the text. */
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

/** Returns the form of a code in the texts. */
export function packedCode(code: number): string {
  let packed = String.fromCharCode(LAST_DIGIT + (code & DIGIT_MASK));
  for (let rest = code >> DIGIT_BITS; rest > 0; rest >>= DIGIT_BITS) {
    packed = String.fromCharCode(OTHER_DIGIT + (rest & DIGIT_MASK)) + packed;
  }
  return packed;
}

export interface CountedCode {
  readonly code: number;
  readonly count: number;
}

/** Most frequent codes: certain ones, those with the count of the last, and the number of these needed. */
export interface MostFrequent {
  readonly sure: readonly CountedCode[];
  readonly equal: readonly CountedCode[];
  readonly missing: number;
}

/** Counter of codes over works. A code belongs to one column, and a work has it once. */
export class CodeCounts {
  #counts = new Uint32Array(1024);
  /** Codes by column, each once. */
  readonly #codes: number[][];

  constructor(columns: number) {
    this.#codes = Array.from({ length: columns }, () => []);
  }

  add(text: string): void {
    eachCode(text, (code, column) => {
      if (code >= this.#counts.length) this.#grow(2 * code);
      const count = this.#counts[code] ?? 0;
      if (count === 0) this.#codes[column]?.push(code);
      this.#counts[code] = count + 1;
    });
  }

  /** Returns the codes of a column that include the `needed` most frequent ones, for any order of equal counts. */
  mostFrequent(column: number, needed: number): MostFrequent {
    const codes = this.#codes[column] ?? [];
    const isAll = codes.length <= needed;
    const least = isAll ? 0 : this.#leastOf(codes, Math.max(1, needed));
    const sure: CountedCode[] = [];
    const equal: CountedCode[] = [];
    for (const code of codes) {
      const count = this.#counts[code] ?? 0;
      if (count >= least) (count > least ? sure : equal).push({ code, count });
    }
    return { sure, equal, missing: isAll ? 0 : needed - sure.length };
  }

  /** Returns the count of the last of the `needed` most frequent codes. */
  #leastOf(codes: readonly number[], needed: number): number {
    let greatest = 0;
    for (const code of codes) greatest = Math.max(greatest, this.#counts[code] ?? 0);
    const codesWith = new Uint32Array(greatest + 1);
    for (const code of codes) {
      const count = this.#counts[code] ?? 0;
      codesWith[count] = (codesWith[count] ?? 0) + 1;
    }
    let least = greatest;
    for (let count = codesWith[least] ?? 0; count < needed; count += codesWith[least] ?? 0) least -= 1;
    return least;
  }

  #grow(length: number): void {
    const counts = new Uint32Array(length);
    counts.set(this.#counts);
    this.#counts = counts;
  }
}
