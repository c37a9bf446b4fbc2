import { fieldsWith } from "../fields.ts";
import { RETURNABLE_WORK_FIELDS } from "./expand.ts";
import { HIDDEN_FIELDS } from "./fields.ts";

/** Fields that follow from how open a work is, and that all works have alike: no members of their own are read for them. */
const WITHOUT_MEMBER = ["has_fulltext", "public_scan_b", "type"];
const COPIED = new Set<string>(
  [...fieldsWith({ of: "both" }), ...fieldsWith({ of: "work" })].filter((name) => !HIDDEN_FIELDS.has(name)),
);
const MADE = new Set(RETURNABLE_WORK_FIELDS.filter((name) => !COPIED.has(name)));
for (const name of WITHOUT_MEMBER) {
  COPIED.delete(name);
  MADE.delete(name);
}

/** Identifiers whose names can stand in a path of SQL as they are. */
const IDENTIFIER = /^id_[a-z0-9_]+$/;

/**
 * Members of a stored work that fields are copies of, such as `title` and `identifiers.id_goodreads`. Undefined where a
 * field is made of others, or is a glob.
 */
export function copiedMembers(fields: readonly string[]): string[] | undefined {
  const identifiers = fields.filter((name) => name.startsWith("id_"));
  const isPlain = identifiers.every((name) => IDENTIFIER.test(name));
  if (!isPlain || fields.some((name) => MADE.has(name) || name.includes("*"))) return undefined;
  return [...fields.filter((name) => COPIED.has(name)), ...identifiers.map((name) => `identifiers.${name}`)];
}
