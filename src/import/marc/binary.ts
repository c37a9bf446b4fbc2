import {
  type ControlField,
  type DataField,
  type MarcField,
  type MarcRecord,
  type Subfield,
  LENGTH_SLACK,
  OVERLAP_MAX,
  WRAPPED_LENGTH,
  MarcError,
  makeBrokenControlField,
  makeBrokenDataField,
  decodeLenient,
  withOneFixedField,
  LENGTH_DIGITS,
} from "./record.ts";
import { joinBytes } from "../../catalog/bytes.ts";
import type { EaccTable } from "./eacc.ts";
import { RecordText } from "./encoding.ts";
import { type ImportWarning, addWarning } from "../warning.ts";

const LEADER_SIZE = 24;
const SUBFIELD = "\u001F";
const FIELD_END = 0x1e;
const RECORD_END = 0x1d;
/** Decoder with one character per byte, so that offsets in the text are offsets in the bytes. */
const BYTEWISE = new TextDecoder("windows-1252");
const OUTSIDE = new MarcError("bad-marc", "marc.outside");
const OVERLAPPING = "marc.overlap";

let eacc: EaccTable | undefined;

/**
 * Reads a binary MARC 21 record. Corrections are its warnings: of a wrong length, directory or end, and of text in another
 * encoding than the leader names. Throws MarcError. A field that cannot be read throws when its value or its subfields
 * are accessed (Q301). The table of East Asian characters is loaded by the first record that needs it.
 */
export async function readMarc(piece: Uint8Array): Promise<MarcRecord> {
  const warnings: ImportWarning[] = [];
  const bytes = withFieldEnd(piece, warnings);
  const characters = BYTEWISE.decode(bytes);
  const leader = decodeLenient(characters.slice(0, LEADER_SIZE), () => bytes.subarray(0, LEADER_SIZE));
  const entries = readDirectory(bytes, characters, warnings);
  const read = (text: RecordText) => withOneFixedField(readFields({ bytes, characters, entries }, text));
  let text = new RecordText(leader.charAt(9), { eacc, isLatin: false });
  let fields = read(text);
  const isLatin = text.seemsLatin;
  if (isLatin || text.lacksTable) {
    if (text.lacksTable) eacc ??= (await import("./eacc.ts")).unpackEaccTable();
    text = new RecordText(leader.charAt(9), { eacc, isLatin });
    fields = read(text);
  }
  text.addWarnings(warnings);
  return { leader, fields, ...(warnings.length > 0 && { warnings }) };
}

/**
 * Returns the bytes of a record with the terminator of its last field. Throws MarcError if they are not one whole record:
 * if another one follows, or if more than its end is missing.
 */
function withFieldEnd(bytes: Uint8Array, warnings: ImportWarning[]): Uint8Array {
  const stated = parseAsciiNumber(bytes, 0, Math.min(LENGTH_DIGITS, bytes.length));
  if (stated === undefined) throw new MarcError("bad-marc", "marc.no_length");
  const last = bytes.at(-1);
  if (stated === bytes.length && (last === RECORD_END || stated <= LEADER_SIZE)) return bytes;
  const isEnded = last === RECORD_END || last === FIELD_END;
  const isNear = isEnded || Math.abs(stated - bytes.length) <= LENGTH_SLACK;
  const isFollowed = stated !== bytes.length && bytes.subarray(0, -1).includes(RECORD_END);
  if (bytes.length <= LEADER_SIZE || isFollowed || !isNear) {
    throw new MarcError("bad-length", "marc.length", { actual: bytes.length, stated });
  }
  addWarning(warnings, "damaged-record", ["leader", String(stated).padStart(LENGTH_DIGITS, "0")]);
  return isEnded ? bytes : joinBytes([bytes, Uint8Array.of(FIELD_END)]);
}

interface Layout {
  readonly bytes: Uint8Array;
  readonly characters: string;
  readonly entries: readonly Entry[];
}

function readFields({ bytes, characters, entries }: Layout, text: RecordText): MarcField[] {
  const raw = entries.map(({ tag, start, end }): RawField => ({
    tag,
    bytes,
    start,
    characters: start === -1 ? "" : characters.slice(start, end),
  }));
  return joinFields(raw).map((field) =>
    field.tag.startsWith("00") ? toControlField(field) : toDataField(field, text),
  );
}

