import { isRecordKey, keyMatchesType } from "../keys.ts";
import { type CatalogRecord, isGone, memberOf } from "../record.ts";
import { documentFailure, permissionFailure } from "./failure.ts";
import { isSameValue } from "./members.ts";
import type { ValueChecker } from "./values.ts";

export interface StoredForWrite {
  readonly id: number;
  readonly key: string;
  readonly type: string;
  readonly revision: number;
  readonly document: CatalogRecord;
}

interface WriteRules {
  /** True for administrators and the service: any key may have any type, and permissions may be set. */
  readonly anyKey: boolean;
  /** Returns true for an unassigned key that may be created: by administrators any, by bots numbers. */
  mayCreate(key: string): boolean;
  /** True for administrators: records may become `/type/delete`. */
  readonly mayDelete: boolean;
  /** True if old revisions are stored again, whose texts may have control characters. */
  readonly anyText?: boolean;
}

export interface PrepareContext {
  readonly prefix: string;
  readonly stored: ReadonlyMap<string, StoredForWrite>;
  readonly referenceTypes: ReadonlyMap<string, string>;
  readonly rules: WriteRules;
}

export interface PreparedWrite {
  readonly key: string;
  readonly type: string;
  /** Pruned and coerced members, without key, type and envelope, in the order sent. */
  readonly members: CatalogRecord;
  readonly before: StoredForWrite | undefined;
  readonly isChanged: boolean;
}

interface RevisionEnvelope {
  readonly revision: number;
  /** Time of revision 1, naive UTC with six fraction digits. */
  readonly created: string;
  /** Time of this revision, naive UTC with six fraction digits. */
  readonly now: string;
}

/** Returns the JSON text of a revision, which is kept forever, with its envelope at the start and end. */
export function formatDocument(
  { key, type, members }: Pick<PreparedWrite, "key" | "type" | "members">,
  { revision, created, now }: RevisionEnvelope,
): string {
  return JSON.stringify({
    key,
    type: { key: type },
    ...members,
    latest_revision: revision,
    revision,
    created: { type: "/type/datetime", value: created },
    last_modified: { type: "/type/datetime", value: now },
  });
}

/** Document that would change the stored one. */
export interface Attempt {
  readonly type: string;
  readonly before: StoredForWrite | undefined;
  /** Members sent by the client, without envelope and blanks. */
  readonly content: CatalogRecord;
}

/**
 * Checks a changed document against the rules of its writer: the pattern of its key, and the rights to create, delete
 * or protect the record. The permission engine is checked elsewhere.
 */
export function checkRights(attempt: Attempt, checking: ValueChecker, context: PrepareContext): void {
  const { key, fail } = checking;
  const { type, before } = attempt;
  const { rules } = context;
  if (!isKeyAllowed(key, attempt, context)) {
    fail(documentFailure({ key: "bad_data.key_of_type", values: { type, key } }, { key, property: "key" }));
  }
  if (before === undefined && !rules.mayCreate(key)) fail(permissionFailure("permission_denied.create", key));
  if (type === "/type/delete" && before?.type !== type && !rules.mayDelete) {
    fail(permissionFailure("permission_denied.delete", key));
  }
  // Q89: a user who could set it could lock a record against all others.
  if (!rules.anyKey && changesPermission(attempt))
    fail(permissionFailure("permission_denied.permission", key, "permission"));
}

function isKeyAllowed(key: string, { type, before }: Attempt, { rules, prefix }: PrepareContext): boolean {
  // A record loaded with an unusual key can still be edited.
  if (before?.type === type) return true;
  if (before === undefined && !isRecordKey(key)) return false;
  if (rules.anyKey) return true;
  // Only an existing record can be deleted or redirected.
  if (before === undefined && isGone(type)) return false;
  return keyMatchesType(key, type, prefix);
}

function changesPermission({ type, before, content }: Attempt): boolean {
  return ["permission", "child_permission"].some((name) => {
    const after = memberOf(content, name);
    // A deleted or redirected record may lose it along with all other members.
    if (after === undefined && isGone(type)) return false;
    return !isSameValue(after, before === undefined ? undefined : memberOf(before.document, name));
  });
}
