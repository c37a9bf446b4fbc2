import { MIB } from "./units.ts";
import type { Json } from "./record.ts";

/** Joins byte arrays, up to `length` bytes. */
export function joinBytes(
  parts: readonly Uint8Array[],
  length = parts.reduce((sum, part) => sum + part.length, 0),
): Uint8Array<ArrayBuffer> {
  const bytes = new Uint8Array(length);
  let position = 0;
  for (const part of parts) {
    bytes.set(part.subarray(0, length - position), position);
    position += part.length;
  }
  return bytes;
}

/** Returns a function that removes characters of an ASCII set from both ends, in linear time. */
export function trimmerOf(characters: string): (text: string) => string {
  const unwanted = new Uint8Array(128);
  for (const character of characters) unwanted[character.charCodeAt(0)] = 1;
  return (text) => {
    let start = 0;
    let end = text.length;
    while (start < end && unwanted[text.charCodeAt(start)] === 1) start += 1;
    while (end > start && unwanted[text.charCodeAt(end - 1)] === 1) end -= 1;
    return start === 0 && end === text.length ? text : text.slice(start, end);
  };
}

const ASCII = /^\p{ASCII}*$/u;
const encoder = new TextEncoder();

export function utf8Length(text: string): number {
  return ASCII.test(text) ? text.length : encoder.encode(text).byteLength;
}

const ESCAPED_SURROGATE = /\\u[dD][89a-fA-F]/;
const HIGH = String.raw`u[dD][89abAB][\da-fA-F]{2}`;
const LOW = String.raw`u[dD][c-fC-F][\da-fA-F]{2}`;
const ESCAPES = new RegExp(String.raw`\\(?:\\|${HIGH}\\${LOW}|${HIGH}|${LOW})`, "g");

/** Returns true if JSON text may have half a surrogate pair, which it can only write as an escape. */
export function mayHaveHalfSurrogates(json: string): boolean {
  return ESCAPED_SURROGATE.test(json);
}

/** Replaces escaped halves of surrogate pairs in JSON text: many parsers refuse them. */
export function toWellFormedJson(json: string): string {
  if (!mayHaveHalfSurrogates(json)) return json;
  return json.replace(ESCAPES, (escape) => (escape.length === "\\udddd".length ? "\\ufffd" : escape));
}

/** Decodes UTF-8 and keeps a byte order mark. Returns undefined for invalid bytes. */
export function decodeUtf8(bytes: Uint8Array): string | undefined {
  try {
    return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch (error) {
    if (error instanceof TypeError) return undefined;
    throw error;
  }
}

const REPLACEMENTS = /\uFFFD/g;
const BEYOND_ASCII = /[^\p{ASCII}\uFFFD]/gu;

/**
 * Decodes text that is not UTF-8 as a whole, with U+FFFD for bytes that are not. Returns undefined if less than half of it
 * beyond ASCII is UTF-8, unless only its last character is cut off.
 */
export function repairUtf8(bytes: Uint8Array): string | undefined {
  const text = new TextDecoder("utf-8", { fatal: false, ignoreBOM: true }).decode(bytes);
  const broken = text.match(REPLACEMENTS)?.length ?? 0;
  const [first = 0, second = 0] = bytes.subarray(-2);
  const isCut = broken === 1 && text.endsWith("\uFFFD") && first >= 0xe0 && second < 0xc0;
  return isCut || (text.match(BEYOND_ASCII)?.length ?? 0) >= broken ? text : undefined;
}

/** Decodes the text of a header: clients send UTF-8, which runtimes pass on as one character per byte. */
export function decodeHeaderText(text: string): string {
  const codes = Array.from(text, (character) => character.codePointAt(0) ?? 0);
  if (codes.every((code) => code < 0x80) || codes.some((code) => code > 0xff)) return text;
  return decodeUtf8(Uint8Array.from(codes)) ?? text;
}

/** Error thrown if a response would exceed the size limit. Requests for fewer records succeed (413). */
export class ResponseTooLarge extends Error {
  constructor(message = "The answer would be too large.") {
    super(message);
  }
}

/** Takes items while they have `most` bytes together, but at least one. Does not read those after the first that is too many. */
export async function takeFitting<Item>(
  items: AsyncIterable<Item> | Iterable<Item>,
  bytesOf: (item: Item) => number,
  most: number,
): Promise<{ readonly taken: Item[]; readonly isWhole: boolean }> {
  const taken: Item[] = [];
  let bytes = 0;
  for await (const item of items) {
    bytes += bytesOf(item);
    if (bytes > most && taken.length > 0) return { taken, isWhole: false };
    taken.push(item);
  }
  return { taken, isWhole: true };
}

export class ByteBudget {
  private left: number;
  private readonly lengths = new WeakMap<object, number>();

  constructor(bytes: number) {
    this.left = bytes;
  }

  /** Spends bytes. Throws `ResponseTooLarge` if fewer are left. */
  spend(bytes: number): void {
    this.left -= bytes;
    if (this.left < 0) throw new ResponseTooLarge();
  }

  /** Spends the approximate length of a value as JSON: each UTF-16 unit counts as a byte. */
  spendJson(value: Json): void {
    this.spend(this.lengthOf(value));
  }

  /** Returns the length of a value. A value that occurs many times is measured once. */
  private lengthOf(value: Json): number {
    if (typeof value === "string") return value.length + 2;
    if (typeof value !== "object" || value === null) return String(value).length;
    const known = this.lengths.get(value);
    if (known !== undefined) return known;
    let length = 2;
    for (const [name, member] of Object.entries(value)) {
      length += 1 + (Array.isArray(value) ? 0 : name.length + 3) + this.lengthOf(member ?? null);
    }
    this.lengths.set(value, length);
    return length;
  }
}

/** Maximum bytes of documents per statement: they are all in memory at once, several times over. */
export const READ_DOCUMENT_BYTES = 8 * MIB;
