import { type CatalogRecord, keyOf, typeKey } from "../record.ts";
import { readView } from "../view.ts";
import type { MergeRules } from "./kinds.ts";
import { replaceReferences } from "./references.ts";

/** What a merge, or a page of one, begins with: documents as they are stored. */
export interface MergeState {
  readonly master: CatalogRecord;
  /** Records that are to become the master, whatever they are now. */
  readonly duplicates: readonly CatalogRecord[];
  /** Records that name duplicates. */
  readonly naming: readonly CatalogRecord[];
  /** False for a page: it points references to the master and leaves the rest to the last one. */
  readonly isLast: boolean;
}

/**
 * The documents that a merge saves, in the order of saving: redirects, what names the duplicates, the master. Only
 * what differs from what is stored; so a merge that is done has none. A pure function.
 */
export function planMerge(state: MergeState, rules: MergeRules): CatalogRecord[] {
  const { master, duplicates, naming, isLast } = state;
  const to = keyOf(master) ?? "";
  const from = new Set(duplicates.flatMap((duplicate) => keyOf(duplicate) ?? []));
  const pointed = naming.flatMap((document) => {
    const changed = replaceReferences(document, from, to);
    return changed === document ? [] : [changed];
  });
  if (!isLast) return pointed;
  // Q117: what is a redirect to the master already stays as it is.
  const left = duplicates.filter((duplicate) => !isRedirectTo(duplicate, to));
  if (left.length === 0) return pointed;
  const redirects = left.map((duplicate) => redirectTo(keyOf(duplicate) ?? "", to));
  const whole = replaceReferences(mergedMaster(master, left, rules), from, to);
  return [...redirects, ...pointed, whole];
}

/** True for a redirect that leads straight to the key. */
function isRedirectTo(record: CatalogRecord, key: string): boolean {
  return typeKey(record) === "/type/redirect" && keyOf(record["location"]) === key;
}

/** The document of a record that has become another (records.md 1.4). */
export function redirectTo(key: string, location: string): CatalogRecord {
  return { key, type: { key: "/type/redirect" }, location };
}

function mergedMaster(
  master: CatalogRecord,
  duplicates: readonly CatalogRecord[],
  { type, absorb }: MergeRules,
): CatalogRecord {
  // What was deleted or redirected before has nothing to give.
  return duplicates
    .filter((duplicate) => typeKey(duplicate) === type)
    .reduce((whole, duplicate) => absorb(whole, readView(duplicate)), readView(master));
}
