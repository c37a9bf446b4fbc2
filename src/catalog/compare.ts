import { type CatalogRecord, type Json, memberOf } from "./record.ts";

/** A member that differs between two revisions; what a revision lacks is undefined. */
export interface MemberChange {
  readonly name: string;
  readonly before: Json | undefined;
  readonly after: Json | undefined;
}

/** Members that differ with every revision. */
const ENVELOPE: ReadonlySet<string> = new Set(["revision", "latest_revision", "last_modified", "created"]);

/** The members that differ, in the order of the later revision, those that it lacks at the end. */
export function changedMembers(before: CatalogRecord, after: CatalogRecord): MemberChange[] {
  const names = new Set([...Object.keys(after), ...Object.keys(before)]);
  return [...names]
    .filter((name) => !ENVELOPE.has(name))
    .map((name) => ({ name, before: memberOf(before, name), after: memberOf(after, name) }))
    .filter(({ before: one, after: other }) => JSON.stringify(one) !== JSON.stringify(other));
}
