import { type CatalogRecord, type Json, isObject, keyOf } from "../record.ts";
import type { Selection } from "./record-query.ts";

/** Keys of the records that a selection wants members of. */
export function referencedKeys(records: readonly CatalogRecord[], selection: Selection): string[] {
  const keys = new Set<string>();
  for (const [name, nested] of selection.members) {
    if (nested === null) continue;
    for (const record of records) {
      for (const value of [record[name]].flat()) {
        const key = keyOf(value);
        if (key !== undefined) keys.add(key);
      }
    }
  }
  return [...keys];
}

/** The members of a record that a selection wants, `key` first, absent ones as null. */
export function select(
  record: CatalogRecord,
  selection: Selection,
  referenced: ReadonlyMap<string, CatalogRecord>,
): CatalogRecord {
  const chosen: Record<string, Json> = { key: record["key"] ?? null };
  if (selection.all) Object.assign(chosen, record);
  for (const [name, nested] of selection.members) {
    const value = record[name] ?? null;
    chosen[name] = nested === null ? value : selectNested(value, nested, referenced);
  }
  return chosen;
}

function selectNested(value: Json, nested: Selection, referenced: ReadonlyMap<string, CatalogRecord>): Json {
  if (Array.isArray(value)) return value.map((element) => selectNested(element, nested, referenced));
  const key = keyOf(value);
  const target = key === undefined ? undefined : referenced.get(key);
  if (target !== undefined) return { ...select(target, nested, referenced) } as Json;
  if (!isObject(value)) return value;
  return Object.fromEntries([...nested.members.keys()].map((name) => [name, value[name] ?? null]));
}
