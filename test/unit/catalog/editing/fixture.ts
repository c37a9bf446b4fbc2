import { english } from "../../../../src/catalog/texts.ts";
import type { WriteFailure } from "../../../../src/catalog/editing/failure.ts";
import { prepareWrites } from "../../../../src/catalog/editing/prepare.ts";
import type { PrepareContext, StoredForWrite } from "../../../../src/catalog/editing/rights.ts";
import type { CatalogRecord } from "../../../../src/catalog/record.ts";

export type Rules = PrepareContext["rules"];

/** A bot: key patterns hold, records are made at record numbers, nothing is deleted. */
export const BOT: Rules = { anyKey: false, mayCreate: (key) => /OL\d+[MWA]$/.test(key), mayDelete: false };
export const ADMIN: Rules = { anyKey: true, mayCreate: () => true, mayDelete: true };
/** An editor who creates nothing. */
export const EDITOR: Rules = { anyKey: false, mayCreate: () => false, mayDelete: false };

/** Records that references find, beside the documents of a test. */
export const EXISTING: Readonly<Record<string, string>> = {
  "/authors/OL1A": "/type/author",
  "/authors/OL2A": "/type/author",
  "/authors/OL3A": "/type/redirect",
  "/authors/OL4A": "/type/delete",
  "/works/OL1W": "/type/work",
  "/works/OL2W": "/type/redirect",
  "/languages/eng": "/type/language",
  "/tags/OL1T": "/type/tag",
  "/permission/open": "/type/permission",
  "/type/custom": "/type/type",
  "/about": "/type/page",
};

/** A record as it is stored. */
export function stored(document: CatalogRecord & { readonly key: string }, revision = 3): StoredForWrite {
  const { key, type } = document;
  const typeText =
    typeof type === "object" && type !== null && "key" in type ? String(type.key) : String(type);
  const time = { type: "/type/datetime", value: "2009-12-09T19:57:50.403210" };
  const envelope = { revision, latest_revision: revision, created: time, last_modified: time };
  return { id: 7, key, type: typeText, revision, document: { ...document, ...envelope } };
}

interface Options {
  readonly before?: readonly StoredForWrite[];
  readonly rules?: Rules;
}

/** `prepareWrites` with the records above. */
export function prepare(documents: readonly CatalogRecord[], { before = [], rules = ADMIN }: Options = {}) {
  return prepareWrites(documents, {
    prefix: "OL",
    stored: new Map(before.map((record) => [record.key, record])),
    referenceTypes: new Map(Object.entries(EXISTING)),
    rules,
  });
}

/** Members of the one document as they would be stored; there must be no failure. */
export function members(document: CatalogRecord, options: Options = {}): CatalogRecord {
  const { writes, failures } = prepare([document], options);
  if (failures.length > 0) throw new Error(JSON.stringify(failures));
  return writes[0]!.members;
}

/** Failures as `status message @property`. */
export function told(failures: readonly WriteFailure[]): string[] {
  return failures.map(
    ({ status, text, at }) =>
      `${status} ${english(text)}${at?.property === undefined ? "" : ` @${at.property}`}`,
  );
}

export const work = (more: CatalogRecord = {}): CatalogRecord & { readonly key: string } => ({
  key: "/works/OL9W",
  type: { key: "/type/work" },
  ...more,
});
export const edition = (more: CatalogRecord = {}): CatalogRecord & { readonly key: string } => ({
  key: "/books/OL9M",
  type: { key: "/type/edition" },
  ...more,
});
