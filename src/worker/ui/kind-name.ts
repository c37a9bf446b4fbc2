import { type Markup, markup } from "./markup.ts";
import { type Words, say } from "./words.ts";

export const NAMED_KINDS = [
  "kind.add-book",
  "kind.add-cover",
  "kind.add-photo",
  "kind.bulk-delete-books",
  "kind.bulk-edit-permissions",
  "kind.bulk-edit-work-tags",
  "kind.bulk-revert-spam",
  "kind.bulk_update",
  "kind.create-list",
  "kind.create-series",
  "kind.delete-list",
  "kind.delete-profile",
  "kind.edit-blocked-ips",
  "kind.edit-book",
  "kind.edit-list",
  "kind.edit-usergroup-delete-member",
  "kind.merge-authors",
  "kind.merge-works",
  "kind.new-account",
  "kind.revert-version",
  "kind.undo",
  "kind.update",
  "kind.update-author-photos",
  "kind.update-book-covers",
] as const satisfies readonly Words[];

const BY_KIND: ReadonlyMap<string, Words> = new Map(
  NAMED_KINDS.map((words) => [words.slice("kind.".length), words]),
);

/** Returns the name of a kind of change; rare kinds have no translation. */
export function kindName(kind: string): Markup {
  const words = BY_KIND.get(kind);
  return words === undefined ? markup`<code>${kind}</code>` : say(words);
}
