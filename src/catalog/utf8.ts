const ASCII = /^\p{ASCII}*$/u;
const encoder = new TextEncoder();

/** Length of a text in UTF-8, in bytes. */
export function utf8Length(text: string): number {
  return ASCII.test(text) ? text.length : encoder.encode(text).byteLength;
}

/** The text of bytes, a mark of their order included; undefined when they are no UTF-8. */
export function utf8Text(bytes: Uint8Array): string | undefined {
  try {
    return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch (error) {
    if (error instanceof TypeError) return undefined;
    throw error;
  }
}

/** A header's text: clients send UTF-8, which runtimes hand over as one character a byte. */
export function headerText(text: string): string {
  const codes = Array.from(text, (character) => character.codePointAt(0) ?? 0);
  if (codes.every((code) => code < 0x80) || codes.some((code) => code > 0xff)) return text;
  return utf8Text(Uint8Array.from(codes)) ?? text;
}
