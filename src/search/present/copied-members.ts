import { fieldsWith } from "../fields.ts";
import { RETURNABLE_WORK_FIELDS } from "./expand.ts";
import { DEFAULT_FIELDS, HIDDEN_FIELDS } from "./selected-fields.ts";

/** Fields that are derived from the access of a work, or equal in all works: no members are read for them. */
const WITHOUT_MEMBER = ["has_fulltext", "public_scan_b", "type"];
const COPIED = new Set<string>(
  [...fieldsWith({ of: "both" }), ...fieldsWith({ of: "work" })].filter((name) => !HIDDEN_FIELDS.has(name)),
);
const DERIVED = new Set(RETURNABLE_WORK_FIELDS.filter((name) => !COPIED.has(name)));
for (const name of WITHOUT_MEMBER) {
  COPIED.delete(name);
  DERIVED.delete(name);
}

/** Pattern of identifiers whose names can be in a path of SQL unescaped. */
const IDENTIFIER = /^id_[a-z0-9_]+$/;

/** Returns the stored members that fields are copies of; undefined for derived fields and globs. */
export function copiedMembers(fields: readonly string[]): string[] | undefined {
  const identifiers = fields.filter((name) => name.startsWith("id_"));
  const isPlain = identifiers.every((name) => IDENTIFIER.test(name));
  if (!isPlain || fields.some((name) => DERIVED.has(name) || name.includes("*"))) return undefined;
  return [...fields.filter((name) => COPIED.has(name)), ...identifiers.map((name) => `identifiers.${name}`)];
}

/** Members of works in answers without a list of fields: stored apart, since documents are long. */
export const BRIEF_MEMBERS: ReadonlySet<string> = new Set([
  "key",
  "ebook_access",
  ...(copiedMembers(DEFAULT_FIELDS) ?? []),
]);

/** Returns true if all of some members are brief ones. */
export function areBrief(members: readonly string[]): boolean {
  return members.every((name) => BRIEF_MEMBERS.has(name));
}
