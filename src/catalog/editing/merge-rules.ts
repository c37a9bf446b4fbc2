import { rewriteLegacyKey } from "../keys.ts";
import {
  type CatalogRecord,
  type Json,
  isObject,
  keyOf,
  memberOf,
  stringsOf,
  textOf,
  typeKey,
} from "../record.ts";
import { OWN_MEMBERS } from "../types.ts";

/** A text that is the same for equal values, whatever the order of members and the type of an author role. */
export function fingerprint(value: Json | undefined): string {
  if (Array.isArray(value)) return `[${value.map(fingerprint).join(",")}]`;
  if (!isObject(value)) return JSON.stringify(value) ?? "null";
  const isRole = typeKey(value) === "/type/author_role";
  const names = Object.keys(value)
    .filter((name) => value[name] !== undefined && !(name === "type" && isRole))
    .sort();
  return `{${names.map((name) => `${JSON.stringify(name)}:${fingerprint(value[name])}`).join(",")}}`;
}

/** The elements without those that equal an earlier one by `identity`. The array itself when there are none. */
export function distinct(elements: Json[], identity: (element: Json) => string = fingerprint): Json[] {
  const seen = new Set<string>();
  const kept = elements.filter((element) => {
    const text = identity(element);
    if (seen.has(text)) return false;
    seen.add(text);
    return true;
  });
  return kept.length === elements.length ? elements : kept;
}

/**
 * The master with what the duplicate author adds: arrays are joined, objects are joined with
 * the master's members winning, other members are taken when the master lacks them. Another name becomes an alternate
 * one.
 */
export function absorbAuthor(master: CatalogRecord, duplicate: CatalogRecord): CatalogRecord {
  return withOtherNames(joined(master, duplicate), {
    member: "alternate_names",
    names: otherNames(master, duplicate, "name"),
  });
}

/** The same for works: another title becomes one of the other titles. Roles and series are told by what they name. */
export function absorbWork(master: CatalogRecord, duplicate: CatalogRecord): CatalogRecord {
  return withOtherNames(joined(master, duplicate), {
    member: "other_titles",
    names: otherNames(master, duplicate, "title"),
  });
}

function joined(master: CatalogRecord, duplicate: CatalogRecord): CatalogRecord {
  const given = Object.entries(duplicate).filter(
    ([name, value]) => !OWN_MEMBERS.has(name) && value !== undefined,
  );
  const taken = given.map(([name, value]) => [name, joinedValue(memberOf(master, name), value)]);
  return { ...master, ...Object.fromEntries(taken) };
}

function joinedValue(own: Json | undefined, other: Json | undefined): Json | undefined {
  if (own === undefined || own === null) return Array.isArray(other) ? distinct(other) : other;
  if (Array.isArray(own)) return Array.isArray(other) ? joinedArrays(own, other) : own;
  // A text is one value, in whichever of its two forms.
  if (isObject(own) && isObject(other) && textOf(own) === undefined) return { ...other, ...own };
  return own;
}

/** An author that the master names already is not named again in another role, nor a series at another place. */
function joinedArrays(own: Json[], other: Json[]): Json[] {
  const known = new Set(own.map(identityOf));
  return distinct([...own, ...other.filter((element) => !known.has(identityOf(element)))]);
}

/** What an element is about. */
function identityOf(element: Json): string {
  if (isObject(element)) {
    const author = keyOf(element["author"]);
    if (author !== undefined && element["excerpt"] === undefined) return `author ${author}`;
    const series = keyOf(element["series"]);
    if (series !== undefined) return `series ${series}`;
  }
  return fingerprint(element);
}

function otherNames(master: CatalogRecord, duplicate: CatalogRecord, member: string): string[] {
  const [own, other] = [textOf(master[member]), textOf(duplicate[member])];
  if (own === undefined || other === undefined) return [];
  return squashed(other) === "" || squashed(own) === squashed(other) ? [] : [other];
}

function withOtherNames(
  record: CatalogRecord,
  { member, names }: { readonly member: string; readonly names: readonly string[] },
): CatalogRecord {
  const known = record[member];
  const all = [...stringsOf(known), ...names];
  if (all.length === 0) return record;
  const distinctNames = distinct(all, (name) => squashed(String(name)));
  return { ...record, [member]: distinctNames };
}

/** A name without blanks that say nothing. */
function squashed(name: string): string {
  return name.trim().replace(/\s+/g, " ");
}

/** What is merged. */
export type MergeKind = "author" | "work";

/** What merges of one kind of record do. */
export interface MergeRules {
  readonly type: string;
  /** Keys of records of this kind begin so. */
  readonly folder: string;
  /** Kind of the change. */
  readonly change: "merge-authors" | "merge-works";
  /** Members under which records of `namingTypes` name them, as index rows have them. */
  readonly names: readonly string[];
  readonly namingTypes: readonly string[];
  absorb(master: CatalogRecord, duplicate: CatalogRecord): CatalogRecord;
}

/** The rules of both kinds. */
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

/** Members with one value, of which the right one can be chosen from among the records of a merge. */
export const CHOSEN_MEMBERS: Readonly<Record<MergeKind, readonly string[]>> = {
  author: ["name", "personal_name", "fuller_name", "birth_date", "death_date", "date", "bio"],
  work: ["title", "subtitle", "first_publish_date", "description", "first_sentence"],
};

/** The master with the members that others have right; a name of its own that goes becomes another name. */
export function withChosen(
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

/** What somebody wants merged: keys, in order; `duplicates` once each and without the master. */
export interface MergeOrder {
  readonly master: string;
  readonly duplicates: readonly string[];
}

/** Checks an order by itself: keys of the right kind, and at least one that is not the master; else why it is none. */
export function mergeOrder(
  sent: MergeOrder,
  { folder, type }: MergeRules,
): MergeOrder | { readonly problem: string } {
  const master = rewriteLegacyKey(sent.master);
  const duplicates = [...new Set(sent.duplicates.map(rewriteLegacyKey))].filter((key) => key !== master);
  const wrong = [master, ...duplicates].find((key) => !key.startsWith(folder));
  if (wrong !== undefined) return { problem: `Bad key for ${type}: '${wrong}'` };
  if (duplicates.length === 0) return { problem: "nothing to merge: no duplicates besides the master" };
  return { master, duplicates };
}
