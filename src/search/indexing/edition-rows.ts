import { lastSegmentOf } from "../../catalog/keys.ts";
import { accessLevelOf, opennessOf } from "../documents/scans.ts";
import type { EditionDocument, StoredEdition, StoredWork, WorkDocument } from "../documents/types.ts";
import { findFieldsWith } from "../fields.ts";
import { EDITION_TEXT_COLUMNS, columnTextsOf, fitJson, joinTokens } from "./columns.ts";
import { addBookTokens } from "./document-tokens.ts";
import { toFilterToken } from "./filter-token.ts";
import { editionIdOfKey, editionRowId } from "./ids.ts";

/** Stored members: null if a work's only edition lacks a value that the work has. */
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

const SHARED = [...findFieldsWith({ of: "both" }), "identifiers" as const].filter(
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
export function restoreEdition(members: EditionMembers, work: StoredWork): StoredEdition {
  const { author_key, author_name, author_alternative_name } = work;
  // The shared members that `editionMembersOf` left out are restored here.
  const edition = (work.edition_count === 1 ? restoreShared(members, work) : { ...members }) as OwnMembers;
  return Object.assign(edition, opennessOf(edition.ebook_access), {
    type: "edition" as const,
    work_key: [lastSegmentOf(work.key)],
    ...(author_key && { author_key }),
    ...(author_name && { author_name }),
    ...(author_alternative_name && { author_alternative_name }),
  });
}

type OwnMembers = Omit<StoredEdition, "type" | "work_key">;

function restoreShared(members: EditionMembers, work: StoredWork): object {
  const restored: Record<string, unknown> = { ...members };
  const workMembers: Readonly<Record<string, unknown>> = { ...work };
  for (const name of SHARED)
    restored[name] = restored[name] === undefined ? workMembers[name] : (restored[name] ?? undefined);
  return restored;
}

function isSame(a: unknown, b: unknown): boolean {
  if (a === b) return true;
  if (typeof a !== "object" || typeof b !== "object") return false;
  return JSON.stringify(a) === JSON.stringify(b);
}

export interface EditionRow {
  /** Position by openness, cover and number, from 0. */
  readonly rank: number;
  /** Position by number, from 0. */
  readonly position: number;
  readonly id: number;
  /** JSON of `editionMembersOf`. */
  readonly document: string;
  /** Row with its texts; undefined for editions that cannot be found by their own texts. */
  readonly text: EditionTextRow | undefined;
}

interface EditionTextRow {
  rowId: number;
  /** Texts parallel to `EDITION_TEXT_COLUMNS`, then the tokens. */
  columns: readonly string[];
}

interface EditionRowOptions {
  workId: number;
  prefix: string;
}

const NONE: readonly string[] = [];
/** Returns rows of all editions of a work, in order of rank. */
export function toEditionRows(work: WorkDocument, options: EditionRowOptions): EditionRow[] {
  const ranked = work.editions.map((edition, position) => ({ edition, position })).sort(compareByRank);
  return ranked.map(({ edition, position }, rank) => ({
    rank,
    position,
    id: editionIdOfKey(edition.key, options.prefix) ?? 0,
    document: fitJson(editionMembersOf(edition, work)),
    text: toTextRow(edition, rank, options),
  }));
}

interface Ranked {
  edition: EditionDocument;
  position: number;
}

function compareByRank(a: Ranked, b: Ranked): number {
  return (
    accessLevelOf(b.edition.ebook_access) - accessLevelOf(a.edition.ebook_access) ||
    Number(b.edition.cover_i !== undefined) - Number(a.edition.cover_i !== undefined) ||
    a.position - b.position
  );
}

function toTextRow(
  edition: EditionDocument,
  rank: number,
  options: EditionRowOptions,
): EditionTextRow | undefined {
  const rowId = editionRowId(options.workId, rank);
  if (rowId === undefined) return undefined;
  const tokens = [
    toFilterToken("w", String(options.workId)),
    toFilterToken("ek", lastSegmentOf(edition.key)),
  ];
  addBookTokens(tokens, edition);
  const texts = columnTextsOf(EDITION_TEXT_COLUMNS, edition, { number: libraryNumbersOf(edition) });
  texts.push(joinTokens(tokens));
  return { rowId, columns: texts };
}

/** Returns numbers of other libraries, which are also found as words. */
export function libraryNumbersOf({ oclc, lccn }: WorkDocument | EditionDocument): readonly string[] {
  if (oclc === undefined) return lccn ?? NONE;
  return lccn === undefined ? oclc : oclc.concat(lccn);
}
