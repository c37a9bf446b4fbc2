import { workTitleKey } from "../matching/title-keys.ts";
import { type CatalogRecord, type Json, isObject, keyOf, typeKey } from "../record.ts";
import { VIEW_DEPTH_MAX, readView } from "../view.ts";
import type { MergeRules } from "./merge-rules.ts";
import { sameAuthors } from "./same-authors.ts";
import { distinct, identityIn, withoutRepeats } from "./same-values.ts";

/** True when some object inside the document has one of the keys; the document's own key is not meant. */
export function refersTo(document: CatalogRecord, keys: ReadonlySet<string>): boolean {
  return Object.values(document).some((value) => holdsKey(value, keys, 1));
}

function holdsKey(value: Json | undefined, keys: ReadonlySet<string>, depth: number): boolean {
  if (typeof value !== "object" || value === null || depth > VIEW_DEPTH_MAX) return false;
  if (isObject(value) && isNamed(value, keys)) return true;
  return Object.values(value).some((inner) => holdsKey(inner, keys, depth + 1));
}

function isNamed({ key }: CatalogRecord, keys: ReadonlySet<string>): boolean {
  return typeof key === "string" && keys.has(key);
}

/**
 * The document with every object `{key}` that names one of `from` naming `to` instead, and then equal elements of
 * every array collapsed, the first kept; authors by their keys. The document itself when it names none of them; else it comes as readers get it: canonical
 * keys, regular tables of contents.
 */
export function replaceReferences(
  document: CatalogRecord,
  from: ReadonlySet<string>,
  to: string,
): CatalogRecord {
  // References of the early years are spelt otherwise until they are read.
  const view = readView(document);
  if (!refersTo(view, from)) return document;
  // Q120: every array of the document, whatever it holds.
  const rename = (object: CatalogRecord) => (isNamed(object, from) ? { ...object, key: to } : object);
  const entries = Object.entries(view).map(([name, value]) => {
    const renamed = replaced(value, rename, 1);
    // Authors by their keys, whatever their roles: the line of authors names each once.
    const isRoles = name === "authors" && Array.isArray(renamed);
    return [name, isRoles ? distinct(renamed, identityIn(name)) : renamed];
  });
  return Object.fromEntries(entries);
}

type Rename = (object: CatalogRecord) => CatalogRecord;

function replaced(value: Json | undefined, rename: Rename, depth: number): Json | undefined {
  if (typeof value !== "object" || value === null || depth > VIEW_DEPTH_MAX) return value;
  if (Array.isArray(value)) {
    return distinct(value.map((element) => replaced(element, rename, depth + 1) ?? null));
  }
  const members = Object.entries(rename(value));
  return Object.fromEntries(members.map(([name, inner]) => [name, replaced(inner, rename, depth + 1)]));
}

/** What a merge, or a page of one, begins with: documents as they are stored. */
interface MergeState {
  readonly master: CatalogRecord;
  /** Records that are to become the master, whatever they are now. */
  readonly duplicates: readonly CatalogRecord[];
  /** Of a merge of works: the authors that these name, and the targets of redirects among them. */
  readonly authors?: ReadonlyMap<string, CatalogRecord>;
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
  const { master, duplicates, naming, isLast, authors = new Map() } = state;
  const to = keyOf(master) ?? "";
  const from = new Set(duplicates.flatMap((duplicate) => keyOf(duplicate) ?? []));
  const pointed = naming.flatMap((document) => {
    const changed = replaceReferences(document, from, to);
    return changed === document ? [] : [changed];
  });
  if (!isLast) return pointed;
  // Q117: what is a redirect to the master already stays as it is.
  const left = duplicates.filter(
    (duplicate) => typeKey(duplicate) !== "/type/redirect" || keyOf(duplicate["location"]) !== to,
  );
  if (left.length === 0) return pointed;
  const redirects = left.map((duplicate) => redirectTo(keyOf(duplicate) ?? "", to));
  const whole = replaceReferences(mergedMaster(master, left, { rules, authors }), from, to);
  return [...redirects, ...pointed, whole];
}

/** The document of a record that has become another. */
export function redirectTo(key: string, location: string): CatalogRecord {
  return { key, type: { key: "/type/redirect" }, location };
}

function mergedMaster(
  master: CatalogRecord,
  duplicates: readonly CatalogRecord[],
  { rules, authors }: { readonly rules: MergeRules; readonly authors: ReadonlyMap<string, CatalogRecord> },
): CatalogRecord {
  // What was deleted or redirected before has nothing to give.
  const alive = duplicates.filter((duplicate) => typeKey(duplicate) === rules.type);
  const whole = readView(master);
  const views = alive.map(readView);
  const same = [...sameAuthors(whole, views, authors)];
  const settle = (record: CatalogRecord): CatalogRecord =>
    same.reduce((document, [key, means]) => replaceReferences(document, new Set([key]), means), record);
  return withoutRepeats(views.reduce((merged, view) => rules.absorb(merged, settle(view)), settle(whole)));
}

/** Groups of two works or more whose titles are one to imports (`workTitleKey`), in the order of their first works. */
export function alikeWorks<Work extends { readonly title: string }>(works: readonly Work[]): Work[][] {
  const groups = Map.groupBy(works, ({ title }) => workTitleKey(title));
  groups.delete("");
  return [...groups.values()].filter(({ length }) => length > 1);
}
