import { KIB, MIB } from "../../catalog/units.ts";
import { type TextKey, type TextValues, TextError } from "../../catalog/texts.ts";
import type { ImportWarning } from "../warning.ts";

/** Control field `001` to `009`: one text, without its terminator. */
export interface ControlField {
  readonly tag: string;
  readonly value: string;
}

export type Subfield = readonly [code: string, value: string];

export interface DataField {
  readonly tag: string;
  readonly ind1: string;
  readonly ind2: string;
  readonly subfields: readonly Subfield[];
  /** Start of a title that its marks tell to skip in sorting, with the blank after it. */
  readonly article?: string;
}

export type MarcField = ControlField | DataField;

/**
 * MARC record from any container: fields in the order of the record, wrapped ones joined, and only one 008. Text of
 * subfields is NFC; control fields are unchanged, so that offsets in them stay valid. A field that cannot be read
 * throws when its text is accessed (Q301).
 */
export interface MarcRecord {
  readonly leader: string;
  readonly fields: readonly MarcField[];
  /** Corrections by the reader. */
  readonly warnings?: readonly ImportWarning[];
}

/** Kind of error in a record. All are `invalid-marc-record` on the wire. */
type MarcProblem =
  | "bad-length"
  | "bad-marc"
  | "blank-tag"
  | "bad-subfield"
  | "no-title"
  | "see-also-title"
  | "not-xml";

export class MarcError extends TextError {
  override readonly name = "MarcError";
  readonly problem: MarcProblem;

  constructor(problem: MarcProblem, key: TextKey, values?: TextValues) {
    super(key, values);
    this.problem = problem;
  }
}

/**
 * Returns a field that cannot be read. The rest of the record is usable without it, so the MarcError is thrown only
 * when its subfields are accessed.
 */
export function makeBrokenDataField(tag: string, error: MarcError): DataField {
  return {
    tag,
    ind1: " ",
    ind2: " ",
    get subfields(): never {
      throw locateError(tag, error);
    },
  };
}

export function makeBrokenControlField(tag: string, error: MarcError): ControlField {
  return {
    tag,
    get value(): never {
      throw locateError(tag, error);
    },
  };
}

function locateError(tag: string, { problem, text }: MarcError): MarcError {
  return new MarcError(problem, text.key, { ...text.values, tag });
}

const TAG = "008";
const FULL_SIZE = 40;

/** Returns the fields with a single 008: the one with the most information (Q308), at the position of the first. */
export function withOneFixedField(fields: readonly MarcField[]): readonly MarcField[] {
  const all = fields.filter((field): field is ControlField => field.tag === TAG && "value" in field);
  const [first] = all;
  if (first === undefined || all.length === 1) return fields;
  const best = all.slice(1).reduce((current, other) => {
    if (other.value.length !== FULL_SIZE) return current;
    const difference = countSpaces(other) - countSpaces(current);
    return difference < 0 || (difference === 0 && current === first) ? other : current;
  }, first);
  return fields.flatMap((field) => (field.tag !== TAG ? [field] : field === first ? [best] : []));
}

function countSpaces(field: ControlField): number {
  return field.value.split(" ").length - 1;
}

// oxlint-disable-next-line no-control-regex -- all of ASCII
const BEYOND_ASCII = /[^\0-\u007F]/;
const LENIENT = new TextDecoder("utf-8", { fatal: false, ignoreBOM: true });

/** Decodes UTF-8 with replacement characters for invalid bytes, without normalisation: offsets stay valid. */
export function decodeLenient(characters: string, bytes: () => Uint8Array): string {
  return BEYOND_ASCII.test(characters) ? LENIENT.decode(bytes()) : characters;
}

/** Maximum difference, in bytes, between the stated length and that of a record without its terminator. */
export const LENGTH_SLACK = 8;
/** Maximum length of a record in bytes, set by the five digits of its length. */
export const MARC_LENGTH_MAX = 99_999;
export const LENGTH_DIGITS = 5;

/** Returns the length stated by the record at an offset of a file. Returns undefined if there is none. */
export function readStatedLength(bytes: Uint8Array, at = 0): number | undefined {
  const digits = String.fromCharCode(...bytes.subarray(at, at + LENGTH_DIGITS));
  return /^\d{5}$/.test(digits) ? Number(digits) : undefined;
}

/** Minimum length in bytes, exclusive, of a field that the next one may continue. */
export const WRAPPED_LENGTH = 500;
/** Maximum total length of the fields as a multiple of the record's: intact fields do not overlap. */
export const OVERLAP_MAX = 4;
/** Maximum size of a MARCXML record within a collection, in bytes. */
export const XML_RECORD_BYTES_MAX = MIB;
export const XML_HEAD_BYTES_MAX = 64 * KIB;
