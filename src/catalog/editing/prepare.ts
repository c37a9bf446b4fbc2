import type { Text } from "../texts.ts";
import { findControl } from "../storable-text.ts";
import {
  type CatalogRecord,
  type Json,
  typeKeyOf,
  DOCUMENT_BYTES,
  DOCUMENT_DEPTH_MAX,
  isTooDeep,
  memberOf,
} from "../record.ts";
import { typeDefinitionOf, OWN_MEMBERS, findProperty } from "../types.ts";
import { type WriteFailure, documentFailure } from "./failure.ts";
import {
  type PrepareContext,
  type PreparedWrite,
  type Attempt,
  type StoredForWrite,
  checkRights,
  formatDocument,
} from "./rights.ts";
import { type ValueChecker, ANY_TYPE, checkMemberValue, typeOfValue, checkReference } from "./values.ts";
import { utf8Length } from "../bytes.ts";
import { toReadView } from "../document.ts";
import { findListProblem, isBlankMember, isSameValue, contentMembersOf } from "./members.ts";

export const WRITE_FAILURES_MAX = 1000;

/**
 * Runs documents through the part of the save pipeline that needs no database: names, types, keys and values. Reports
 * all failures of all documents, up to `WRITE_FAILURES_MAX`; if there are any, nothing may be stored. Of two documents
 * with one key the last counts. References among the documents resolve to them. Pure function that does not change the
 * documents.
 */
export function prepareWrites(
  documents: readonly CatalogRecord[],
  context: PrepareContext,
): { writes: PreparedWrite[]; failures: WriteFailure[] } {
  const failures: WriteFailure[] = [];
  const fail = (failure: WriteFailure): void => {
    if (failures.length < WRITE_FAILURES_MAX) failures.push(failure);
  };
  for (const [index, document] of documents.entries()) {
    if (validKeyOf(document) !== undefined) continue;
    const { key } = document;
    const text: Text =
      typeof key === "string"
        ? { key: "bad_data.document_key", values: { key, index } }
        : { key: "bad_data.document_without_key", values: { index } };
    fail(documentFailure(text, undefined));
  }
  const batch = indexByKey(documents);
  const typeOf = (key: string): string | undefined => {
    if (typeDefinitionOf(key) !== undefined) return "/type/type";
    const inBatch = batch.get(key);
    return inBatch === undefined ? context.referenceTypes.get(key) : (typeKeyOf(inBatch) ?? ANY_TYPE);
  };
  const { anyText = false } = context.rules;
  const writes = [...batch].flatMap(
    ([key, document]) => prepareDocument(document, { key, typeOf, fail, anyText }, context) ?? [],
  );
  return { writes, failures };
}

/**
 * Returns the keys of records that must exist for these documents to be stored, which are the only ones that
 * `prepareWrites` looks up. Excludes the documents themselves and the types defined in code. Legacy keys are rewritten.
 */
export function referencesOf(documents: readonly CatalogRecord[]): string[] {
  const keys = new Set<string>();
  const batch = indexByKey(documents);
  const typeOf = (key: string): string => {
    if (typeDefinitionOf(key) === undefined && !batch.has(key)) keys.add(key);
    return ANY_TYPE;
  };
  for (const [key, document] of batch) {
    const checking = { key, typeOf, fail: ignoreFailure };
    const type = isTooDeep(document) ? undefined : checkType(document, checking);
    // All values are checked, as if they were new.
    if (type !== undefined) checkMembers({ type, content: contentMembersOf(document) }, undefined, checking);
  }
  return [...keys];
}

function ignoreFailure(): void {
  // `prepareWrites` finds the failure again.
}

/** Returns the last document of each key, in the order of these documents. */
function indexByKey(documents: readonly CatalogRecord[]): ReadonlyMap<string, CatalogRecord> {
  const byKey = new Map<string, CatalogRecord>();
  for (const document of documents) {
    const key = validKeyOf(document);
    if (key === undefined) continue;
    byKey.delete(key);
    byKey.set(key, document);
  }
  return byKey;
}

function validKeyOf({ key }: CatalogRecord): string | undefined {
  return typeof key === "string" && key.startsWith("/") ? key : undefined;
}

const PROPERTY_NAME = /^[a-z][a-z0-9_]*$/;
const PATRON_LIST = /^\/people\/[^/]+\/lists\//;
const LIST_TYPE = "/type/list";
/** Placeholder with the length of every stored time. */
const SOME_TIME = "2000-01-01T00:00:00.000000";

/** Members kept in documents of these types. All others are dropped. */
const STATE_MEMBERS: ReadonlyMap<string, ReadonlySet<string>> = new Map([
  ["/type/delete", new Set(["permission", "child_permission"])],
  ["/type/redirect", new Set(["location", "permission", "child_permission"])],
]);

/** Runs one document through the save pipeline. Returns undefined if its type or depth prevents further checks. */
function prepareDocument(
  document: CatalogRecord,
  checking: ValueChecker,
  context: PrepareContext,
): PreparedWrite | undefined {
  const { key } = checking;
  if (isTooDeep(document)) {
    checking.fail(documentFailure({ key: "bad_data.depth", values: { most: DOCUMENT_DEPTH_MAX } }, { key }));
    return undefined;
  }
  const before = context.stored.get(key);
  const old = before === undefined || before.type !== typeKeyOf(document) ? undefined : oldMembersOf(before);
  checkNames(document, old, { ...checking, isFree: context.rules.anyKey });
  const type = checkType(document, checking);
  if (type === undefined) return undefined;
  const content = contentMembersOf(document);
  if (old !== undefined && (isSameValue(content, old.stored) || isSameValue(content, old.view))) {
    return { key, type, members: old.stored, before, isChanged: false };
  }
  checkRights({ type, before, content }, checking, context);
  return prepareChange({ type, before, content }, old, checking);
}

