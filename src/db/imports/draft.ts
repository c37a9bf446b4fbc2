import { type WriteFailure, failureBody } from "../../catalog/editing/failure.ts";
import { cutLists } from "../../catalog/editing/members.ts";
import { prepareWrites, referencesOf } from "../../catalog/editing/prepare.ts";
import type { PrepareContext, PreparedWrite } from "../../catalog/editing/rights.ts";
import { findMissingMember } from "../../catalog/editing/values.ts";
import { makeKey } from "../../catalog/key-numbers.ts";
import {
  type CatalogRecord,
  type Json,
  elementsOf,
  isObject,
  omitMembers,
  typeKeyOf,
} from "../../catalog/record.ts";
import { ImportFailure, storeError } from "../../import/failure.ts";
import { type Decision, withWarnings } from "../../import/records/decision.ts";
import type { LanguageIndex } from "../../import/records/snapshot.ts";
import { type ImportWarning, addWarning } from "../../import/warning.ts";
import { TYPES } from "../editing/read-state.ts";
import { type Database, batchGroups, overList } from "../statement.ts";
import type { ImportReading } from "./read-found.ts";

/** Writes of a decision, checked like every other change. */
export interface Draft {
  readonly decision: Decision;
  /** Changed records only. New records have draft keys, which no stored record ever has. */
  readonly writes: readonly PreparedWrite[];
  /** Draft keys of the new records, in the order of `Decision.created`. */
  readonly keys: readonly string[];
  /** Types of the referenced records that were not read as candidates. */
  readonly types: readonly (readonly [key: string, type: string])[];
}

interface DraftContext {
  readonly reading: ImportReading;
  readonly languages: LanguageIndex;
  readonly prefix: string;
}

/** First number of draft keys: higher than any sequence value and any id (key-numbers.ts). */
const DRAFT_NUMBER = 10_000_000_000_000;
const LANGUAGE = "/type/language";

/** Members without which a document would be another one. */
const NEEDED: ReadonlySet<string> = new Set(["type", "title", "name", "works", "authors", "source_records"]);

/**
 * Passes the documents of a decision through the save pipeline. Values that cannot be stored are dropped with a warning;
 * for others throws ImportFailure `bad-request` with the validation error. Needs one more statement if the documents
 * refer to records not read yet.
 */
export async function prepareDraft(
  database: Database,
  decision: Decision,
  { reading: { stored }, languages, prefix }: DraftContext,
): Promise<Draft> {
  const keys = decision.created.map((record, index) => {
    const type = typeKeyOf(record) ?? "";
    const key = makeKey(type, { prefix, number: DRAFT_NUMBER + index, owner: null });
    if (key === undefined) throw new Error(`an import makes no ${type}`);
    return key;
  });
  const names = new Map(keys.map((key, index) => [`/__new__/${index}`, key]));
  const warnings = [...(decision.reply.warnings ?? [])];
  const created = decision.created.map((record, index) => ({
    ...withReferences(cutDocument(record, {}, warnings), names),
    key: keys[index] ?? "",
  }));
  const storedDocument = (key: Json | undefined) => stored.get(String(key))?.document ?? {};
  const edits = decision.edits.map((record) =>
    withReferences(cutDocument(record, storedDocument(record["key"]), warnings), names),
  );
  // References in unchanged members need no lookup.
  const changed = edits.map((edit) => changedMembers(edit, storedDocument(edit["key"])));
  const references = referencesOf([...created, ...changed]).filter((key) => !stored.has(key));
  const unknown = references.filter((key) => !languages.keys.has(key));
  const read = await batchGroups<{ types: { key: string; type: string } }>(database, {
    types: overList(unknown, TYPES),
  });
  const types = [
    ...read.types.map(({ key, type }) => [key, type] as const),
    ...references.filter((key) => languages.keys.has(key)).map((key) => [key, LANGUAGE] as const),
  ];
  const saving: PrepareContext = {
    prefix,
    stored,
    referenceTypes: new Map([...types, ...[...stored].map(([key, { type }]) => [key, type] as const)]),
    // The keys of new records were assigned here; an import neither deletes nor protects.
    rules: { anyKey: false, mayDelete: false, mayCreate: () => true },
  };
  const documents = [...created, ...edits];
  const whole = prepareWrites(documents, saving);
  const storable = dropRefused(documents, whole.failures, { stored, warnings });
  const { writes, failures } = storable === undefined ? whole : prepareWrites(storable, saving);
  const [failed] = [...created.flatMap((record) => findMissingMember(record) ?? []), ...failures];
  if (failed !== undefined) throw toBadRequest(failed, keys);
  return {
    decision: withWarnings(decision, warnings),
    keys,
    writes: writes.filter(({ isChanged }) => isChanged),
    types,
  };
}

