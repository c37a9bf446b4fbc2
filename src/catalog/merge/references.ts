import { type CatalogRecord, type Json, isObject } from "../record.ts";
import { VIEW_DEPTH_MAX, readView } from "../view.ts";
import { distinct } from "./distinct.ts";

/** True when some object inside the document has one of the keys; the document's own key is not meant. */
export function refersTo(document: CatalogRecord, keys: ReadonlySet<string>): boolean {
  return Object.values(document).some((value) => holdsKey(value, keys, 1));
}

function holdsKey(value: Json | undefined, keys: ReadonlySet<string>, depth: number): boolean {
  if (typeof value !== "object" || value === null || depth > VIEW_DEPTH_MAX) return false;
  if (isObject(value) && isNamed(value, keys)) return true;
  return Object.values(value).some((inner) => holdsKey(inner, keys, depth + 1));
}

function isNamed({ key }: CatalogRecord, keys: ReadonlySet<string>): boolean {
  return typeof key === "string" && keys.has(key);
}

/**
 * The document with every object `{key}` that names one of `from` naming `to` instead, and then equal elements of
 * every array collapsed, the first kept (records.md 5.2 effect 2). The document itself when it names none of them; else
 * it comes as readers get it (1.7): canonical keys, regular tables of contents.
 */
export function replaceReferences(
  document: CatalogRecord,
  from: ReadonlySet<string>,
  to: string,
): CatalogRecord {
  // References of the early years are spelt otherwise until they are read.
  const view = readView(document);
  if (!refersTo(view, from)) return document;
  // Q120: every array of the document, whatever it holds.
  const replacing = { from, to };
  return Object.fromEntries(
    Object.entries(view).map(([name, value]) => [name, replaced(value, replacing, 1)]),
  );
}

interface Replacing {
  readonly from: ReadonlySet<string>;
  readonly to: string;
}

function replaced(value: Json | undefined, replacing: Replacing, depth: number): Json | undefined {
  if (typeof value !== "object" || value === null || depth > VIEW_DEPTH_MAX) return value;
  if (Array.isArray(value)) {
    return distinct(value.map((element) => replaced(element, replacing, depth + 1) ?? null));
  }
  const named = isNamed(value, replacing.from) ? { ...value, key: replacing.to } : value;
  return Object.fromEntries(
    Object.entries(named).map(([name, inner]) => [name, replaced(inner, replacing, depth + 1)]),
  );
}