function toControlField(field: RawField): ControlField {
  const { tag, bytes, start, characters } = field;
  if (start === -1) return makeBrokenControlField(tag, OUTSIDE);
  const length = characters.length - 1;
  if (characters.charCodeAt(length) !== FIELD_END) {
    return makeBrokenControlField(tag, new MarcError("bad-marc", "marc.field_end"));
  }
  const value = decodeLenient(characters.slice(0, length), () => bytes.subarray(start, start + length));
  return { tag, value };
}

function toDataField(field: RawField, text: RecordText): DataField {
  const { tag, start, characters } = field;
  if (start === -1) return makeBrokenDataField(tag, OUTSIDE);
  let end = characters.length - 1;
  while (end > 0 && characters.charCodeAt(end - 1) === FIELD_END) end -= 1;
  const [head, marks = ""] = (characters.charAt(2) !== SUBFIELD && MARKED_HEAD.exec(characters)) || [];
  const first = marks.length;
  const ind1 = end > first ? characters.charAt(first) : " ";
  const ind2 = end > first + 1 ? characters.charAt(first + 1) : " ";
  return { tag, ind1, ind2, subfields: subfieldsOf(field, [head?.length ?? 3, end], text) };
}

/** Q773: indicators with marks of direction or a byte order mark before or after them, up to the first subfield. */
const MARKED_HEAD = new RegExp(String.raw`^(\P{ASCII}*)[ -~]{2}\P{ASCII}*${SUBFIELD}`, "u");
const INVISIBLE = /^\p{Cf}+/u;

/** Splits the content into subfields. Q304: a missing indicator is not compensated for. */
function subfieldsOf(
  { tag, bytes, start, characters }: RawField,
  [from, end]: [number, number],
  text: RecordText,
): Subfield[] {
  const subfields: Subfield[] = [];
  let at = start + from;
  for (const piece of characters.slice(from, end).split(SUBFIELD)) {
    const next = at + piece.length;
    const content = text.isPlain(piece)
      ? piece
      : text.decode(bytes.subarray(at, next), piece, tag).replace(INVISIBLE, "");
    if (content !== "") {
      const code = String.fromCodePoint(content.codePointAt(0) ?? 0);
      subfields.push([code, content.slice(code.length)]);
    }
    at = next + 1;
  }
  return subfields;
}

const ENTRY_SIZE = 12;
const TAG_SIZE = 3;

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

/** Directory entry as it stands in the record. Numbers are undefined if they are not numbers. */
interface StatedEntry {
  readonly tag: string;
  readonly length: number | undefined;
  readonly place: number | undefined;
}

/**
 * Reads the directory of a record. If it is wrong, but has an entry for each field, its entries are assigned to the fields;
 * otherwise lengths and offsets are corrected to the nearest terminators (Q302). Throws MarcError for an invalid
 * directory.
 */
function readDirectory(record: Uint8Array, characters: string, warnings: ImportWarning[]): readonly Entry[] {
  const base = record.indexOf(FIELD_END);
  if (base === -1) throw new MarcError("bad-marc", "marc.directory_end");
  const isWhole = base >= LEADER_SIZE && (base - LEADER_SIZE) % ENTRY_SIZE === 0;
  const stated = statedEntries(record, characters, base);
  const entries = isWhole ? exactEntries(stated, record, base) : undefined;
  if (entries?.every((entry) => isOfKind(entry, characters))) return entries;
  const assigned = assignFields(stated, { record, characters, base });
  if (entries !== undefined && assigned === undefined) return entries;
  addWarning(warnings, "damaged-record", ["directory", ""]);
  if (assigned !== undefined) return assigned;
  if (!isWhole) throw new MarcError("bad-marc", "marc.directory_length");
  return findNearest(stated, record, base);
}

/** Returns the entries with the places of their fields. Returns undefined unless all of them are right. Throws MarcError. */
function exactEntries(stated: readonly StatedEntry[], record: Uint8Array, base: number): Entry[] | undefined {
  const entries: Entry[] = [];
  let total = 0;
  for (const entry of stated) {
    if (!isExact(entry, record, base)) return undefined;
    total += entry.length ?? 0;
    entries.push(toEntry(entry, base));
  }
  if (total > record.length * OVERLAP_MAX) throw new MarcError("bad-marc", OVERLAPPING);
  return entries;
}

/** Returns true if the field has subfields, or is a control field without. */
function isOfKind({ tag, start, end }: Entry, characters: string): boolean {
  return tag.startsWith("00") !== characters.slice(start, end).includes(SUBFIELD);
}

