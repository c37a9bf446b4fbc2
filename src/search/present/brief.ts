import { copiedMembers } from "./copied-members.ts";
import { DEFAULT_FIELDS } from "./fields.ts";

/**
 * Members of works in answers without a list of fields, by their names in `copiedMembers`: engines store them apart,
 * since documents are long.
 */
export const BRIEF_MEMBERS: ReadonlySet<string> = new Set([
  "key",
  "ebook_access",
  ...(copiedMembers(DEFAULT_FIELDS) ?? []),
]);

/** Returns true if all of some members are brief ones. */
export function areBrief(members: readonly string[]): boolean {
  return members.every((name) => BRIEF_MEMBERS.has(name));
}
