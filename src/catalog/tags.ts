import { type CatalogRecord, stringsOf } from "./record.ts";

/** Returns the value of the row `tag_slug` of a tag: its type and one of its `slugs`. */
export function tagSlugValueOf(type: string, slug: string): string {
  return `${type}:${slug}`;
}

/** Returns the value of the row `tag_name`: type and name, with `_` for blanks and ASCII in lower case. */
export function tagNameValueOf(type: string, name: string): string {
  const lower = name.replaceAll(" ", "_").replace(/[A-Z]/g, (letter) => letter.toLowerCase());
  return `${type}:${lower}`;
}

/** Members of a work that can be tagged in bulk. */
export const TAG_MEMBERS = ["subjects", "subject_people", "subject_places", "subject_times"] as const;

/** Texts to add or remove, by member. */
export type Tags = Readonly<Partial<Record<(typeof TAG_MEMBERS)[number], readonly string[]>>>;

/** Returns the work with tags removed and then added at the end, or the work itself if nothing changes. */
export function applyTags(work: CatalogRecord, { add, remove }: { add: Tags; remove: Tags }): CatalogRecord {
  const changed = TAG_MEMBERS.flatMap((member) => {
    const before = stringsOf(work[member]);
    const removed = new Set(remove[member] ?? []);
    const added = (add[member] ?? []).map((tag) => tag.trim()).filter((tag) => tag !== "");
    const after = [...new Set([...before.filter((tag) => !removed.has(tag)), ...added])];
    const isSame = after.length === before.length && after.every((tag, index) => tag === before[index]);
    return isSame ? [] : [[member, after] as const];
  });
  return changed.length === 0 ? work : { ...work, ...Object.fromEntries(changed) };
}