function statedEntries(record: Uint8Array, characters: string, base: number): StatedEntry[] {
  const entries: StatedEntry[] = [];
  for (let at = LEADER_SIZE; at + TAG_SIZE <= base; at += ENTRY_SIZE) {
    const isCut = at + ENTRY_SIZE > base;
    const length = isCut ? undefined : parseAsciiNumber(record, at + TAG_SIZE, at + 7);
    const place = isCut ? undefined : parseAsciiNumber(record, at + 7, at + ENTRY_SIZE);
    entries.push({ tag: characters.slice(at, at + TAG_SIZE), length, place });
  }
  return entries;
}

/** Returns true if a field begins and ends where the entry says. */
function isExact({ length, place }: StatedEntry, record: Uint8Array, base: number): boolean {
  if (length === undefined || place === undefined) return false;
  return length > 0 && record[base + place] === FIELD_END && record[base + place + length] === FIELD_END;
}

function toEntry({ tag, length = 0, place = 0 }: StatedEntry, base: number): Entry {
  const start = base + place + 1;
  return { tag, start, end: start + length };
}

const TAG = /^\d{3}$/;

/**
 * Assigns the entries of a wrong directory to the fields between the terminators: those that are right to their fields, the
 * others in order of their offsets; or else all in order. Returns undefined unless there is one entry for each field, of
 * its kind.
 */
function assignFields(
  stated: readonly StatedEntry[],
  { record, characters, base }: { record: Uint8Array; characters: string; base: number },
): Entry[] | undefined {
  const fields = new Map<number, number>();
  let start = base + 1;
  for (let end = record.indexOf(FIELD_END, start); end !== -1; end = record.indexOf(FIELD_END, start)) {
    fields.set(start, end + 1);
    start = end + 1;
  }
  if (fields.size === 0 || fields.size !== stated.length || !stated.every(({ tag }) => TAG.test(tag))) {
    return undefined;
  }
  const right = new Map(
    stated.filter((entry) => isExact(entry, record, base)).map((entry) => [entry, toEntry(entry, base)]),
  );
  const free = new Map(fields);
  for (const entry of right.values()) free.delete(entry.start);
  const others = stated.filter((entry) => !right.has(entry));
  const inOrder = others.toSorted((a, b) => (a.place ?? 0) - (b.place ?? 0));
  const assigned = pairUp(inOrder, free);
  const byOffset = stated.flatMap((entry) => right.get(entry) ?? assigned.get(entry) ?? []);
  const byPosition = [...pairUp(stated, fields).values()];
  return [byOffset, byPosition].find((entries) => entries.every((entry) => isOfKind(entry, characters)));
}

/** Returns the entries with the starts and ends of as many fields, in order. */
function pairUp(
  stated: readonly StatedEntry[],
  fields: ReadonlyMap<number, number>,
): Map<StatedEntry, Entry> {
  const places = [...fields];
  return new Map(
    stated.map((entry, index) => {
      const [start, end] = places[index] ?? [-1, -1];
      return [entry, { tag: entry.tag, start, end }];
    }),
  );
}

/** Corrects lengths and offsets to the nearest terminators. Throws MarcError if there are no numbers. */
function findNearest(stated: readonly StatedEntry[], record: Uint8Array, base: number): Entry[] {
  const last = record.lastIndexOf(FIELD_END);
  const terminatorFrom = (place: number) => (place > last ? -1 : record.indexOf(FIELD_END, place));
  const fieldEnd = (place: number) => {
    if (place >= record.length) return record.length;
    const terminator = terminatorFrom(place);
    return terminator === -1 ? place : terminator + 1;
  };
  let budget = record.length * OVERLAP_MAX;
  return stated.map(({ tag, length, place }) => {
    if (length === undefined || place === undefined) {
      throw new MarcError("bad-marc", "marc.directory_numbers");
    }
    const start = terminatorFrom(base + place);
    const end = start === -1 ? record.length : fieldEnd(start + length);
    // Reading each of thousands of entries across the whole record would take seconds.
    budget -= end - Math.min(base + place, end);
    if (budget < 0) throw new MarcError("bad-marc", OVERLAPPING);
    return start === -1 ? { tag, start: -1, end: -1 } : { tag, start: start + 1, end };
  });
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
  const [unfinished] = open;
  if (unfinished !== undefined) throw new MarcError("bad-marc", "marc.continued", { tag: unfinished.tag });
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