/** Cuts the lists of a document to the limits, and adds dropped elements to `warnings`. */
function cutDocument(
  document: CatalogRecord,
  before: CatalogRecord,
  warnings: ImportWarning[],
): CatalogRecord {
  const cut = cutLists(document, before);
  if (cut === document) return document;
  for (const [name, value] of Object.entries(document)) {
    const left = new Set(elementsOf(cut[name]));
    for (const element of elementsOf(value)) {
      if (!left.has(element)) addWarning(warnings, "too-long", [name, element]);
    }
  }
  return cut;
}

/**
 * Returns the documents without the values that the record store refuses, which are added to `warnings`: a stored record
 * keeps its own. Returns undefined if there are none, or if any failure has another cause.
 */
function dropRefused(
  documents: readonly CatalogRecord[],
  failures: readonly WriteFailure[],
  { stored, warnings }: { stored: ImportReading["stored"]; warnings: ImportWarning[] },
): CatalogRecord[] | undefined {
  const refused = failures.map(({ error, at, value }) => {
    const [member = ""] = at?.property?.split(".") ?? [];
    return {
      isValue: error === "bad_data" && member !== "",
      key: at?.key,
      path: at?.property,
      member,
      value,
    };
  });
  if (refused.length === 0 || refused.some(({ isValue, member }) => !isValue || NEEDED.has(member)))
    return undefined;
  for (const { path = "", value = null } of refused) addWarning(warnings, "invalid-value", [path, value]);
  return documents.map((document) => {
    const { key } = document;
    const names = refused.filter((one) => one.key === key).map(({ member }) => member);
    const before = stored.get(String(key))?.document ?? {};
    const kept = names.flatMap((name) =>
      Object.hasOwn(before, name) ? [[name, before[name]] as const] : [],
    );
    return { ...omitMembers(document, ...names), ...Object.fromEntries(kept) };
  });
}

/** Returns a copy of a JSON value in which the `key` references found in `names` are replaced. */
export function withReferences<Value extends object>(
  value: Value,
  names: ReadonlyMap<string, string>,
): Value {
  // A copy has the shape of the original.
  return replaceReferences(value as Json, names) as object as Value;
}

function replaceReferences(value: Json, names: ReadonlyMap<string, string>): Json {
  if (Array.isArray(value)) return value.map((element) => replaceReferences(element, names));
  if (!isObject(value)) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, member = null]) => [
      name,
      name === "key" && typeof member === "string"
        ? (names.get(member) ?? member)
        : replaceReferences(member, names),
    ]),
  );
}

function changedMembers(edit: CatalogRecord, before: CatalogRecord): CatalogRecord {
  const isChanged = ([name, value]: [string, unknown]) =>
    name === "key" || name === "type" || JSON.stringify(value) !== JSON.stringify(before[name]);
  return Object.fromEntries(Object.entries(edit).filter(isChanged));
}

/** Converts a failure of the record store. Q341: clients see draft keys without a number, such as `/books/__new__`. */
function toBadRequest(failure: WriteFailure, draftKeys: readonly string[]): ImportFailure {
  const { error, ...more } = failureBody(failure);
  let text = JSON.stringify(more);
  for (const key of draftKeys) text = text.replaceAll(key, `${key.slice(0, key.lastIndexOf("/"))}/__new__`);
  // Replacing keys keeps the text a JSON object.
  return new ImportFailure("bad-request", storeError(error), JSON.parse(text) as Record<string, Json>);
}
