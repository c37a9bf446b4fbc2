import {
  type ControlField,
  type DataField,
  type FieldText,
  type MarcRecord,
  type Subfield,
  OVERLAP_MAX,
  UTF8_TEXT,
  WRAPPED_LENGTH,
  MarcError,
  makeBrokenControlField,
  makeBrokenDataField,
  decodeLenient,
  withOneFixedField,
} from "./record.ts";
import type { EaccTable } from "./eacc.ts";
import { Marc8Text } from "./marc8.ts";

const LEADER_SIZE = 24;
const SUBFIELD = "\u001F";
/** Decoder with one character per byte, so that offsets in the text are offsets in the bytes. */
const BYTEWISE = new TextDecoder("windows-1252");
const OUTSIDE = new MarcError("bad-marc", "it lies outside of the record");

let eacc: EaccTable | undefined;

/**
 * Reads a binary MARC 21 record. Throws MarcError. A field that cannot be read throws when its value or its subfields
 * are accessed (Q301). The table of East Asian characters is loaded by the first record that needs it.
 */
export async function readMarc(bytes: Uint8Array): Promise<MarcRecord> {
  checkLength(bytes);
  const characters = BYTEWISE.decode(bytes);
  const leader = decodeLenient(characters.slice(0, LEADER_SIZE), () => bytes.subarray(0, LEADER_SIZE));
  if (leader.charAt(9) !== " ") return parse(bytes, characters, { leader, text: UTF8_TEXT });
  const text = new Marc8Text(eacc);
  const record = parse(bytes, characters, { leader, text });
  if (!text.lacksTable) return record;
  eacc ??= (await import("./eacc.ts")).unpackEaccTable();
  return parse(bytes, characters, { leader, text: new Marc8Text(eacc) });
}

function checkLength(bytes: Uint8Array): void {
  const stated = parseAsciiNumber(bytes, 0, Math.min(5, bytes.length));
  if (stated === undefined) throw new MarcError("bad-marc", "a record begins with its length");
  if (stated !== bytes.length) {
    throw new MarcError("bad-length", `the record has ${bytes.length} bytes and says ${stated}`);
  }
}

function parse(
  bytes: Uint8Array,
  characters: string,
  { leader, text }: { leader: string; text: FieldText },
): MarcRecord {
  const raw = readDirectory(bytes, characters).map(({ tag, start, end }): RawField => ({
    tag,
    bytes,
    start,
    characters: start === -1 ? "" : characters.slice(start, end),
  }));
  const fields = joinFields(raw).map((field) =>
    field.tag.startsWith("00") ? toControlField(field) : toDataField(field, text),
  );
  return { leader, fields: withOneFixedField(fields) };
}

function toControlField(field: RawField): ControlField {
  const { tag, bytes, start, characters } = field;
  if (start === -1) return makeBrokenControlField(tag, OUTSIDE);
  const length = characters.length - 1;
  if (characters.charCodeAt(length) !== FIELD_END) {
    return makeBrokenControlField(tag, new MarcError("bad-marc", "it does not end"));
  }
  const value = decodeLenient(characters.slice(0, length), () => bytes.subarray(start, start + length));
  return { tag, value };
}

function toDataField(field: RawField, text: FieldText): DataField {
  const { tag, start, characters } = field;
  if (start === -1) return makeBrokenDataField(tag, OUTSIDE);
  let end = characters.length - 1;
  while (end > 0 && characters.charCodeAt(end - 1) === FIELD_END) end -= 1;
  const ind1 = end > 0 ? characters.charAt(0) : " ";
  const ind2 = end > 1 ? characters.charAt(1) : " ";
  try {
    return { tag, ind1, ind2, subfields: subfieldsOf(field, end, text) };
  } catch (error) {
    if (error instanceof MarcError) return makeBrokenDataField(tag, error);
    throw error;
  }
}

