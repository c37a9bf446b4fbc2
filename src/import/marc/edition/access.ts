import type { DataField } from "../record.ts";

/** Reading subfields of one field (import.md 12.6). Empty values never count, but for `lowerValues`. */

/** Values of the subfields whose code is among `codes`, in the order of the field, trimmed. */
export function values(field: DataField, codes: string): string[] {
  const found: string[] = [];
  for (const [code, value] of field.subfields) {
    if (value !== "" && isAmong(code, codes)) found.push(value.trim());
  }
  return found;
}

/** Values of all subfields of one code, as they stand. */
export function contents(field: DataField, wanted: string): string[] {
  const found: string[] = [];
  for (const [code, value] of field.subfields) if (code === wanted && value !== "") found.push(value);
  return found;
}

/** Value of the first subfield of a code, as it stands. */
export function first(field: DataField, wanted: string): string | undefined {
  for (const [code, value] of field.subfields) if (code === wanted && value !== "") return value;
  return undefined;
}

/** Values of all subfields with a lower-case letter for a code, as they stand; one code may be left out. */
export function lowerValues(field: DataField, omitted?: string): string[] {
  const found: string[] = [];
  for (const [code, value] of field.subfields) if (isLower(code) && code !== omitted) found.push(value);
  return found;
}

function isAmong(code: string, codes: string): boolean {
  return code.length === 1 && codes.includes(code);
}

/** True for lower-case letters of any script: a damaged MARC-8 field may have an accent on its code. */
export function isLower(code: string): boolean {
  const unit = code.charCodeAt(0);
  return unit < 0x80 ? unit >= 0x61 && unit <= 0x7a : /^\p{Lowercase}/u.test(code);
}
