import { type CatalogRecord, type Json, isObject, memberOf, textOf } from "../record.ts";
import { OWN_MEMBERS } from "../types.ts";
import { isBlankMember } from "./members.ts";
import { fingerprint, identityOf } from "./same-values.ts";

/** Member that was changed here and has another value there. Absent values are null. */
interface MemberMerge {
  /** Name, or path within objects, such as `identifiers.goodreads`. */
  readonly name: string;
  readonly ours: Json;
  readonly theirs: Json;
  readonly isConflict: boolean;
}

interface RecordMerge {
  /** Members to set in their record; null removes one. */
  readonly changes: CatalogRecord;
  readonly members: readonly MemberMerge[];
}

interface Versions {
  readonly base: Json | undefined;
  readonly ours: Json | undefined;
  readonly theirs: Json | undefined;
}

/** Lists whose elements mean something at their place only. */
const SEQUENCES: ReadonlySet<string> = new Set(["table_of_contents"]);

/**
 * Merges a record that was changed here into the source's record, member by member: lists as ordered sets, objects
 * such as `identifiers` by their members. Of a conflict their value stays, unless ours is preferred. Pure function.
 */
export function mergeRecords(
  { base, ours, theirs }: Record<keyof Versions, CatalogRecord>,
  { prefersOurs = false } = {},
): RecordMerge {
  const members: MemberMerge[] = [];
  const note = (name: string, { ours: here, theirs: there }: Versions, isConflict: boolean): void => {
    members.push({ name, ours: here ?? null, theirs: there ?? null, isConflict });
  };
  const mergeMember = (name: string, path: string, versions: Versions): Json | undefined => {
    const { base: before, ours: here, theirs: there } = versions;
    if (isSame(here, before) || isSame(here, there)) return there;
    const values = [before, here, there];
    if (values.every((value) => isBlankMember(value) || isGroup(value))) {
      const groups = { base: toGroup(before), ours: toGroup(here), theirs: toGroup(there) };
      const names = new Set([...Object.keys(groups.theirs), ...Object.keys(groups.ours)]);
      const entries = [...names].map((inner) => {
        const value = mergeMember(inner, `${path}.${inner}`, versionsOf(inner, groups));
        return [inner, value] as const;
      });
      const merged = Object.fromEntries(entries.filter(([, value]) => !isBlankMember(value)));
      return Object.keys(merged).length === 0 ? undefined : merged;
    }
    if (isSame(there, before)) {
      note(path, versions, false);
      return here;
    }
    if (!SEQUENCES.has(name) && values.every((value) => isBlankMember(value) || Array.isArray(value))) {
      const lists = { base: toList(before), ours: toList(here), theirs: toList(there) };
      const merged = mergeLists(lists, identityOf(name));
      if (merged !== undefined && isSame(merged, there)) return there;
      if (merged !== undefined) {
        note(path, versions, false);
        return merged;
      }
    }
    note(path, versions, true);
    return prefersOurs ? here : there;
  };
  const names = [...new Set([...Object.keys(ours), ...Object.keys(base)])].filter(
    (name) => !OWN_MEMBERS.has(name),
  );
  const changes = names.flatMap((name): [string, Json][] => {
    const versions = versionsOf(name, { base, ours, theirs });
    const merged = mergeMember(name, name, versions);
    if (isSame(merged, versions.theirs)) return [];
    return [[name, merged === undefined || isBlankMember(merged) ? null : merged]];
  });
  return { changes: Object.fromEntries(changes), members };
}

function versionsOf(name: string, { base, ours, theirs }: Record<keyof Versions, CatalogRecord>): Versions {
  return { base: memberOf(base, name), ours: memberOf(ours, name), theirs: memberOf(theirs, name) };
}

/** Blank values are equal, and the two stored forms of a text. */
function isSame(a: Json | undefined, b: Json | undefined): boolean {
  return identify(a) === identify(b);
}

function identify(value: Json | undefined): string {
  return isBlankMember(value) ? "" : fingerprint(isObject(value) ? (textOf(value) ?? value) : value);
}

/** Returns true for objects with members of their own, unlike references and texts. */
function isGroup(value: Json | undefined): value is CatalogRecord {
  return isObject(value) && value["key"] === undefined && value["type"] === undefined;
}

function toGroup(value: Json | undefined): CatalogRecord {
  return isGroup(value) ? value : {};
}

function toList(value: Json | undefined): Map<string, Json> {
  return new Map(Array.isArray(value) ? value.map((element) => [identify(element), element]) : []);
}

/**
 * Adds to their list the elements that were added here, each after its predecessor, and removes those that were removed
 * here. Returns undefined if both replaced an element, or if ours has another order.
 */
function mergeLists(
  { base, ours, theirs }: Record<keyof Versions, ReadonlyMap<string, Json>>,
  looseIdentity: (element: Json) => string,
): Json[] | undefined {
  const isReordered =
    [...base.keys()].filter((id) => ours.has(id)).join("\n") !==
    [...ours.keys()].filter((id) => base.has(id)).join("\n");
  const isReplaced = [...base.keys()].some((id) => !ours.has(id) && !theirs.has(id));
  const isNew = (list: typeof ours, other: typeof ours): boolean =>
    [...list.keys()].some((id) => !base.has(id) && !other.has(id));
  if (isReordered || (isReplaced && isNew(ours, theirs) && isNew(theirs, ours))) return undefined;
  const merged = [...theirs].filter(([id]) => !base.has(id) || ours.has(id));
  const known = new Set(merged.map(([, element]) => looseIdentity(element)));
  let place = 0;
  for (const [id, element] of ours) {
    const index = merged.findIndex(([other]) => other === id);
    if (index !== -1) place = index + 1;
    else if (!base.has(id) && !known.has(looseIdentity(element))) {
      merged.splice(place, 0, [id, element]);
      place += 1;
    }
  }
  return merged.map(([, element]) => element);
}
