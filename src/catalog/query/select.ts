import { type CatalogRecord, type Json, isObject, keyOf } from "../record.ts";
import type { Selection } from "./record-query.ts";

/** Records by key, as far as they have been looked up; undefined for those that do not exist. */
export type Referenced = ReadonlyMap<string, CatalogRecord | undefined>;

/** Keys of the records that a selection wants members of and that have not been looked up yet. */
export function referencedKeys(
  records: readonly CatalogRecord[],
  selection: Selection,
  referenced: Referenced,
): string[] {
  const keys = new Set<string>();
  for (const record of records) addKeys(record, selection, { referenced, keys });
  return [...keys];
}

interface Search {
  readonly referenced: Referenced;
  readonly keys: Set<string>;
}

function addKeys(value: Json | undefined, selection: Selection, search: Search): void {
  if (Array.isArray(value)) {
    for (const element of value) addReferred(element, selection, search);
  } else if (isObject(value)) {
    for (const [name, nested] of selection.members) {
      if (nested !== null) addReferred(member(value, name), nested, search);
    }
  }
}

function addReferred(value: Json, selection: Selection, search: Search): void {
  const key = keyOf(value);
  if (key === undefined) addKeys(value, selection, search);
  else if (search.referenced.has(key)) addKeys(search.referenced.get(key), selection, search);
  else search.keys.add(key);
}

/** The members of a record that a selection wants, `key` first, absent ones as null. */
export function select(record: CatalogRecord, selection: Selection, referenced: Referenced): CatalogRecord {
  const chosen = new Map<string, Json | undefined>([["key", member(record, "key")]]);
  if (selection.all) for (const [name, value] of Object.entries(record)) chosen.set(name, value);
  for (const [name, nested] of selection.members) {
    const value = member(record, name);
    chosen.set(name, nested === null ? value : selectNested(value, nested, referenced));
  }
  return Object.fromEntries(chosen);
}

function selectNested(value: Json, nested: Selection, referenced: Referenced): Json {
  if (Array.isArray(value)) return value.map((element) => selectNested(element, nested, referenced));
  const key = keyOf(value);
  if (key !== undefined) {
    const target = referenced.get(key);
    return target === undefined ? value : select(target, nested, referenced);
  }
  if (!isObject(value) || nested.all) return value;
  const members = [...nested.members].map(([name, deeper]) => {
    const own = member(value, name);
    return [name, deeper === null ? own : selectNested(own, deeper, referenced)] as const;
  });
  return Object.fromEntries(members);
}

/** A member that the object itself has, else null. */
function member(object: CatalogRecord, name: string): Json {
  return Object.hasOwn(object, name) ? (object[name] ?? null) : null;
}