/** Splits the content into subfields. Q304: a missing indicator is not compensated for. */
function subfieldsOf({ bytes, start, characters }: RawField, end: number, text: FieldText): Subfield[] {
  const subfields: Subfield[] = [];
  let at = start + 3;
  for (const piece of characters.slice(3, end).split(SUBFIELD)) {
    const next = at + piece.length;
    const content = text.isPlain(piece) ? piece : text.decode(bytes.subarray(at, next));
    if (content !== "") {
      const code = String.fromCodePoint(content.codePointAt(0) ?? 0);
      subfields.push([code, content.slice(code.length)]);
    }
    at = next + 1;
  }
  return subfields;
}

const FIELD_END = 0x1e;
const ENTRY_SIZE = 12;

/** Directory entry of a field. `end` is the offset after its terminator. */
interface Entry {
  tag: string;
  start: number;
  end: number;
}

/** Parses a whole number from bytes, with optional spaces around it. Returns undefined if it is not a number. */
export function parseAsciiNumber(bytes: Uint8Array, from: number, to: number): number | undefined {
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
 * Reads the fields of a record. Wrong lengths and offsets are corrected to the nearest terminators (Q302). Throws
 * MarcError for an invalid directory.
 */
function readDirectory(record: Uint8Array, characters: string): Entry[] {
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
  let budget = record.length * OVERLAP_MAX;
  for (let at = LEADER_SIZE; at < base; at += ENTRY_SIZE) {
    const length = parseAsciiNumber(record, at + 3, at + 7);
    const place = parseAsciiNumber(record, at + 7, at + 12);
    if (length === undefined || place === undefined) {
      throw new MarcError("bad-marc", "the directory has letters in place of numbers");
    }
    const start = terminatorFrom(base + place);
    const end = start === -1 ? record.length : fieldEnd(start + length);
    // Reading each of thousands of entries across the whole record would take seconds.
    budget -= end - Math.min(base + place, end);
    if (budget < 0) throw new MarcError("bad-marc", "the fields lie on top of one another");
    const tag = characters.slice(at, at + 3);
    entries.push(start === -1 ? { tag, start: -1, end: -1 } : { tag, start: start + 1, end });
  }
  return entries;
}

interface RawField {
  tag: string;
  bytes: Uint8Array;
  /** Offset of the first byte in `bytes`; -1 if the field lies outside of the record. */
  start: number;
  characters: string;
}

const CONTINUED = "++\u001E";

/** Joins fields that continue in the next one. Throws MarcError if a continuation is missing. */
function joinFields(fields: readonly RawField[]): readonly RawField[] {
  if (!fields.some(isContinued)) return fields;
  const joined: RawField[] = [];
  let open: RawField[] = [];
  for (const field of fields) {
    if (open.length > 0 && open[0]?.tag !== field.tag) break;
    open.push(field);
    if (isContinued(field)) continue;
    joined.push(open.length === 1 ? field : join(open));
    open = [];
  }
  if (open.length > 0) throw new MarcError("bad-marc", `field ${open[0]?.tag} is not continued`);
  return joined;
}

function isContinued({ characters }: RawField): boolean {
  return characters.length > WRAPPED_LENGTH && characters.endsWith(CONTINUED);
}

/** Joins the parts of a field, without the continuation marks and without the indicators of all but the first. */
function join(fields: readonly RawField[]): RawField {
  const parts = fields.map((field, index) => {
    const from = index === 0 ? 0 : 2;
    const to = field.characters.length - (index === fields.length - 1 ? 0 : CONTINUED.length);
    return { field, from, to };
  });
  const characters = parts.map(({ field, from, to }) => field.characters.slice(from, to)).join("");
  const bytes = new Uint8Array(characters.length);
  let at = 0;
  for (const { field, from, to } of parts) {
    if (to <= from) continue;
    bytes.set(field.bytes.subarray(field.start + from, field.start + to), at);
    at += to - from;
  }
  return { tag: fields[0]?.tag ?? "", bytes, start: 0, characters };
}
