import { type ControlField, type DataField, MarcError } from "./record.ts";

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
      throw new MarcError(error.problem, `field ${tag}: ${error.message}`);
    },
  };
}

export function brokenControl(tag: string, error: MarcError): ControlField {
  return {
    tag,
    get value(): never {
      throw new MarcError(error.problem, `field ${tag}: ${error.message}`);
    },
  };
}
