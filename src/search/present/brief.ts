import { copiedMembers } from "./copied-members.ts";
import { DEFAULT_FIELDS } from "./fields.ts";

/**
 * Members that works are shown by unless others are asked for, as `copiedMembers` names them: engines keep them apart, since
 * documents are long.
 */
export const BRIEF_MEMBERS: ReadonlySet<string> = new Set([
  "key",
  "ebook_access",
  ...(copiedMembers(DEFAULT_FIELDS) ?? []),
]);

/** Whether all of some members are among these. */
export function areBrief(members: readonly string[]): boolean {
  return members.every((name) => BRIEF_MEMBERS.has(name));
}
