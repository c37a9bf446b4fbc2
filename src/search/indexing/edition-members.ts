import { lastSegment } from "../../catalog/keys.ts";
import { openness } from "../documents/scans.ts";
import type { StoredEdition, StoredWork } from "../documents/stored.ts";
import type { EditionDocument, WorkDocument } from "../documents/types.ts";
import { fieldsWith } from "../fields.ts";

/**
 * Members of an edition in its stored JSON: null if the edition is its work's only one and lacks a value that the work
 * has.
 */
export type EditionMembers = { readonly [Name in keyof StoredEdition]?: StoredEdition[Name] | null };

/** Members that no stored edition has: they are those of the work, are derived, or are never returned. */
const NOT_STORED = {
  type: undefined,
  work_key: undefined,
  alternative_title: undefined,
  author_key: undefined,
  author_name: undefined,
  author_alternative_name: undefined,
  has_fulltext: undefined,
  public_scan_b: undefined,
};

/** Members that the only edition of a work mostly shares with it. */
const SHARED = [...fieldsWith({ of: "both" }), "identifiers" as const].filter(
  (name) => name !== "key" && !(name in NOT_STORED),
);

/** Returns the stored members of an edition; for an only edition, those that differ from its work. */
export function editionMembersOf(edition: EditionDocument, work: WorkDocument): EditionMembers {
  const members: Record<string, unknown> = { ...edition, ...NOT_STORED };
  if (work.editions.length === 1) {
    for (const name of SHARED) {
      if (isSame(edition[name], work[name])) members[name] = undefined;
      else members[name] ??= null;
    }
  }
  return members;
}

/** Returns the edition with these stored members, by the work that it was stored with. */
export function restoredEdition(members: EditionMembers, work: StoredWork): StoredEdition {
  const { author_key, author_name, author_alternative_name } = work;
  // The shared members that `editionMembersOf` left out are restored here.
  const edition = (work.edition_count === 1 ? restoreShared(members, work) : { ...members }) as OwnMembers;
  return Object.assign(edition, openness(edition.ebook_access), {
    type: "edition" as const,
    work_key: [lastSegment(work.key)],
    ...(author_key && { author_key }),
    ...(author_name && { author_name }),
    ...(author_alternative_name && { author_alternative_name }),
  });
}

type OwnMembers = Omit<StoredEdition, "type" | "work_key">;

function restoreShared(members: EditionMembers, work: StoredWork): object {
  const restored: Record<string, unknown> = { ...members };
  const workMembers: Readonly<Record<string, unknown>> = { ...work };
  for (const name of SHARED) restored[name] = restored[name] === undefined ? workMembers[name] : (restored[name] ?? undefined);
  return restored;
}

function isSame(one: unknown, other: unknown): boolean {
  if (one === other) return true;
  if (typeof one !== "object" || typeof other !== "object") return false;
  return JSON.stringify(one) === JSON.stringify(other);
}
