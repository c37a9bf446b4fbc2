/** The stored hashes have 31 bits, so that a product of two of them is an exact integer. */
const HASH_MASK = 0x7fff_ffff;

/**
 * SQL that orders rows by chance, always alike for a seed (search.md 13.3): their stored hashes of 31 bits, stirred
 * by one of the seed. `column` holds the hashes.
 */
export function randomOrder(column: string, seed: string): string {
  const hash = hashOf(seed);
  // An odd factor maps the hashes onto themselves, so that no two rows fall together.
  return `((${column} * ${(hash | 1) >>> 0} + ${hash}) & ${HASH_MASK})`;
}

/** FNV-1a over UTF-16 units, cut to 31 bits. */
function hashOf(text: string): number {
  let hash = 0x811c_9dc5;
  for (let at = 0; at < text.length; at += 1) {
    hash = Math.imul(hash ^ text.charCodeAt(at), 0x0100_0193);
  }
  return hash & HASH_MASK;
}
