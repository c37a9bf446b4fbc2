import { readMarc } from "../../import/marc/binary.ts";
import {
  type MarcField,
  type MarcRecord,
  MARC_LENGTH_MAX,
  MarcError,
  statedLength,
} from "../../import/marc/record.ts";
import type { ItemSource } from "../platform/item.ts";
import type { BulkPlace } from "./bulk-marc.ts";

/** Result of reading a MARC record for display. */
export type ShownRecord =
  | {
      readonly kind: "record";
      readonly bytes: Uint8Array<ArrayBuffer>;
      readonly marc: MarcRecord | undefined;
    }
  /** The record states another length than the one requested. */
  | { readonly kind: "moved"; readonly length: number }
  | { readonly kind: "unreadable" | "missing" };

/** Reads the record of an item's own file. */
export async function recordOfItemFile(source: ItemSource, id: string): Promise<ShownRecord> {
  const bytes = await source.file(id, `${id}_meta.mrc`);
  if (bytes === undefined) return { kind: "missing" };
  return statedLength(bytes) === undefined ? { kind: "unreadable" } : shown(bytes);
}

/** Reads a record of a bulk file. */
export async function recordAtPlace(source: ItemSource, place: BulkPlace): Promise<ShownRecord> {
  const { item, file, offset, length } = place;
  const bytes = await source.range(item, file, { offset, length: MARC_LENGTH_MAX });
  const stated = bytes === undefined ? undefined : statedLength(bytes);
  if (bytes === undefined) return { kind: "missing" };
  if (stated === undefined || stated === 0) return { kind: "unreadable" };
  if (stated !== length) return { kind: "moved", length: stated };
  return shown(bytes.subarray(0, length));
}

async function shown(bytes: Uint8Array<ArrayBuffer>): Promise<ShownRecord> {
  try {
    return { kind: "record", bytes, marc: await readMarc(bytes) };
  } catch (error) {
    if (error instanceof MarcError) return { kind: "record", bytes, marc: undefined };
    throw error;
  }
}

/** Converts a record to MARC-in-JSON: each field is an object with its tag as the only member. */
export function marcJson({ leader, fields }: MarcRecord) {
  return { leader, fields: fields.map((field) => ({ [field.tag]: fieldJson(field) })) };
}

/** Q301: an unreadable field becomes null and does not prevent the other fields from being shown. */
function fieldJson(field: MarcField) {
  try {
    if ("value" in field) return field.value;
    const { ind1, ind2, subfields } = field;
    return { ind1, ind2, subfields: subfields.map(([code, value]) => ({ [code]: value })) };
  } catch (error) {
    if (error instanceof MarcError) return null;
    throw error;
  }
}
