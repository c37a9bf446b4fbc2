import { normalForm } from "../../catalog/matching/normal-form.ts";

/** `001` to `009`: one text, without its terminator. */
export interface ControlField {
  readonly tag: string;
  readonly value: string;
}

/** A code and a value, as they stand in the record. */
export type Subfield = readonly [code: string, value: string];

export interface DataField {
  readonly tag: string;
  readonly ind1: string;
  readonly ind2: string;
  readonly subfields: readonly Subfield[];
}

export type MarcField = ControlField | DataField;

/**
 * A MARC record out of any container: fields in the order of the record, wrapped ones joined, of several 008 the one that
 * is to be read. Text of subfields is NFC; control fields are as they stand, so that places in them hold. A field
 * that cannot be read throws when its text is asked for (Q301).
 */
export interface MarcRecord {
  readonly leader: string;
  readonly fields: readonly MarcField[];
}

/** What is wrong with a record; all of them are `invalid-marc-record` on the wire. */
type MarcProblem =
  | "bad-length"
  | "bad-marc"
  | "blank-tag"
  | "bad-subfield"
  | "no-title"
  | "see-also-title"
  | "not-xml";

/** Thrown by everything that reads MARC. */
export class MarcError extends Error {
  override readonly name = "MarcError";
  readonly problem: MarcProblem;

  constructor(problem: MarcProblem, message: string) {
    super(message);
    this.problem = problem;
  }
}

/**
 * A field that cannot be read. The rest of the record is of use without it, so the error is thrown to whoever looks
 * inside: MarcError.
 */
export function brokenData(tag: string, error: MarcError): DataField {
  return {
    tag,
    ind1: " ",
    ind2: " ",
    get subfields(): never {
      throw inField(tag, error);
    },
  };
}

export function brokenControl(tag: string, error: MarcError): ControlField {
  return {
    tag,
    get value(): never {
      throw inField(tag, error);
    },
  };
}

function inField(tag: string, { problem, message }: MarcError): MarcError {
  return new MarcError(problem, `field ${tag}: ${message}`);
}

const TAG = "008";
const FULL_SIZE = 40;

/** The fields with one 008: of several the one that says most (Q308), in the place of the first. */
export function withOneFixedField(fields: readonly MarcField[]): readonly MarcField[] {
  const all = fields.filter((field): field is ControlField => field.tag === TAG && "value" in field);
  const [first] = all;
  if (first === undefined || all.length === 1) return fields;
  const best = all.slice(1).reduce((one, other) => {
    if (other.value.length !== FULL_SIZE) return one;
    const difference = spaces(other) - spaces(one);
    return difference < 0 || (difference === 0 && one === first) ? other : one;
  }, first);
  return fields.flatMap((field) => (field.tag !== TAG ? [field] : field === first ? [best] : []));
}

function spaces(field: ControlField): number {
  return field.value.split(" ").length - 1;
}

/** How the text of a record is written. */
export interface FieldText {
  /** Whether text whose bytes are these characters reads as it stands. */
  isPlain(characters: string): boolean;
  /** The text of other bytes, in NFC. Throws MarcError. */
  decode(bytes: Uint8Array): string;
}

// oxlint-disable-next-line no-control-regex -- all of ASCII
const BEYOND_ASCII = /[^\0-\u007F]/;
const STRICT = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });
const LENIENT = new TextDecoder("utf-8", { fatal: false, ignoreBOM: true });

export const UTF8_TEXT: FieldText = {
  isPlain: (characters) => !BEYOND_ASCII.test(characters),
  decode(bytes) {
    try {
      return normalForm(STRICT.decode(bytes), "NFC");
    } catch {
      throw new MarcError("bad-marc", "the text is not UTF-8");
    }
  },
};

/** UTF-8 with a sign in place of what cannot be read, not normalized: positions stay what they are. */
export function lenientText(characters: string, bytes: () => Uint8Array): string {
  return BEYOND_ASCII.test(characters) ? LENIENT.decode(bytes()) : characters;
}

/** Bytes of a record, which the five digits of its length bound. */
export const MARC_LENGTH_MAX = 99_999;
/** Digits that a record begins with: its length. */
export const LENGTH_DIGITS = 5;

/** The length that the record at a place of a file states; undefined when there is none. */
export function statedLength(bytes: Uint8Array, at = 0): number | undefined {
  const digits = String.fromCharCode(...bytes.subarray(at, at + LENGTH_DIGITS));
  return /^\d{5}$/.test(digits) ? Number(digits) : undefined;
}

/** A field longer than this many bytes may be continued by the next one. */
export const WRAPPED_LENGTH = 500;
/** Bytes that the fields of a record may take together, in lengths of the record: in sound ones they do not overlap. */
export const OVERLAP_MAX = 4;
/** Bytes of a record of MARCXML within a collection. */
export const XML_RECORD_BYTES_MAX = 1024 * 1024;
/** Bytes of the start tag of a collection. */
export const XML_HEAD_BYTES_MAX = 64 * 1024;
