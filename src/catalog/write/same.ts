import type { CatalogRecord, Json } from "../record.ts";

/** A record's own member: a record read from JSON may be asked for `constructor` too. */
export function member(record: CatalogRecord, name: string): Json | undefined {
  return Object.hasOwn(record, name) ? record[name] : undefined;
}

/** True for equal values: the order of members means nothing, that of arrays does (records.md 4.5 step 8). */
export function isSame(a: Json | undefined, b: Json | undefined): boolean {
  if (a === b) return true;
  if (typeof a !== "object" || typeof b !== "object" || a === null || b === null) return false;
  if (Array.isArray(a)) {
    return (
      Array.isArray(b) && a.length === b.length && a.every((element, index) => isSame(element, b[index]))
    );
  }
  if (Array.isArray(b)) return false;
  const names = Object.keys(a);
  return (
    names.length === Object.keys(b).length &&
    names.every((name) => Object.hasOwn(b, name) && isSame(a[name], b[name]))
  );
}
