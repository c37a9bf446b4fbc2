import type { WriteFailure } from "../../catalog/editing/failure.ts";
import { cutLists } from "../../catalog/editing/members.ts";
import { prepareWrites, referencesOf } from "../../catalog/editing/prepare.ts";
import type { PreparedWrite } from "../../catalog/editing/rights.ts";
import { findMissingMember } from "../../catalog/editing/values.ts";
import { makeKey } from "../../catalog/key-numbers.ts";
import { type CatalogRecord, type Json, isObject, typeKeyOf } from "../../catalog/record.ts";
import { ImportFailure } from "../../import/failure.ts";
import { type Decision, COVER_TO_COME } from "../../import/records/decision.ts";
import type { LanguageIndex } from "../../import/records/snapshot.ts";
import { TYPES } from "../editing/read-state.ts";
import { type Database, batchGroups, overList } from "../statement.ts";
import type { Reading } from "./read-found.ts";

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
  readonly reading: Reading;
  readonly languages: LanguageIndex;
  readonly prefix: string;
}

/** First number of draft keys: higher than any sequence value and any id (key-numbers.ts). */
const DRAFT_NUMBER = 10_000_000_000_000;
const LANGUAGE = "/type/language";

/**
 * Passes the documents of a decision through the save pipeline. Throws ImportFailure `bad-request` with the validation
 * error. Needs one more statement if the documents refer to records not read yet.
 */
export async function prepareDraft(
  database: Database,
  decision: Decision,
  context: DraftContext,
): Promise<Draft> {
  const keys = decision.created.map((record, index) => draftKey(record, index, context.prefix));
  const names = new Map(keys.map((key, index) => [`/__new__/${index}`, key]));
  const created = decision.created.map((record, index) => ({
    ...withReferences(cutLists(record), names),
    key: keys[index] ?? "",
  }));
  const { stored } = context.reading;
  const edits = decision.edits.map((record) => {
    const before = stored.get(String(record["key"]))?.document;
    return withReferences(cutLists(record, before), names);
  });
  const types = await readReferenceTypes(database, { created, edits }, context);
  const { writes, failures } = prepareWrites([...created, ...edits], {
    prefix: context.prefix,
    stored,
    referenceTypes: types.all,
    // The keys of new records were assigned here; an import neither deletes nor protects.
    rules: { anyKey: false, mayDelete: false, mayCreate: () => true },
  });
  const all = [...created.flatMap((record) => findMissingMember(record) ?? []), ...failures];
  if (all[0] !== undefined) throw toBadRequest(all[0], new Map(keys.map((key) => [key, displayKeyOf(key)])));
  return { decision, keys, writes: writes.filter(({ isChanged }) => isChanged), types: types.outside };
}

function draftKey(record: CatalogRecord, index: number, prefix: string): string {
  const key = makeKey(typeKeyOf(record) ?? "", { prefix, number: DRAFT_NUMBER + index, owner: null });
  if (key === undefined) throw new Error(`an import makes no ${typeKeyOf(record)}`);
  return key;
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

export function withCover(members: CatalogRecord, cover: number): CatalogRecord {
  const { covers } = members;
  if (!Array.isArray(covers) || !covers.includes(COVER_TO_COME)) return members;
  return { ...members, covers: covers.map((value) => (value === COVER_TO_COME ? cover : value)) };
}

/** Returns the types of all referenced records, and separately of those not read as candidates. */
async function readReferenceTypes(
  database: Database,
  { created, edits }: { created: readonly CatalogRecord[]; edits: readonly CatalogRecord[] },
  { reading: { stored }, languages }: DraftContext,
) {
  const changed = edits.map((edit) => changedMembersOf(edit, stored.get(String(edit["key"]))?.document));
  const references = referencesOf([...created, ...changed]).filter((key) => !stored.has(key));
  const { types } = await batchGroups<{ types: { key: string; type: string } }>(database, {
    types: overList(
      references.filter((key) => !languages.keys.has(key)),
      TYPES,
    ),
  });
  const outside = [
    ...types.map(({ key, type }) => [key, type] as const),
    ...references.filter((key) => languages.keys.has(key)).map((key) => [key, LANGUAGE] as const),
  ];
  return {
    all: new Map([...outside, ...[...stored].map(([key, { type }]) => [key, type] as const)]),
    outside,
  };
}

/** Returns only the members that changed: references in unchanged members need no lookup. */
function changedMembersOf(edit: CatalogRecord, before: CatalogRecord = {}): CatalogRecord {
  const isChanged = ([name, value]: [string, unknown]) =>
    name === "key" || name === "type" || JSON.stringify(value) !== JSON.stringify(before[name]);
  return Object.fromEntries(Object.entries(edit).filter(isChanged));
}

// Q341: clients never see draft keys, so errors show them without a number.
/** Converts a failure of the record store, replacing some keys in its text. */
function toBadRequest(failure: WriteFailure, keys: ReadonlyMap<string, string>): ImportFailure {
  const { status: _status, error, ...more } = failure;
  let text = JSON.stringify(more);
  for (const [key, displayKey] of keys) text = text.replaceAll(key, displayKey);
  // Replacing keys keeps the text a JSON object.
  return new ImportFailure("bad-request", error, JSON.parse(text) as Record<string, Json>);
}

/** Returns a key such as `/books/__new__` for the draft key of an edition. */
function displayKeyOf(key: string): string {
  return `${key.slice(0, key.lastIndexOf("/"))}/__new__`;
}
