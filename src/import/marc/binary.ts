import {
  type ControlField,
  type DataField,
  type FieldText,
  type MarcRecord,
  type Subfield,
  MarcError,
  UTF8_TEXT,
  brokenControl,
  brokenData,
  lenientText,
  withOneFixedField,
} from "./record.ts";
import { type RawField, FIELD_END, joinedFields, readDirectory, spelledNumber } from "./directory.ts";
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
  const leader = lenientText(characters.slice(0, LEADER_SIZE), () => bytes.subarray(0, LEADER_SIZE));
  if (leader.charAt(9) !== " ") return read(bytes, characters, { leader, text: UTF8_TEXT });
  const text = new Marc8Text(eacc);
  const record = read(bytes, characters, { leader, text });
  if (!text.lackedTable) return record;
  eacc ??= (await import("./eacc.ts")).eaccTable();
  return read(bytes, characters, { leader, text: new Marc8Text(eacc) });
}

function checkLength(bytes: Uint8Array): void {
  const stated = spelledNumber(bytes, 0, Math.min(5, bytes.length));
  if (stated === undefined) throw new MarcError("bad-marc", "a record begins with its length");
  if (stated !== bytes.length) {
    throw new MarcError("bad-length", `the record has ${bytes.length} bytes and says ${stated}`);
  }
}

function read(
  bytes: Uint8Array,
  characters: string,
  { leader, text }: { readonly leader: string; readonly text: FieldText },
): MarcRecord {
  const raw = readDirectory(bytes, characters).map(({ tag, start, end }): RawField => ({
    tag,
    bytes,
    start,
    characters: start === -1 ? "" : characters.slice(start, end),
  }));
  const fields = joinedFields(raw).map((field) =>
    field.tag.startsWith("00") ? controlField(field) : dataField(field, text),
  );
  return { leader, fields: withOneFixedField(fields) };
}

function controlField(field: RawField): ControlField {
  const { tag, bytes, start, characters } = field;
  if (start === -1) return brokenControl(tag, OUTSIDE);
  const length = characters.length - 1;
  if (characters.charCodeAt(length) !== FIELD_END) {
    return brokenControl(tag, new MarcError("bad-marc", "it does not end"));
  }
  const value = lenientText(characters.slice(0, length), () => bytes.subarray(start, start + length));
  return { tag, value };
}

function dataField(field: RawField, text: FieldText): DataField {
  const { tag, start, characters } = field;
  if (start === -1) return brokenData(tag, OUTSIDE);
  let end = characters.length - 1;
  while (end > 0 && characters.charCodeAt(end - 1) === FIELD_END) end -= 1;
  const ind1 = end > 0 ? characters.charAt(0) : " ";
  const ind2 = end > 1 ? characters.charAt(1) : " ";
  try {
    return { tag, ind1, ind2, subfields: subfieldsOf(field, end, text) };
  } catch (error) {
    if (error instanceof MarcError) return brokenData(tag, error);
    throw error;
  }
}

/**
 * Splits the content after the indicators and their separator, up to the terminator. Q304: a missing indicator is not
 * compensated for.
 */
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
