import type { ImportErrorCode } from "../failure.ts";

/** Kinds of records that books have: printed text, and what libraries catalogue as scores and computer files. */
const BOOK_KINDS: ReadonlySet<string> = new Set(["a", "c", "m"]);

/** Why the leader of a MARC record says that it is no book; undefined when it is one (import.md 3.4). */
export function leaderRefusal(leader: string): ImportErrorCode | undefined {
  if (leader.charAt(7) === "s") return "item-is-serial";
  return BOOK_KINDS.has(leader.charAt(6)) && leader.charAt(7) === "m" ? undefined : "item-not-book";
}
