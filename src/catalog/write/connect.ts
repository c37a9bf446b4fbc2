import { type CatalogRecord, type Json, keyOf } from "../record.ts";
import type { FailurePlace, WriteFailure } from "./failure.ts";
import { badDocument } from "./failures.ts";
import { isSame, member } from "./same.ts";

/** A change of one property: `{connect, value}` or `{connect, key}`. */
interface Connection {
  readonly name: string;
  readonly change: CatalogRecord;
  readonly at: FailurePlace;
}

/** What became of it. */
type Connected = { readonly document: CatalogRecord } | { readonly failure: WriteFailure };

/** Types whose values are stored with their type beside them. */
const TYPED = new Set(["/type/text", "/type/datetime"]);

/**
 * Changes one property of a document (records.md 4.7): `update` sets a value, `update_list` an array, `insert` adds
 * an element to an array unless it is there, `delete` takes it out. A value of null takes the property away.
 */
export function connected(document: CatalogRecord, { name, change, at }: Connection): Connected {
  const value = valueOf(change);
  if (value === undefined) return { failure: badDocument("missing value", at) };
  const { connect = null } = change;
  if (connect === "update" || connect === "update_list") {
    const isFit = value === null || Array.isArray(value) === (connect === "update_list");
    if (isFit) return { document: withMember(document, name, value) };
    const message = connect === "update" ? "expected atom, found list" : "expected list, found atom";
    return { failure: badDocument(message, at, value) };
  }
  if (connect !== "insert" && connect !== "delete") {
    return { failure: badDocument("Bad connect", at, connect) };
  }
  const elements = member(document, name) ?? [];
  if (!Array.isArray(elements)) return { failure: badDocument("expected list, found atom", at, elements) };
  return { document: withMember(document, name, changedElements(elements, connect, value)) };
}

function changedElements(elements: readonly Json[], connect: "insert" | "delete", value: Json): Json[] {
  const index = elements.findIndex((element) => isSame(element, value));
  if (connect === "delete") return elements.filter((_element, other) => other !== index);
  return index === -1 ? [...elements, value] : [...elements];
}

/** The value of a change; a reference for a key; undefined when it has neither. */
function valueOf(change: CatalogRecord): Json | undefined {
  const key = member(change, "key");
  if (key !== undefined) return key === null ? null : { key };
  const value = member(change, "value");
  const type = keyOf(change["type"]);
  return type !== undefined && TYPED.has(type) && value !== undefined ? { type, value } : value;
}

/** With null or an array without elements the member goes: neither is ever stored. */
function withMember(document: CatalogRecord, name: string, value: Json): CatalogRecord {
  const isNothing = value === null || (Array.isArray(value) && value.length === 0);
  if (!isNothing) return { ...document, [name]: value };
  return Object.fromEntries(Object.entries(document).filter(([other]) => other !== name));
}
