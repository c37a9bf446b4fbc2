import { isRecordKey, keyMatchesType } from "../keys.ts";
import { type CatalogRecord, isGone, memberOf } from "../record.ts";
import { badDocument, denied } from "./failure.ts";
import { isSame } from "./members.ts";
import type { Checking } from "./values.ts";

/** A record as it is stored now. */
export interface StoredForWrite {
  readonly id: number;
  readonly key: string;
  readonly type: string;
  readonly revision: number;
  readonly document: CatalogRecord;
}

/** What a writer may do beyond what the permission engine says. */
interface WriteRules {
  /** Administrators, the service: any key goes with any type, and permissions may be set. */
  readonly anyKey: boolean;
  /** True when a record may be made at this key that nobody gave out: administrators; bots at record numbers. */
  mayCreate(key: string): boolean;
  /** Whether records may become `/type/delete`: administrators. */
  readonly mayDelete: boolean;
}

/** What documents are checked against. */
export interface PrepareContext {
  /** Prefix of record numbers. */
  readonly prefix: string;
  /** Records that exist, by key; those of the documents at least. */
  readonly stored: ReadonlyMap<string, StoredForWrite>;
  /** Key of a record that exists -> key of its type, for all keys of `referencesOf`. */
  readonly referenceTypes: ReadonlyMap<string, string>;
  readonly rules: WriteRules;
}

/** A document that may be stored. */
export interface PreparedWrite {
  readonly key: string;
  readonly type: string;
  /** Pruned and coerced, without key, type and envelope, in the order sent. */
  readonly members: CatalogRecord;
  readonly before: StoredForWrite | undefined;
  /** False when it is stored already as it is. */
  readonly isChanged: boolean;
}

/** What a revision is stored with besides what was sent. */
interface RevisionEnvelope {
  readonly revision: number;
  /** Time of revision 1, naive UTC with six fraction digits. */
  readonly created: string;
  /** Time of this revision, naive UTC with six fraction digits. */
  readonly now: string;
}

/** JSON text of a revision as it stays for ever, with its envelope in front and at the end. */
export function documentText(
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

/** A document that would change what is stored. */
export interface Attempt {
  readonly type: string;
  readonly before: StoredForWrite | undefined;
  /** What was sent, without envelope and blanks. */
  readonly sent: CatalogRecord;
}

/**
 * Checks what the rules of a writer say of a document that changes: the pattern of its key, and whether he may make,
 * delete or protect the record. The permission engine is asked elsewhere.
 */
export function checkRights(attempt: Attempt, checking: Checking, context: PrepareContext): void {
  const { key, fail } = checking;
  const { type, before } = attempt;
  const { rules } = context;
  if (!isKeyAllowed(key, attempt, context)) {
    fail(badDocument(`Bad key for ${type}: '${key}'`, { key, property: "key" }));
  }
  if (before === undefined && !rules.mayCreate(key)) {
    fail(denied(`Permission denied to create '${key}'`, { key }));
  }
  if (type === "/type/delete" && before?.type !== type && !rules.mayDelete) {
    fail(denied(`Permission denied to delete '${key}'`, { key }));
  }
  // Q89: who could set it could take a record away from all others.
  if (!rules.anyKey && changesPermission(attempt)) {
    fail(denied(`Permission denied to change the permission of '${key}'`, { key, property: "permission" }));
  }
}

function isKeyAllowed(key: string, { type, before }: Attempt, { rules, prefix }: PrepareContext): boolean {
  // What was loaded at an odd key can still be edited.
  if (before?.type === type) return true;
  if (before === undefined && !isRecordKey(key)) return false;
  if (rules.anyKey) return true;
  // A record comes to be gone only once it exists.
  if (before === undefined && isGone(type)) return false;
  return keyMatchesType(key, type, prefix);
}

function changesPermission({ type, before, sent }: Attempt): boolean {
  return ["permission", "child_permission"].some((name) => {
    const after = memberOf(sent, name);
    // A record that is deleted or redirected may lose it with all the rest.
    if (after === undefined && isGone(type)) return false;
    return !isSame(after, before === undefined ? undefined : memberOf(before.document, name));
  });
}
