import type { Text } from "../texts.ts";
import { rewriteLegacyKey } from "../keys.ts";
import { type CatalogRecord, type Json, isObject, memberOf, stringsOf, textOf } from "../record.ts";
import { OWN_MEMBERS } from "../types.ts";
import { cutLists } from "./members.ts";
import { dropDuplicates, identityOf, joinIdentifiers, squashBlanks, dropRepeats } from "./same-values.ts";

/**
 * Merges the duplicate author into the master: lists and identifiers are joined, within the limits of lists; in objects
 * the master's members win; other members are taken if the master lacks them. A different name becomes an alternate
 * name.
 */
export function absorbAuthor(master: CatalogRecord, duplicate: CatalogRecord): CatalogRecord {
  const names = otherNamesOf(master, duplicate, "name");
  return cutLists(withOtherNames(joinMembers(master, duplicate), "alternate_names", names), master);
}

/**
 * Merges the duplicate work into the master by the rules for authors, except that a different title becomes one of the
 * other titles. Equivalent elements are merged.
 */
export function absorbWork(master: CatalogRecord, duplicate: CatalogRecord): CatalogRecord {
  const names = otherNamesOf(master, duplicate, "title");
  return cutLists(withOtherNames(joinMembers(master, duplicate), "other_titles", names), master);
}

function joinMembers(master: CatalogRecord, duplicate: CatalogRecord): CatalogRecord {
  const entries = Object.entries(duplicate)
    .filter(([name, value]) => !OWN_MEMBERS.has(name) && value !== undefined)
    .map(([name, value]) => [name, joinValues(name, memberOf(master, name), value)]);
  return dropRepeats({ ...master, ...Object.fromEntries(entries) });
}

function joinValues(name: string, value: Json | undefined, other: Json | undefined): Json | undefined {
  const identity = identityOf(name);
  if (value === undefined || value === null)
    return Array.isArray(other) ? dropDuplicates(other, identity) : other;
  if (Array.isArray(value))
    return Array.isArray(other) ? dropDuplicates([...value, ...other], identity) : value;
  // A text is a single value in either of its two forms.
  if (!isObject(value) || !isObject(other) || textOf(value) !== undefined) return value;
  return name === "identifiers" ? joinIdentifiers(value, other) : { ...other, ...value };
}

function otherNamesOf(master: CatalogRecord, duplicate: CatalogRecord, member: string): string[] {
  const [name, other] = [textOf(master[member]), textOf(duplicate[member])];
  if (name === undefined || other === undefined) return [];
  return squashBlanks(other) === "" || squashBlanks(name) === squashBlanks(other) ? [] : [other];
}

function withOtherNames(record: CatalogRecord, member: string, names: readonly string[]): CatalogRecord {
  const all = [...stringsOf(record[member]), ...names];
  if (all.length === 0) return record;
  return { ...record, [member]: dropDuplicates(all, (name) => squashBlanks(String(name))) };
}

export type MergeKind = "author" | "work";

export interface MergeRules {
  readonly type: string;
  readonly folder: string;
  readonly change: "merge-authors" | "merge-works";
  /** Members with which records of `namingTypes` refer to these records, as in index rows. */
  readonly names: readonly string[];
  readonly namingTypes: readonly string[];
  absorb(master: CatalogRecord, duplicate: CatalogRecord): CatalogRecord;
}

export const MERGE_RULES: Readonly<Record<MergeKind, MergeRules>> = {
  author: {
    type: "/type/author",
    folder: "/authors/",
    change: "merge-authors",
    names: ["authors", "authors.author", "table_of_contents.authors.author"],
    namingTypes: ["/type/edition", "/type/work"],
    absorb: absorbAuthor,
  },
  work: {
    type: "/type/work",
    folder: "/works/",
    change: "merge-works",
    names: ["works"],
    namingTypes: ["/type/edition"],
    absorb: absorbWork,
  },
};

/** Single-valued members for which a value can be chosen from any record of a merge. */
export const CHOSEN_MEMBERS: Readonly<Record<MergeKind, readonly string[]>> = {
  author: ["name", "personal_name", "fuller_name", "birth_date", "death_date", "date", "bio"],
  work: ["title", "subtitle", "first_publish_date", "description", "first_sentence"],
};

/** Returns the master with chosen values of other records. A replaced name becomes an alternate one. */
export function chooseMembers(
  master: CatalogRecord,
  chosen: readonly (readonly [member: string, record: CatalogRecord])[],
  { absorb }: MergeRules,
): CatalogRecord {
  const values = chosen.flatMap(([member, record]) => {
    const value = memberOf(record, member);
    return value === undefined ? [] : [[member, value] as const];
  });
  const { name, title } = master;
  const names = { ...(name === undefined ? {} : { name }), ...(title === undefined ? {} : { title }) };
  return absorb({ ...master, ...Object.fromEntries(values) }, names);
}

/** Requested merge: keys, in order. `duplicates` are distinct and do not include the master. */
export interface MergeOrder {
  readonly master: string;
  readonly duplicates: readonly string[];
}

/** Validates a merge order. Returns the problem if a key has the wrong kind or no duplicate is left. */
export function parseMergeOrder(
  order: MergeOrder,
  { folder, type }: MergeRules,
): MergeOrder | { readonly problem: Text<"bad_data.key_of_type" | "bad_data.merge_two"> } {
  const master = rewriteLegacyKey(order.master);
  const duplicates = [...new Set(order.duplicates.map(rewriteLegacyKey))].filter((key) => key !== master);
  const wrong = [master, ...duplicates].find((key) => !key.startsWith(folder));
  if (wrong !== undefined) return { problem: { key: "bad_data.key_of_type", values: { type, key: wrong } } };
  if (duplicates.length === 0) return { problem: { key: "bad_data.merge_two" } };
  return { master, duplicates };
}