interface OldMembers {
  readonly stored: CatalogRecord;
  readonly view: CatalogRecord;
}

function oldMembersOf({ document }: StoredForWrite): OldMembers {
  const view = toReadView(document);
  const stored = contentMembersOf(document);
  return { stored, view: view === document ? stored : contentMembersOf(view) };
}

function prepareChange(attempt: Attempt, old: OldMembers | undefined, checking: ValueChecker): PreparedWrite {
  const { type, before } = attempt;
  const { key } = checking;
  const members = checkMembers(attempt, old, checking);
  const isChanged = old === undefined || !isSameValue(members, old.stored);
  const revision = (before?.revision ?? 0) + 1;
  const text = formatDocument({ key, type, members }, { revision, created: SOME_TIME, now: SOME_TIME });
  if (isChanged && utf8Length(text) > DOCUMENT_BYTES) {
    const reason: Text = { key: "too_large.document", values: { most: DOCUMENT_BYTES } };
    checking.fail({ status: 413, error: "too_large", text: reason, at: { key } });
  }
  return { key, type, members, before, isChanged };
}

function checkMembers(
  { type, content }: Pick<Attempt, "type" | "content">,
  old: OldMembers | undefined,
  checking: ValueChecker,
): CatalogRecord {
  const state = STATE_MEMBERS.get(type);
  const entries = Object.entries(content)
    // Q90: a deleted record has no members left.
    .filter(([name]) => state === undefined || state.has(name))
    .map(([name, value = null]): [string, Json] => [
      name,
      findUnchanged(name, value, old) ?? checkMember({ type, name, value, old }, checking),
    ]);
  return Object.fromEntries(entries);
}

/** Checks a member. Q94: in an array that no type declares, only new elements are checked. */
function checkMember(
  { type, name, value, old }: { type: string; name: string; value: Json; old: OldMembers | undefined },
  checking: ValueChecker,
): Json {
  const stored = old === undefined ? undefined : memberOf(old.stored, name);
  if (checking.anyText !== true && hasNewControl(value, stored)) {
    checking.fail(documentFailure({ key: "bad_data.control" }, { key: checking.key, property: name }));
  }
  const problem = findListProblem(type, value, stored);
  if (problem !== undefined) checking.fail(documentFailure(problem, { key: checking.key, property: name }));
  if (!Array.isArray(value) || !Array.isArray(stored) || findProperty(type, name) !== undefined) {
    return checkMemberValue(checking, type, { name, value });
  }
  const known = new Set(stored.map((element) => JSON.stringify(element)));
  const added = value.filter((element) => !known.has(JSON.stringify(element)));
  checkMemberValue(checking, type, { name, value: added });
  return value;
}

/** Returns true if a value has control characters (Q777), except in elements of the stored array: dumps have them. */
function hasNewControl(value: Json, stored: Json | undefined): boolean {
  if (findControl(value) === undefined) return false;
  if (!Array.isArray(value) || !Array.isArray(stored)) return true;
  return value.some(
    (element) => findControl(element) !== undefined && !stored.some((known) => isSameValue(element, known)),
  );
}

/** Returns the stored value if a client sends back the value it read. Q94: such a value is not checked again. */
function findUnchanged(name: string, value: Json, old: OldMembers | undefined): Json | undefined {
  if (old === undefined) return undefined;
  const stored = memberOf(old.stored, name);
  if (isSameValue(value, stored)) return value;
  if (!isSameValue(value, memberOf(old.view, name))) return undefined;
  // Q91: readers get normalised values, but the stored one is kept. A title was joined with its prefix, which is not
  // sent.
  return name === "title" ? value : (stored ?? value);
}

/** Checks member names. Administrators, who may restore old revisions, may store any member in a list. */
function checkNames(
  document: CatalogRecord,
  old: OldMembers | undefined,
  { key, fail, isFree }: ValueChecker & { isFree: boolean },
): void {
  const isList = !isFree && PATRON_LIST.test(key) && typeKeyOf(document) === LIST_TYPE;
  for (const [name, value] of Object.entries(document)) {
    if (PROPERTY_NAME.test(name) && !(isList && isFreeMemberOfList(name))) continue;
    const isOld = old !== undefined && isSameValue(value, memberOf(old.stored, name));
    if (!isOld)
      fail(documentFailure({ key: "bad_data.property", values: { name } }, { key, property: name }));
  }
}

/** Returns true for undeclared members of a list, in which patrons could store documents of any size. */
function isFreeMemberOfList(name: string): boolean {
  return name !== "seeds" && !OWN_MEMBERS.has(name) && findProperty(LIST_TYPE, name) === undefined;
}

/** Returns the key of the document's type. Reports a failure if there is none or it is not a type. */
function checkType(document: CatalogRecord, checking: ValueChecker): string | undefined {
  const at = { key: checking.key, property: "type" };
  const value = memberOf(document, "type") ?? null;
  if (isBlankMember(value)) {
    checking.fail(documentFailure({ key: "bad_data.missing_type" }, at));
    return undefined;
  }
  const type = typeKeyOf(document);
  if (type === undefined) {
    const values = { expected: "/type/type", found: typeOfValue(value) };
    checking.fail(documentFailure({ key: "bad_data.type_expected", values }, at, value));
    return undefined;
  }
  const metaType = checkReference(checking, type, at);
  if (metaType === undefined) return undefined;
  if (metaType === "/type/type" || metaType === ANY_TYPE) return type;
  const values = { expected: "/type/type", found: metaType };
  checking.fail(documentFailure({ key: "bad_data.type_expected", values }, at, value));
  return undefined;
}
