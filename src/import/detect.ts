/** Formats told apart by how a body begins and ends; the root of XML tells the rest (import.md 2.2). */
export type BodyKind = "xml" | "json" | "marc" | "unknown";

/** Where a declaration of XML has to stand to be seen. */
const DECLARATION_WITHIN = 10;
const DECLARATION = "<?xml";
/** The length that a MARC record begins with. */
const LENGTH_DIGITS = 5;

/** A body without the ASCII whitespace around it. */
export function stripped(bytes: Uint8Array): Uint8Array {
  let start = 0;
  let end = bytes.length;
  while (start < end && isSpace(bytes[start])) start += 1;
  while (end > start && isSpace(bytes[end - 1])) end -= 1;
  return bytes.subarray(start, end);
}

/** The kind of a stripped body. */
export function bodyKind(body: Uint8Array): BodyKind {
  const start = String.fromCharCode(...body.subarray(0, DECLARATION_WITHIN));
  if (start.includes(DECLARATION)) return "xml";
  if (start.startsWith("{") && body.at(-1) === 0x7d) return "json";
  return /^[0-9]{5}/.test(start) ? "marc" : "unknown";
}

/** The length that a MARC record says it has. */
export function statedLength(body: Uint8Array): number {
  return Number(String.fromCharCode(...body.subarray(0, LENGTH_DIGITS)));
}

/** Blank, tab, line feed, vertical tab, form feed, carriage return. The ends of MARC records are none of them. */
function isSpace(byte: number | undefined): boolean {
  return byte === 0x20 || (byte !== undefined && byte >= 0x09 && byte <= 0x0d);
}
