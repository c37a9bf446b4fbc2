import { type AtomEntry, atomDocument } from "../atom.ts";
import type { CatalogRecord } from "../record.ts";
import { recordUrl } from "../slug.ts";
import { editionTitle } from "../view.ts";
import { type ListHead, listName, listUrl } from "./view.ts";

/** The latest change of an edition in a list, or of a work in a series. */
export interface MemberChange {
  readonly key: string;
  readonly type: string;
  /** Members of the record that its title is made of. */
  readonly record: CatalogRecord;
  readonly changeId: number;
  /** Naive UTC. */
  readonly created: string;
  readonly comment: string | null;
  /** Key of the user; null for changes without one. */
  readonly author: string | null;
  readonly authorName: string | null;
}

/** Changes of what is in a list as an Atom feed; `baseUrl` has no slash at its end. */
export function atomFeed(list: ListHead, changes: readonly MemberChange[], baseUrl: string): string {
  const name = listName(list) === "" ? "List without a name" : listName(list);
  const page = encodeURI(baseUrl + listUrl(list.key, listName(list)));
  const self = `${encodeURI(baseUrl + list.key)}/feeds/updates.atom`;
  const [latest] = changes;
  return atomDocument({
    title: `Updates of ${name}`,
    self,
    page,
    updated: zoned(latest?.created ?? list.lastModified),
    entries: changes.map((change) => entry(change, baseUrl)),
  });
}

function entry(
  { key, type, record: members, changeId, created, comment, author, authorName }: MemberChange,
  baseUrl: string,
): AtomEntry {
  const record = { ...members, key, type: { key: type } };
  const title = editionTitle(record);
  const name = authorName ?? author?.slice("/people/".length) ?? "";
  return {
    title: title === undefined || title === "" ? key : title,
    href: encodeURI(recordUrl(baseUrl, record)),
    id: `${baseUrl}/recentchanges/goto/${changeId}#${key}`,
    updated: zoned(created),
    summary: comment ?? "",
    authors: [name === "" ? "Anonymous" : name],
  };
}

function zoned(time: string): string {
  return `${time}Z`;
}
