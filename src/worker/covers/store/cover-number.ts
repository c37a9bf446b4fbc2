const NUMBER = /^\s*0*([1-9]\d{0,14})\s*$/;

/** The number of a cover; undefined for text that is none. */
export function coverNumber(text: string): number | undefined {
  const [, digits] = NUMBER.exec(text) ?? [];
  return digits === undefined ? undefined : Number(digits);
}
