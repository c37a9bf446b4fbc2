import {
  type CatalogRecord,
  type Json,
  DOCUMENT_BYTES,
  DOCUMENT_DEPTH_MAX,
  isTooDeep,
  memberOf,
  typeKey,
} from "../record.ts";
import { OWN_MEMBERS, declaredProperty } from "../types.ts";
import { utf8Length } from "../bytes.ts";
import { readView } from "../document.ts";
import { badDocument } from "./failure.ts";
import { listProblem, isBlank, isSame, withoutBlanks } from "./members.ts";
import {
  type Attempt,
  type PrepareContext,
  type PreparedWrite,
  type StoredForWrite,
  checkRights,
  documentText,
} from "./rights.ts";
import { type Checking, ANY_TYPE, checkedMember, foundType, referencedType } from "./values.ts";

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
export function preparedDocument(
  document: CatalogRecord,
  checking: Checking,
  context: PrepareContext,
): PreparedWrite | undefined {
  const { key } = checking;
  if (isTooDeep(document)) {
    checking.fail(badDocument(`nested deeper than ${DOCUMENT_DEPTH_MAX} values`, { key }));
    return undefined;
  }
  const before = context.stored.get(key);
  const old = before === undefined || before.type !== typeKey(document) ? undefined : oldMembers(before);
  checkNames(document, old, { ...checking, isFree: context.rules.anyKey });
  const type = checkedType(document, checking);
  if (type === undefined) return undefined;
  const sent = withoutBlanks(document);
  if (old !== undefined && (isSame(sent, old.stored) || isSame(sent, old.seen))) {
    return { key, type, members: old.stored, before, isChanged: false };
  }
  checkRights({ type, before, sent }, checking, context);
  return changedDocument({ type, before, sent }, old, checking);
}

/** Checks the declared and free values of a document as if all were new, for `referencesOf`. */
export function checkEverything(document: CatalogRecord, checking: Checking): void {
  const type = isTooDeep(document) ? undefined : checkedType(document, checking);
  if (type !== undefined)
    keptMembers({ type, before: undefined, sent: withoutBlanks(document) }, undefined, checking);
}

/** Members of the stored document: as stored, and as readers see them. */
interface OldMembers {
  readonly stored: CatalogRecord;
  readonly seen: CatalogRecord;
}

function oldMembers({ document }: StoredForWrite): OldMembers {
  const view = readView(document);
  const stored = withoutBlanks(document);
  return { stored, seen: view === document ? stored : withoutBlanks(view) };
}

function changedDocument(attempt: Attempt, old: OldMembers | undefined, checking: Checking): PreparedWrite {
  const { type, before } = attempt;
  const { key } = checking;
  const members = keptMembers(attempt, old, checking);
  const isChanged = old === undefined || !isSame(members, old.stored);
  const revision = (before?.revision ?? 0) + 1;
  const text = documentText({ key, type, members }, { revision, created: SOME_TIME, now: SOME_TIME });
  if (isChanged && utf8Length(text) > DOCUMENT_BYTES) {
    const message = `the document is larger than ${DOCUMENT_BYTES} bytes`;
    checking.fail({ status: 413, error: "too_large", message, at: { key } });
  }
  return { key, type, members, before, isChanged };
}

function keptMembers(
  { type, sent }: Attempt,
  old: OldMembers | undefined,
  checking: Checking,
): CatalogRecord {
  const state = STATE_MEMBERS.get(type);
  const entries = Object.entries(sent)
    // Q90: a deleted record has no members left.
    .filter(([name]) => state === undefined || state.has(name))
    .map(([name, value = null]): [string, Json] => [
      name,
      unchanged(name, value, old) ?? keptMember({ type, name, value, old }, checking),
    ]);
  return Object.fromEntries(entries);
}

interface SentMember {
  readonly type: string;
  readonly name: string;
  readonly value: Json;
  readonly old: OldMembers | undefined;
}

/**
 * Checks a member. Q94: in an array that no type declares, such as the seeds of a list, only the new elements are
 * checked.
 */
function keptMember({ type, name, value, old }: SentMember, checking: Checking): Json {
  const stored = old === undefined ? undefined : memberOf(old.stored, name);
  const problem = listProblem(type, value, stored);
  if (problem !== undefined) checking.fail(badDocument(problem, { key: checking.key, property: name }));
  if (!Array.isArray(value) || !Array.isArray(stored) || declaredProperty(type, name) !== undefined) {
    return checkedMember(checking, type, { name, value });
  }
  const known = new Set(stored.map((element) => JSON.stringify(element)));
  const added = value.filter((element) => !known.has(JSON.stringify(element)));
  checkedMember(checking, type, { name, value: added });
  return value;
}

/** Returns the stored value if a client sends back the value it read. Q94: such a value is not checked again. */
function unchanged(name: string, value: Json, old: OldMembers | undefined): Json | undefined {
  if (old === undefined) return undefined;
  const stored = memberOf(old.stored, name);
  if (isSame(value, stored)) return value;
  if (!isSame(value, memberOf(old.seen, name))) return undefined;
  // Q91: readers get normalised values, but the stored one is kept. A title was joined with its prefix, which is not
  // sent.
  return name === "title" ? value : (stored ?? value);
}

/**
 * Checks the names of members. Administrators may store any member in a list, and so can restore revisions that have
 * some.
 */
function checkNames(
  document: CatalogRecord,
  old: OldMembers | undefined,
  { key, fail, isFree }: Checking & { readonly isFree: boolean },
): void {
  const isList = !isFree && PATRON_LIST.test(key) && typeKey(document) === LIST_TYPE;
  for (const [name, value] of Object.entries(document)) {
    if (PROPERTY_NAME.test(name) && !(isList && isFreeMemberOfList(name))) continue;
    const isOld = old !== undefined && isSame(value, memberOf(old.stored, name));
    if (!isOld) fail(badDocument(`Bad Property: '${name}'`, { key, property: name }));
  }
}

/**
 * Returns true for a member that `/type/list` does not have: otherwise any patron could store documents of any size and
 * shape as lists.
 */
function isFreeMemberOfList(name: string): boolean {
  return name !== "seeds" && !OWN_MEMBERS.has(name) && declaredProperty(LIST_TYPE, name) === undefined;
}

/**
 * Returns the key of the document's type. Returns undefined, and reports a failure, if there is none or it is not a
 * type.
 */
function checkedType(document: CatalogRecord, checking: Checking): string | undefined {
  const at = { key: checking.key, property: "type" };
  const value = memberOf(document, "type") ?? null;
  if (isBlank(value)) {
    checking.fail(badDocument("missing type", at));
    return undefined;
  }
  const type = typeKey(document);
  if (type === undefined) {
    checking.fail(badDocument(`expected /type/type, found ${foundType(value)}`, at, value));
    return undefined;
  }
  const found = referencedType(checking, type, at);
  if (found === undefined) return undefined;
  if (found === "/type/type" || found === ANY_TYPE) return type;
  checking.fail(badDocument(`expected /type/type, found ${found}`, at, value));
  return undefined;
}
