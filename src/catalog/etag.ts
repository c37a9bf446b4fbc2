/** A record's share in an entity tag. */
interface Revised {
  readonly key: string;
  readonly revision: number;
}

const PRIME = 0x01000193;
const OFFSET = 0x811c9dc5;

/**
 * An entity tag for an answer made of several records: changes when one of them changes, comes or goes, or
 * when `extra` (what else decides the answer) does. Two 32-bit FNV-1a hashes, base 36.
 */
export function revisionsEtag(records: Iterable<Revised>, extra = ""): string {
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
