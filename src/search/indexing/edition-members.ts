import { lastSegment } from "../../catalog/keys.ts";
import { openness } from "../documents/scans.ts";
import type { StoredEdition, StoredWork } from "../documents/stored.ts";
import type { EditionDocument, WorkDocument } from "../documents/types.ts";
import { fieldsWith } from "../fields.ts";

/** An edition as its JSON has it: null where the work has a value, and the edition, which is alone, has none. */
export type EditionMembers = { readonly [Name in keyof StoredEdition]?: StoredEdition[Name] | null };

/** What no JSON of an edition has: it is that of the work, follows from something else, or is never returned. */
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

/** Members in which an edition without others is mostly like its work. */
const SHARED = [...fieldsWith({ of: "both" }), "identifiers" as const].filter(
  (name) => name !== "key" && !(name in NOT_STORED),
);

/** What is stored of an edition: of one without others, what is not like its work. */
export function editionMembers(edition: EditionDocument, work: WorkDocument): EditionMembers {
  const members: Record<string, unknown> = { ...edition, ...NOT_STORED };
  if (work.editions.length === 1) {
    for (const name of SHARED) {
      if (isSame(edition[name], work[name])) members[name] = undefined;
      else members[name] ??= null;
    }
  }
  return members;
}

/** The edition that was stored so, by the work that it was stored with. */
export function restoredEdition(members: EditionMembers, work: StoredWork): StoredEdition {
  const { author_key, author_name, author_alternative_name } = work;
  // What `editionMembers` left out comes back.
  const edition = (work.edition_count === 1 ? withShared(members, work) : { ...members }) as OwnMembers;
  return Object.assign(edition, openness(edition.ebook_access), {
    type: "edition" as const,
    work_key: [lastSegment(work.key)],
    ...(author_key && { author_key }),
    ...(author_name && { author_name }),
    ...(author_alternative_name && { author_alternative_name }),
  });
}

type OwnMembers = Omit<StoredEdition, "type" | "work_key">;

function withShared(members: EditionMembers, work: StoredWork): object {
  const own: Record<string, unknown> = { ...members };
  const ofWork: Readonly<Record<string, unknown>> = { ...work };
  for (const name of SHARED) own[name] = own[name] === undefined ? ofWork[name] : (own[name] ?? undefined);
  return own;
}

function isSame(one: unknown, other: unknown): boolean {
  if (one === other) return true;
  if (typeof one !== "object" || typeof other !== "object") return false;
  return JSON.stringify(one) === JSON.stringify(other);
}
