import { type CatalogRecord, type Json, memberOf } from "./record.ts";

/** Member that differs between two revisions; undefined where a revision lacks it. */
export interface MemberChange {
  readonly name: string;
  readonly before: Json | undefined;
  readonly after: Json | undefined;
}

/** Members that differ between any two revisions. */
const ENVELOPE: ReadonlySet<string> = new Set(["revision", "latest_revision", "last_modified", "created"]);

/** Returns the members that differ, in the order of the later revision, with those that it lacks at the end. */
export function changedMembers(before: CatalogRecord, after: CatalogRecord): MemberChange[] {
  const names = new Set([...Object.keys(after), ...Object.keys(before)]);
  return [...names]
    .filter((name) => !ENVELOPE.has(name))
    .map((name) => ({ name, before: memberOf(before, name), after: memberOf(after, name) }))
    .filter(({ before: one, after: other }) => JSON.stringify(one) !== JSON.stringify(other));
}
