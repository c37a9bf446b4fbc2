import { KIB } from "../catalog/units.ts";
import type { TextKey } from "../catalog/texts.ts";

/** Number of bytes at the start of a file that show its format. */
const HEAD_BYTES = 64 * KIB;

/** Formats that are not read, by the start of the file, with what to do instead. UTF-16 is read as XML only. */
const FOREIGN: readonly (readonly [start: RegExp, key: TextKey])[] = [
  [/^PK[^a-z]{2}/i, "not_imported.zip"],
  // Read as Windows-1252, as all bytes are.
  [/^[^ -~]\u2039/, "not_imported.gzip"],
  [/^\uFEFF(?!\s*<)/, "not_imported.utf16"],
  [/^=LDR\s/, "not_imported.marcedit"],
];

/** Decodes the start of a file: UTF-16 with its mark, or else one character per byte without the mark of UTF-8. */
export function decodeHead(bytes: Uint8Array): string {
  const mark = ((bytes[0] ?? 0) << 8) | (bytes[1] ?? 0);
  const encoding = mark === 0xff_fe ? "utf-16le" : mark === 0xfe_ff ? "utf-16be" : "windows-1252";
  const head = withoutMark(bytes).subarray(0, HEAD_BYTES);
  return new TextDecoder(encoding, { fatal: false, ignoreBOM: true }).decode(head);
}

/** Returns what to do with a file whose format is not read. Returns undefined for all others. */
export function findForeignFormat(head: string): TextKey | undefined {
  return FOREIGN.find(([start]) => start.test(head))?.[1];
}

/** Returns bytes without the byte order mark of UTF-8. */
export function withoutMark(bytes: Uint8Array): Uint8Array {
  return bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf ? bytes.subarray(3) : bytes;
}
