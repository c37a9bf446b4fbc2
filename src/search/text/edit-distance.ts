/**
 * How many letters must be added, dropped, replaced or swapped with their neighbour to make one word of the
 * other. `max` + 1 as soon as it is clear that it takes more than `max`.
 */
export function editDistance(one: string, other: string, max: number): number {
  const tooMany = max + 1;
  if (Math.abs(one.length - other.length) > max) return tooMany;
  let beforeLast: number[] = [];
  let last = Array.from({ length: other.length + 1 }, (_, index) => index);
  for (let at = 1; at <= one.length; at += 1) {
    const row = nextRow({ one, other, at, last, beforeLast });
    if (Math.min(...row) > max) return tooMany;
    beforeLast = last;
    last = row;
  }
  return Math.min(last[other.length] ?? tooMany, tooMany);
}

interface Rows {
  readonly one: string;
  readonly other: string;
  /** Number of the row, from 1. */
  readonly at: number;
  readonly last: readonly number[];
  readonly beforeLast: readonly number[];
}

function nextRow(rows: Rows): number[] {
  const { one, other, at, last } = rows;
  const row = [at];
  for (let column = 1; column <= other.length; column += 1) {
    const replaced = one[at - 1] === other[column - 1] ? 0 : 1;
    const changed = valueAt(last, column - 1) + replaced;
    const best = Math.min(changed, valueAt(last, column) + 1, valueAt(row, column - 1) + 1);
    row.push(Math.min(best, swapped(rows, column)));
  }
  return row;
}

/** Distance when the last two letters are the other's, the other way round. */
function swapped({ one, other, at, beforeLast }: Rows, column: number): number {
  const isSwap =
    at > 1 && column > 1 && one[at - 1] === other[column - 2] && one[at - 2] === other[column - 1];
  return isSwap ? valueAt(beforeLast, column - 2) + 1 : Number.POSITIVE_INFINITY;
}

function valueAt(row: readonly number[], column: number): number {
  return row[column] ?? Number.POSITIVE_INFINITY;
}
