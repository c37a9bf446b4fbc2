/**
 * Numbers of bits of the parts of a hash, lowest first: Solr computes with 24 bits, and products of two parts have at
 * most 22.
 */
const PARTS = [11, 11, 9] as const;

/** Returns a hash of 31 bits as fields of its parts, lowest first. */
export function randomFieldsOf(hash: number): Readonly<Record<string, number>> {
  return Object.fromEntries(partsOf(hash).map((part, at) => [`n_random_${at}`, part]));
}

/**
 * Returns Solr functions whose values sort documents by `(hash * factor + summand) modulo 2 ** 31`, the most
 * significant first: long multiplication, part by part.
 */
export function randomFunctions(factor: number, summand: number): string[] {
  const factors = partsOf(factor);
  const summands = partsOf(summand);
  let carry = "0";
  const digits = PARTS.map((bits, at) => {
    const products = factors.slice(0, at + 1).map((digit, place) => `product(n_random_${at - place},${digit})`);
    const sum = `sum(${[...products, summands[at] ?? 0, carry].join(",")})`;
    carry = `floor(div(${sum},${2 ** bits}))`;
    return `mod(${sum},${2 ** bits})`;
  });
  return digits.toReversed();
}

function partsOf(number: number): number[] {
  let rest = number;
  return PARTS.map((bits) => {
    const part = rest % 2 ** bits;
    rest = Math.floor(rest / 2 ** bits);
    return part;
  });
}
