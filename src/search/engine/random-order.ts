/** Mask for hashes of 31 bits, so that the product of two of them is an exact integer. */
export const HASH_MASK = 0x7fff_ffff;

/** Returns the parameters for mixing hashes. An odd factor maps them one-to-one, so that no two rows collide. */
export function hashParametersOf(seed: string) {
  const hash = hashOf(seed);
  return { factor: (hash | 1) >>> 0, summand: hash };
}

/** Computes FNV-1a over UTF-16 units, cut to 31 bits. */
export function hashOf(text: string): number {
  let hash = 0x811c_9dc5;
  for (let at = 0; at < text.length; at += 1) {
    hash = Math.imul(hash ^ text.charCodeAt(at), 0x0100_0193);
  }
  return hash & HASH_MASK;
}
