import type { Text } from "../texts.ts";
import {
  type CatalogRecord,
  type Json,
  DOCUMENT_DEPTH_MAX,
  isObject,
  isTooDeep,
  keyOf,
  memberOf,
  omitMembers,
} from "../record.ts";
import { type FailurePlace, type WriteFailure, documentFailure, missingRecordFailure } from "./failure.ts";
import { isSameValue } from "./members.ts";

type ConnectResult = { readonly document: CatalogRecord } | { readonly failure: WriteFailure };

const TYPED = new Set(["/type/text", "/type/datetime"]);

/**
 * Changes one property of a document: `update` sets a value, `update_list` an array, `insert` adds an element to an
 * array unless it is present, `delete` removes it. A value of null removes the property.
 */
function connectMember(
  document: CatalogRecord,
  change: CatalogRecord,
  at: Required<FailurePlace>,
): ConnectResult {
  const value = valueOf(change);
  if (value === undefined)
    return { failure: documentFailure({ key: "bad_data.missing_member", values: { name: "value" } }, at) };
  const { connect = null } = change;
  const { property: name } = at;
  if (connect === "update" || connect === "update_list") {
    const isFit = value === null || Array.isArray(value) === (connect === "update_list");
    if (isFit) return { document: withMember(document, name, value) };
    const key = connect === "update" ? "bad_data.atom_expected" : "bad_data.list_expected";
    return { failure: documentFailure({ key }, at, value) };
  }
  if (connect !== "insert" && connect !== "delete") {
    return { failure: documentFailure({ key: "bad_data.connect" }, at, connect) };
  }
  const elements = memberOf(document, name) ?? [];
  if (!Array.isArray(elements))
    return { failure: documentFailure({ key: "bad_data.list_expected" }, at, elements) };
  return { document: withMember(document, name, changeElements(elements, connect, value)) };
}

function changeElements(elements: readonly Json[], connect: "insert" | "delete", value: Json): Json[] {
  const index = elements.findIndex((element) => isSameValue(element, value));
  if (connect === "delete") return elements.filter((_element, other) => other !== index);
  return index === -1 ? [...elements, value] : [...elements];
}

/** Returns the value of a change, or a reference for a key. Returns undefined if it has neither. */
function valueOf(change: CatalogRecord): Json | undefined {
  const key = memberOf(change, "key");
  if (key !== undefined) return key === null ? null : { key };
  const value = memberOf(change, "value");
  const type = keyOf(change["type"]);
  return type !== undefined && TYPED.has(type) && value !== undefined ? { type, value } : value;
}

/** Sets a member. Null and empty arrays are never stored, so they remove the member. */
function withMember(document: CatalogRecord, name: string, value: Json): CatalogRecord {
  const isNothing = value === null || (Array.isArray(value) && value.length === 0);
  return isNothing ? omitMembers(document, name) : { ...document, [name]: value };
}

export const WRITE_QUERY_RECORDS_MAX = 1000;

export interface WriteQueryResult {
  /** Complete documents that are new or differ from the stored ones, in the order of the query. */
  readonly documents: readonly CatalogRecord[];
  readonly created: readonly string[];
  readonly updated: readonly string[];
  readonly failures: readonly WriteFailure[];
}

/** Returns the keys of the records in a write query, to be read before it is applied. */
export function keysOfQuery(query: Json): string[] {
  return [...new Set(stepsOf(query).steps.map(({ key }) => key))];
}

/**
 * Applies a write query of the older API to stored documents: an object or an array of objects, each with a `key`.
 * `create: "unless_exists"` creates a missing record from all members of its object. For an existing record, the
 * members `{connect, value}` and `{connect, key}` change one property each, and all other members are ignored. Nested
 * objects with a key are applied first and referred to. Pure function.
 */
export function applyQuery(query: Json, stored: ReadonlyMap<string, CatalogRecord>): WriteQueryResult {
  const { steps, failures } = stepsOf(query);
  const documents = new Map<string, CatalogRecord>();
  for (const step of steps) {
    const { key } = step;
    const applied = applyStep(step, documents.get(key) ?? stored.get(key), failures);
    if (applied !== undefined) documents.set(key, applied);
  }
  const isNew = (key: string): boolean => !stored.has(key);
  const changed = [...documents].filter(([key, document]) => !isSameValue(document, stored.get(key)));
  const keys = changed.map(([key]) => key);
  return {
    documents: changed.map(([, document]) => document),
    created: keys.filter(isNew),
    updated: keys.filter((key) => !isNew(key)),
    failures,
  };
}

interface Step {
  readonly key: string;
  readonly create: Json | undefined;
  readonly members: readonly (readonly [string, Json])[];
}

function rejectQuery(text: Text) {
  return { steps: [], failures: [documentFailure(text, undefined)] };
}

function stepsOf(query: Json): { steps: Step[]; failures: WriteFailure[] } {
  if (isTooDeep(query)) return rejectQuery({ key: "bad_data.depth", values: { most: DOCUMENT_DEPTH_MAX } });
  const steps: Step[] = [];
  const failures: WriteFailure[] = [];
  for (const [index, object] of (Array.isArray(query) ? query : [query]).entries()) {
    if (isObject(object) && typeof object["key"] === "string") flatten(object, steps);
    else failures.push(documentFailure({ key: "bad_data.query_without_key", values: { index } }, undefined));
  }
  return steps.length > WRITE_QUERY_RECORDS_MAX
    ? rejectQuery({ key: "bad_data.too_many", values: { most: WRITE_QUERY_RECORDS_MAX } })
    : { steps, failures };
}

/** Adds the objects with a key to `steps`, and returns the value with references in their place. */
function flatten(value: Json, steps: Step[]): Json {
  if (Array.isArray(value)) return value.map((element) => flatten(element, steps));
  if (!isObject(value)) return value;
  const members = Object.entries(value).map(([name, inner = null]): [string, Json] => [
    name,
    flatten(inner, steps),
  ]);
  const { key, connect, create } = value;
  const ownMembers = members.filter(([name]) => !["key", "connect", "create"].includes(name));
  if (typeof key !== "string" || (ownMembers.length === 0 && create === undefined)) {
    return Object.fromEntries(members);
  }
  steps.push({ key, create, members: ownMembers });
  return connect === undefined ? { key } : { connect, key };
}

function applyStep(
  { key, create, members }: Step,
  before: CatalogRecord | undefined,
  failures: WriteFailure[],
): CatalogRecord | undefined {
  if (create !== undefined && create !== "unless_exists") {
    failures.push(documentFailure({ key: "bad_data.create" }, { key, property: "create" }, create));
    return undefined;
  }
  if (before === undefined && create === undefined) {
    failures.push(missingRecordFailure(key, { key }));
    return undefined;
  }
  let document: CatalogRecord = before ?? { key };
  for (const [name, value] of members) {
    const at = { key, property: name };
    if (isObject(value) && Object.hasOwn(value, "connect")) {
      const result = connectMember(document, value, at);
      if ("failure" in result) failures.push(result.failure);
      else document = result.document;
    } else if (before === undefined) document = { ...document, [name]: value };
  }
  return document;
}
