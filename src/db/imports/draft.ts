import type { WriteFailure } from "../../catalog/editing/failure.ts";
import { cutLists } from "../../catalog/editing/list-limits.ts";
import { prepareWrites, referencesOf } from "../../catalog/editing/prepare.ts";
import type { PreparedWrite } from "../../catalog/editing/rights.ts";
import { requiredMembers } from "../../catalog/editing/values.ts";
import { newKey } from "../../catalog/key-numbers.ts";
import { type CatalogRecord, type Json, isObject, typeKey } from "../../catalog/record.ts";
import { ImportFailure } from "../../import/failure.ts";
import { type Decision, COVER_TO_COME } from "../../import/load/decision.ts";
import type { LanguageIndex } from "../../import/load/found.ts";
import { TYPES } from "../editing/read-state.ts";
import { type Database, batchGroups, overList } from "../statement.ts";
import type { Reading } from "./read-found.ts";

/** What a decision would store, checked as every change is. */
export interface Draft {
  readonly decision: Decision;
  /** Only what changes. New records have draft keys, which no record has ever had. */
  readonly writes: readonly PreparedWrite[];
  /** Draft keys of the new records, in the order of `Decision.created`. */
  readonly keys: readonly string[];
  /** Types of the records outside that the writes refer to and that were not read as candidates. */
  readonly types: readonly (readonly [key: string, type: string])[];
}

interface Ground {
  readonly reading: Reading;
  readonly languages: LanguageIndex;
  readonly prefix: string;
}

/** Numbers of draft keys begin here: beyond what sequences give out and ids hold (record-id.ts). */
const DRAFT_NUMBER = 10_000_000_000_000;
const LANGUAGE = "/type/language";

/**
 * Takes the documents of a decision through the save pipeline. Throws ImportFailure `bad-request` with what is wrong with
 * them. One statement more where they refer to records that nobody has looked at yet.
 */
export async function draftOf(database: Database, decision: Decision, ground: Ground): Promise<Draft> {
  const keys = decision.created.map((record, index) => draftKey(record, index, ground.prefix));
  const names = new Map(keys.map((key, index) => [`/__new__/${index}`, key]));
  const created = decision.created.map((record, index) => ({
    ...withReferences(cutLists(record), names),
    key: keys[index] ?? "",
  }));
  const { stored } = ground.reading;
  const edits = decision.edits.map((record) => {
    const before = stored.get(String(record["key"]))?.document;
    return withReferences(cutLists(record, before), names);
  });
  const types = await referenceTypes(database, { created, edits }, ground);
  const { writes, failures } = prepareWrites([...created, ...edits], {
    prefix: ground.prefix,
    stored,
    referenceTypes: types.all,
    // Keys of new records were given out here; an import neither deletes nor protects.
    rules: { anyKey: false, mayDelete: false, mayCreate: () => true },
  });
  const all = [...created.flatMap((record) => requiredMembers(record) ?? []), ...failures];
  if (all[0] !== undefined) throw badRequest(all[0], new Map(keys.map((key) => [key, folderKey(key)])));
  return { decision, keys, writes: writes.filter(({ isChanged }) => isChanged), types: types.outside };
}

function draftKey(record: CatalogRecord, index: number, prefix: string): string {
  const key = newKey(typeKey(record) ?? "", { prefix, number: DRAFT_NUMBER + index, owner: null });
  if (key === undefined) throw new Error(`an import makes no ${typeKey(record)}`);
  return key;
}

/** A copy of a value, which is made of JSON values, in which references to some keys are to others. */
export function withReferences<Value extends object>(
  value: Value,
  names: ReadonlyMap<string, string>,
): Value {
  // A copy has the shape of the original.
  return renamed(value as Json, names) as object as Value;
}

function renamed(value: Json, names: ReadonlyMap<string, string>): Json {
  if (Array.isArray(value)) return value.map((element) => renamed(element, names));
  if (!isObject(value)) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, member = null]) => [
      name,
      name === "key" && typeof member === "string" ? (names.get(member) ?? member) : renamed(member, names),
    ]),
  );
}

/** Members with the number of a new cover in place of the one to come. */
export function withCover(members: CatalogRecord, cover: number): CatalogRecord {
  const { covers } = members;
  if (!Array.isArray(covers) || !covers.includes(COVER_TO_COME)) return members;
  return { ...members, covers: covers.map((one) => (one === COVER_TO_COME ? cover : one)) };
}

/** Types of what documents refer to: all, and those of records that were not read as candidates. */
async function referenceTypes(
  database: Database,
  { created, edits }: { created: readonly CatalogRecord[]; edits: readonly CatalogRecord[] },
  { reading: { stored }, languages }: Ground,
) {
  const changed = edits.map((edit) => changedMembers(edit, stored.get(String(edit["key"]))?.document));
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

/** What stays as it is refers to nothing that would be looked at. */
function changedMembers(edit: CatalogRecord, before: CatalogRecord = {}): CatalogRecord {
  const isChanged = ([name, value]: [string, unknown]) =>
    name === "key" || name === "type" || JSON.stringify(value) !== JSON.stringify(before[name]);
  return Object.fromEntries(Object.entries(edit).filter(isChanged));
}

// Q341: nobody has seen draft keys; they are told without number.
/** What the record store says of a document, with other names for some keys. */
function badRequest(failure: WriteFailure, keys: ReadonlyMap<string, string>): ImportFailure {
  const { status: _status, error, ...more } = failure;
  let text = JSON.stringify(more);
  for (const [key, shown] of keys) text = text.replaceAll(key, shown);
  // What was an object still is one.
  return new ImportFailure("bad-request", error, JSON.parse(text) as Record<string, Json>);
}

/** `/books/__new__` for a draft key of an edition. */
function folderKey(key: string): string {
  return `${key.slice(0, key.lastIndexOf("/"))}/__new__`;
}
