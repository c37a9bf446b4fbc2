const SURROGATE = /[\ud800-\udfff]/;

/**
 * Values in the order of their UTF-8 bytes, without repeats: as values come that an index keeps for counting
 * (search.md 2.5). Undefined when there are none.
 */
export function sortedDistinct(values: readonly string[]): string[] | undefined {
  if (values.length === 0) return undefined;
  const distinct = [...new Set(values)];
  return distinct.some((value) => SURROGATE.test(value)) ? distinct.sort(compareUtf8) : distinct.sort();
}

/** Compares by UTF-8 bytes: by code points, of which the order of UTF-16 units differs where one takes two. */
function compareUtf8(one: string, other: string): number {
  const length = Math.min(one.length, other.length);
  for (let index = 0; index < length; index += 1) {
    if (one.charCodeAt(index) !== other.charCodeAt(index)) return codeAt(one, index) - codeAt(other, index);
  }
  return one.length - other.length;
}

/** The code point that a unit belongs to: units before it are equal in both texts, so one may be its second half. */
function codeAt(text: string, index: number): number {
  const unit = text.charCodeAt(index);
  const isSecondHalf = unit >= 0xdc00 && unit <= 0xdfff && index > 0;
  return text.codePointAt(isSecondHalf ? index - 1 : index) ?? 0;
}
