import { EACC } from "./eacc-table.ts";

const DIGITS = "!#%&()*+,-./0123456789:;<=>?@ABCDEFGHIJKLMNOPQRSTUVWXYZ[]^_abcdefghijklmnopqrstuvwxyz{|}";
/** Boundary of the digits: those of the first half end a number, those of the second are followed by more. */
const HALF = DIGITS.length / 2;
// The bytes of a code are 0x10 to 0x7F.
const FIRST = 0x10;
const BASE = 0x70;

export interface EaccTable {
  /** Returns the UTF-16 code unit for a three-byte code, 0 if there is none. */
  character(first: number, second: number, third: number): number;
}

/** Unpacks the table. Takes a few milliseconds. */
export function unpackEaccTable(): EaccTable {
  const rows = new Map<number, Uint16Array>();
  const numbers = unpackNumbers();
  let [place, last] = [0, 0];
  for (let at = 0; at + 1 < numbers.length;) {
    place += numbers[at] ?? 0;
    const end = at + 2 + (numbers[at + 1] ?? 0);
    for (at += 2; at < end; at += 1) {
      const distance = numbers[at] ?? 0;
      last += distance % 2 === 0 ? distance / 2 : -(distance + 1) / 2;
      rowOf(rows, Math.floor(place / BASE))[place % BASE] = last;
      place += 1;
    }
  }
  return {
    character(first, second, third) {
      const [high, middle, low] = [first - FIRST, second - FIRST, third - FIRST];
      if (middle < 0 || middle >= BASE) return 0;
      return rows.get(high * BASE + middle)?.[low] ?? 0;
    },
  };
}

function rowOf(rows: Map<number, Uint16Array>, key: number): Uint16Array {
  const row = rows.get(key) ?? new Uint16Array(BASE);
  rows.set(key, row);
  return row;
}

function unpackNumbers(): number[] {
  const numbers: number[] = [];
  let before = 0;
  for (const digit of EACC) {
    const value = DIGITS.indexOf(digit);
    if (value >= HALF) before = before * HALF + value - HALF + 1;
    else if (value >= 0) {
      numbers.push(before * HALF + value);
      before = 0;
    }
  }
  return numbers;
}
