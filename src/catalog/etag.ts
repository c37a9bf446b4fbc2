const PRIME = 0x01000193;
const OFFSET = 0x811c9dc5;

/**
 * Computes an entity tag for a response built from several records. It changes if one of them changes, is added or
 * removed, or if `extra` (anything else that affects the response) does. Two 32-bit FNV-1a hashes, base 36.
 */
export function computeRevisionsEtag(
  records: Iterable<{ readonly key: string; readonly revision: number }>,
  extra = "",
): string {
  let low = OFFSET;
  let high = OFFSET ^ PRIME;
  const add = (text: string): void => {
    for (let index = 0; index < text.length; index += 1) {
      const unit = text.charCodeAt(index);
      low = Math.imul(low ^ unit, PRIME);
      high = Math.imul(high ^ (unit + index), PRIME);
    }
  };
  for (const { key, revision } of records) add(`${key}@${revision} `);
  add(extra);
  return (low >>> 0).toString(36) + (high >>> 0).toString(36);
}
