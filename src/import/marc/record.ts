/** `001` to `009`: one text, without its terminator. */
export interface ControlField {
  readonly tag: string;
  readonly value: string;
}

/** A code and a value, as they stand in the record. */
export type Subfield = readonly [code: string, value: string];

/** A field of subfields. */
export interface DataField {
  readonly tag: string;
  readonly ind1: string;
  readonly ind2: string;
  readonly subfields: readonly Subfield[];
}

export type MarcField = ControlField | DataField;

/**
 * A MARC record out of any container: fields in the order of the record, wrapped ones joined, of several 008 the one that
 * is to be read (import.md 12.3). Text of subfields is NFC; control fields are as they stand, so that places in them hold. A field
 * that cannot be read throws when its text is asked for (Q301).
 */
export interface MarcRecord {
  readonly leader: string;
  readonly fields: readonly MarcField[];
}

/** What is wrong with a record; all of them are `invalid-marc-record` on the wire (import.md 12.6). */
export type MarcProblem =
  | "bad-length"
  | "bad-marc"
  | "blank-tag"
  | "bad-subfield"
  | "no-title"
  | "see-also-title"
  | "not-xml";

/** Thrown by everything that reads MARC. */
export class MarcError extends Error {
  readonly problem: MarcProblem;

  constructor(problem: MarcProblem, message: string) {
    super(message);
    this.name = "MarcError";
    this.problem = problem;
  }
}
