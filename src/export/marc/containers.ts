import { type SerializedElement, element } from "../../catalog/xml.ts";
import {
  type DataField,
  type MarcField,
  type MarcRecord,
  MARC_LENGTH_MAX,
  WRAPPED_LENGTH,
} from "../../import/marc/record.ts";
import { SHORTENED } from "../book.ts";
import { MARCXML_NAMESPACE } from "../../import/marc/xml.ts";

const [SUBFIELD, FIELD_END, RECORD_END] = ["\u001F", "\u001E", "\u001D"];
const LEADER_SIZE = 24;
const ENTRY_SIZE = 12;
/** Maximum length of a field in bytes, including its terminator. Set by the four digits of its length. */
const FIELD_BYTES_MAX = 9_999;
const encoder = new TextEncoder();

/**
 * Serialises a binary MARC 21 record (ISO 2709) as text: its UTF-8 bytes are those of the record. Text too long for a
 * field is cut. If a record is too long, notes are dropped first, then subjects.
 */
export function toMarcText({ leader, fields }: MarcRecord): string {
  const serialised = selectFittingFields(fields);
  let directory = "";
  let start = 0;
  for (const { tag, bytes } of serialised) {
    directory += tag + padNumber(bytes, 4) + padNumber(start, 5);
    start += bytes;
  }
  const base = LEADER_SIZE + directory.length + 1;
  const head = padNumber(base + start + 1, 5) + leader.slice(5, 12) + padNumber(base, 5) + leader.slice(17);
  return head + directory + FIELD_END + serialised.map(({ text }) => text).join("") + RECORD_END;
}

interface SerialisedField {
  readonly tag: string;
  readonly text: string;
  readonly bytes: number;
}

/** Q725: note in records of which fields are cut or missing. */
const SHORT_FIELD = serialiseField({ tag: "500", ind1: " ", ind2: " ", subfields: [["a", SHORTENED]] });
const FIELDS_BYTES_MAX = MARC_LENGTH_MAX - LEADER_SIZE - 2;

function selectFittingFields(fields: readonly MarcField[]): SerialisedField[] {
  const serialised = fields.map(serialiseField);
  const length = serialised.reduce((sum, { bytes }) => sum + bytes + ENTRY_SIZE, 0);
  // Fields are cut in whole characters, of four bytes at most.
  if (length > FIELDS_BYTES_MAX || serialised.some(({ bytes }) => bytes > FIELD_BYTES_MAX - 4))
    serialised.splice(serialised.findLastIndex(({ tag }) => tag < "500") + 1, 0, SHORT_FIELD);
  let room = FIELDS_BYTES_MAX;
  const fitting = new Set<SerialisedField>();
  for (const field of serialised.toSorted((a, b) => rankOf(a) - rankOf(b))) {
    room -= field.bytes + ENTRY_SIZE;
    if (room < 0) break;
    fitting.add(field);
  }
  return serialised.filter((field) => fitting.has(field));
}

/** Returns the rank of a field; the lowest are kept first. */
function rankOf(field: SerialisedField): number {
  const { tag } = field;
  if (field === SHORT_FIELD) return -1;
  return ["6", "5"].indexOf(tag.charAt(0)) + 1;
}

function serialiseField(field: MarcField): SerialisedField {
  const { tag } = field;
  const text = "subfields" in field ? serialiseDataField(field) : field.value + FIELD_END;
  return { tag, text, bytes: bytesOf(text) };
}

function serialiseDataField({ ind1, ind2, subfields }: DataField): string {
  let text = ind1 + ind2;
  let bytes = text.length + FIELD_END.length;
  for (const [code, value] of subfields) {
    const room = FIELD_BYTES_MAX - bytes - SUBFIELD.length - code.length;
    const fitting = bytesOf(value) <= room ? value : cutToBytes(value, room);
    if (fitting === "") break;
    text += SUBFIELD + code + fitting;
    bytes += SUBFIELD.length + code.length + bytesOf(fitting);
  }
  // Readers take these two characters at the end of a long field as a continuation mark.
  const isOpen = text.endsWith("++") && bytes > WRAPPED_LENGTH;
  return text + (isOpen && bytes < FIELD_BYTES_MAX ? " " : "") + FIELD_END;
}

/** Cuts a text to a number of bytes, in whole characters. */
function cutToBytes(text: string, bytes: number): string {
  const space = new Uint8Array(Math.max(0, bytes));
  const { read } = encoder.encodeInto(text, space);
  return text.slice(0, read);
}

function bytesOf(text: string): number {
  return encoder.encode(text).length;
}

function padNumber(number: number, width: number): string {
  return String(number).padStart(width, "0");
}

/** Converts a record to MARCXML. `attributes` is the namespace declaration of a standalone record. */
export function toMarcXml(
  { leader, fields }: MarcRecord,
  attributes: SerializedElement["attributes"] = {},
): SerializedElement {
  const children = fields.map((field) =>
    "subfields" in field
      ? element(
          "datafield",
          field.subfields.map(([code, value]) => element("subfield", value, { code })),
          { tag: field.tag, ind1: field.ind1, ind2: field.ind2 },
        )
      : element("controlfield", field.value, { tag: field.tag }),
  );
  return element("record", [element("leader", leader), ...children], attributes);
}

export const MARCXML = { xmlns: MARCXML_NAMESPACE };
