const ASCII = /^\p{ASCII}*$/u;
const encoder = new TextEncoder();

/** Length of a text in UTF-8, in bytes. */
export function utf8Length(text: string): number {
  return ASCII.test(text) ? text.length : encoder.encode(text).byteLength;
}
