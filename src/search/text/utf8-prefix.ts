const ENCODER = new TextEncoder();
/** A UTF-16 unit makes three bytes at most. */
const WIDEST_UNIT = 3;

/** The longest beginning of a text that is at most `bytes` bytes of UTF-8 and ends between two characters. */
export function utf8Prefix(text: string, bytes: number): string {
  if (text.length * WIDEST_UNIT <= bytes) return text;
  const { read } = ENCODER.encodeInto(text, new Uint8Array(bytes));
  return text.slice(0, read);
}
