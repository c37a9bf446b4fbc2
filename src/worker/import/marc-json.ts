import { MarcError, type MarcField, type MarcRecord } from "../../import/marc/record.ts";

type DataFieldJson = { ind1: string; ind2: string; subfields: Record<string, string>[] };

/** A record as MARC-in-JSON: each field an object with its tag as the one member. */
export interface MarcJson {
  readonly leader: string;
  /** A field that cannot be read is null. */
  readonly fields: readonly Record<string, string | DataFieldJson | null>[];
}

/** A record as programs read it. */
export function marcJson({ leader, fields }: MarcRecord): MarcJson {
  return { leader, fields: fields.map((field) => ({ [field.tag]: fieldJson(field) })) };
}

/** Q301: a field that cannot be read keeps no other from being shown. */
function fieldJson(field: MarcField): string | DataFieldJson | null {
  try {
    if ("value" in field) return field.value;
    const { ind1, ind2, subfields } = field;
    return { ind1, ind2, subfields: subfields.map(([code, value]) => ({ [code]: value })) };
  } catch (error) {
    if (error instanceof MarcError) return null;
    throw error;
  }
}
