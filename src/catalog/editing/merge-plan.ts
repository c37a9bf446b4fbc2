import { dropControls } from "../storable-text.ts";
import { workTitleKeyOf } from "../matching/match-keys.ts";
import { type CatalogRecord, type Json, isObject, keyOf, typeKeyOf } from "../record.ts";
import { VIEW_DEPTH_MAX, toReadView } from "../document.ts";
import type { MergeRules } from "./merge-rules.ts";
import { findSameAuthors, dropDuplicates, identityOf, dropRepeats } from "./same-values.ts";

/** Returns true if an object inside the document has one of the keys. The document's own key is ignored. */
export function refersTo(document: CatalogRecord, keys: ReadonlySet<string>): boolean {
  return Object.values(document).some((value) => hasKey(value, keys, 1));
}

function hasKey(value: Json | undefined, keys: ReadonlySet<string>, depth: number): boolean {
  if (typeof value !== "object" || value === null || depth > VIEW_DEPTH_MAX) return false;
  if (isObject(value) && isAmong(value, keys)) return true;
  return Object.values(value).some((inner) => hasKey(inner, keys, depth + 1));
}

function isAmong({ key }: CatalogRecord, keys: ReadonlySet<string>): boolean {
  return typeof key === "string" && keys.has(key);
}

/**
 * Replaces every reference `{key}` to one of `from` with one to `to`, then removes duplicates from every array, keeping
 * the first; authors by key and role. Returns the document itself if it has no such reference, otherwise the document as readers
 * see it: canonical keys, regular tables of contents.
 */
export function replaceReferences(
  document: CatalogRecord,
  from: ReadonlySet<string>,
  to: string,
): CatalogRecord {
  // Legacy references have another spelling until they are read.
  const view = toReadView(document);
  if (!refersTo(view, from)) return document;
  // Q120: applies to every array of the document.
  const rename = (object: CatalogRecord) => (isAmong(object, from) ? { ...object, key: to } : object);
  const entries = Object.entries(view).map(([name, value]) => {
    const renamed = replaceIn(value, rename, 1);
    // Blanks and case of roles, and the types of references, make no other credit.
    const isRoles = name === "authors" && Array.isArray(renamed);
    return [name, isRoles ? dropDuplicates(renamed, identityOf(name)) : renamed];
  });
  return Object.fromEntries(entries);
}

type Rename = (object: CatalogRecord) => CatalogRecord;

function replaceIn(value: Json | undefined, rename: Rename, depth: number): Json | undefined {
  if (typeof value !== "object" || value === null || depth > VIEW_DEPTH_MAX) return value;
  if (Array.isArray(value)) {
    return dropDuplicates(value.map((element) => replaceIn(element, rename, depth + 1) ?? null));
  }
  const members = Object.entries(rename(value));
  return Object.fromEntries(members.map(([name, inner]) => [name, replaceIn(inner, rename, depth + 1)]));
}

interface MergeState {
  readonly master: CatalogRecord;
  readonly duplicates: readonly CatalogRecord[];
  /** For a merge of works: the authors that they refer to, and the targets of redirects among them. */
  readonly authors?: ReadonlyMap<string, CatalogRecord>;
  readonly naming: readonly CatalogRecord[];
  /** False for a page: it only updates references to the master, and leaves the rest to the last page. */
  readonly isLast: boolean;
}

/**
 * Returns the documents that a merge saves, in order: redirects, records that refer to the duplicates, the master. Only
 * changed documents, so a finished merge has none. Pure function.
 */
export function planMerge(state: MergeState, rules: MergeRules): CatalogRecord[] {
  const { master, duplicates, naming, isLast, authors = new Map() } = state;
  const to = keyOf(master) ?? "";
  const from = new Set(duplicates.flatMap((duplicate) => keyOf(duplicate) ?? []));
  const updatedReferrers = naming.flatMap((document) => {
    const changed = replaceReferences(document, from, to);
    return changed === document ? [] : [changed];
  });
  if (!isLast) return updatedReferrers;
  // Q117: an existing redirect to the master is left unchanged.
  const remaining = duplicates.filter(
    (duplicate) => typeKeyOf(duplicate) !== "/type/redirect" || keyOf(duplicate["location"]) !== to,
  );
  if (remaining.length === 0) return updatedReferrers;
  const redirects = remaining.map((duplicate) => buildRedirect(keyOf(duplicate) ?? "", to));
  const merged = replaceReferences(mergeMaster(master, remaining, { rules, authors }), from, to);
  return [...redirects, ...updatedReferrers, merged];
}

export function buildRedirect(key: string, location: string): CatalogRecord {
  return { key, type: { key: "/type/redirect" }, location };
}

function mergeMaster(
  master: CatalogRecord,
  duplicates: readonly CatalogRecord[],
  { rules, authors }: { rules: MergeRules; authors: ReadonlyMap<string, CatalogRecord> },
): CatalogRecord {
  // Duplicates that were deleted or redirected before contribute nothing.
  const alive = duplicates.filter((duplicate) => typeKeyOf(duplicate) === rules.type);
  const masterView = toReadView(master);
  const views = alive.map(toReadView);
  const same = [...findSameAuthors(masterView, views, authors)];
  const settle = (record: CatalogRecord): CatalogRecord =>
    same.reduce((document, [key, means]) => replaceReferences(document, new Set([key]), means), record);
  // Q777: a loaded duplicate may have control characters, which the master must not get.
  const clean = views.map((view) => dropControls(settle(view)));
  return dropRepeats(clean.reduce((merged, view) => rules.absorb(merged, view), settle(masterView)));
}

/** Groups two or more works whose titles are equal to imports (`workTitleKeyOf`), in the order of their first works. */
export function groupSimilarWorks<Work extends { readonly title: string }>(works: readonly Work[]): Work[][] {
  const groups = Map.groupBy(works, ({ title }) => workTitleKeyOf(title));
  groups.delete("");
  return [...groups.values()].filter(({ length }) => length > 1);
}
