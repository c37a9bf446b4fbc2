const ASCII = /^\p{ASCII}*$/u;
const encoder = new TextEncoder();

/** Returns the length of a text in UTF-8, in bytes. */
export function utf8Length(text: string): number {
  return ASCII.test(text) ? text.length : encoder.encode(text).byteLength;
}

/** Decodes UTF-8 and keeps a byte order mark. Returns undefined for invalid bytes. */
export function utf8Text(bytes: Uint8Array): string | undefined {
  try {
    return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch (error) {
    if (error instanceof TypeError) return undefined;
    throw error;
  }
}

/** Decodes the text of a header: clients send UTF-8, which runtimes pass on as one character per byte. */
export function headerText(text: string): string {
  const codes = Array.from(text, (character) => character.codePointAt(0) ?? 0);
  if (codes.every((code) => code < 0x80) || codes.some((code) => code > 0xff)) return text;
  return utf8Text(Uint8Array.from(codes)) ?? text;
}
