import { type CatalogRecord, textOf } from "../record.ts";
import { urlsafe } from "../slug.ts";
import { wireTime } from "./wire-time.ts";

/** A list or series without its members, as the database has it. Times are naive UTC. */
export interface ListHead {
  readonly id: number;
  readonly key: string;
  readonly type: "/type/list" | "/type/series";
  readonly revision: number;
  readonly created: string;
  readonly lastModified: string;
  /** Name and description as stored: texts or text objects. */
  readonly members: CatalogRecord;
  /** Seeds of a list; works that name a series. */
  readonly seedCount: number;
}

/** A list as `GET <key>.json` shows it (patrons.md 14.3). */
export function listView(head: ListHead): CatalogRecord {
  const { key, type, revision, created, lastModified, seedCount } = head;
  const isSeries = type === "/type/series";
  return {
    links: {
      self: key,
      seeds: `${key}/seeds`,
      ...(isSeries ? {} : { subjects: `${key}/subjects`, editions: `${key}/editions` }),
    },
    name: listName(head) === "" ? null : listName(head),
    // Q241: the type, not the list's own key.
    type: { key: type },
    description: listDescription(head) === "" ? null : listDescription(head),
    seed_count: seedCount,
    meta: { revision, created: wireTime(created), last_modified: wireTime(lastModified) },
  };
}

/** Name of a list; empty when it has none. */
export function listName({ members }: Pick<ListHead, "members">): string {
  return textOf(members["name"]) ?? "";
}

/** Description of a list; empty when it has none. */
export function listDescription({ members }: Pick<ListHead, "members">): string {
  return textOf(members["description"]) ?? "";
}

/** Key and readable part, raw: `/lists/OL1L/Time_Travel`; `unnamed` for lists without a name. */
export function listUrl(key: string, name: string): string {
  const slug = urlsafe(name === "" ? "unnamed" : name);
  return slug === "" ? key : `${key}/${slug}`;
}
