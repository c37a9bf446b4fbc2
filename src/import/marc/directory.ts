import { OVERLAP_MAX } from "./limits.ts";
import { MarcError } from "./record.ts";

export const FIELD_END = 0x1e;
const ENTRY_SIZE = 12;
const LEADER_SIZE = 24;

/** A field as the directory names it: its bytes are those from `start` up to `end`, its terminator included. */
export interface Entry {
  readonly tag: string;
  readonly start: number;
  readonly end: number;
}

/** The whole number that some bytes spell, with spaces around it or none. */
export function spelledNumber(bytes: Uint8Array, from: number, to: number): number | undefined {
  let [start, end] = [from, to];
  while (start < end && bytes[start] === 0x20) start += 1;
  while (end > start && bytes[end - 1] === 0x20) end -= 1;
  if (start === end) return undefined;
  let number = 0;
  for (let at = start; at < end; at += 1) {
    const digit = (bytes[at] ?? 0) - 0x30;
    if (digit < 0 || digit > 9) return undefined;
    number = number * 10 + digit;
  }
  return number;
}

/**
 * The fields of a record. Lengths and places that are off lead to the terminators next to them (Q302).
 * Throws MarcError at a directory that is none.
 */
export function readDirectory(record: Uint8Array, characters: string): Entry[] {
  const base = record.indexOf(FIELD_END);
  if (base === -1) throw new MarcError("bad-marc", "the directory does not end");
  if (base < LEADER_SIZE || (base - LEADER_SIZE) % ENTRY_SIZE !== 0) {
    throw new MarcError("bad-marc", "the directory has an odd length");
  }
  const last = record.lastIndexOf(FIELD_END);
  const terminatorFrom = (place: number) => (place > last ? -1 : record.indexOf(FIELD_END, place));
  const fieldEnd = (place: number) => {
    if (place >= record.length) return record.length;
    const terminator = terminatorFrom(place);
    return terminator === -1 ? place : terminator + 1;
  };
  const entries: Entry[] = [];
  let left = record.length * OVERLAP_MAX;
  for (let at = LEADER_SIZE; at < base; at += ENTRY_SIZE) {
    const length = spelledNumber(record, at + 3, at + 7);
    const place = spelledNumber(record, at + 7, at + 12);
    if (length === undefined || place === undefined) {
      throw new MarcError("bad-marc", "the directory has letters in place of numbers");
    }
    const start = terminatorFrom(base + place);
    const end = start === -1 ? record.length : fieldEnd(start + length);
    // Reading every one of thousands of entries across the whole record would take seconds.
    left -= end - Math.min(base + place, end);
    if (left < 0) throw new MarcError("bad-marc", "the fields lie on top of one another");
    const tag = characters.slice(at, at + 3);
    entries.push(start === -1 ? { tag, start: -1, end: -1 } : { tag, start: start + 1, end });
  }
  return entries;
}
