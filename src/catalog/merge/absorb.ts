import { type CatalogRecord, type Json, isObject, keyOf, stringsOf, textOf } from "../record.ts";
import { OWN_MEMBERS } from "../own-members.ts";
import { distinct, fingerprint } from "./distinct.ts";

/**
 * The master with what the duplicate author adds (records.md 5.2 effect 3): arrays are joined, objects are joined with
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
  const taken = given.map(([name, value]) => [
    name,
    joinedValue(Object.hasOwn(master, name) ? master[name] : undefined, value),
  ]);
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
