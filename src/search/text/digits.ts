const DECIMAL = /^\p{Decimal_Number}$/u;
const BASE = 10;

/** The ASCII digit for a decimal digit of any script. They stand in runs of ten, from zero to nine. */
export function foldDigits(digit: string): string {
  const code = digit.codePointAt(0) ?? 0;
  let first = code;
  while (DECIMAL.test(String.fromCodePoint(first - 1))) first -= 1;
  return String((code - first) % BASE);
}
