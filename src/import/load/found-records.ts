import { type CatalogRecord, type Json, REDIRECT_HOPS_MAX, keyOf } from "../../catalog/record.ts";
import type { StoredForWrite } from "../../catalog/write/prepare.ts";
import type { Found } from "./found.ts";
import { type Lookup, lookupName } from "./lookups.ts";
import { authorKeys } from "./references.ts";

type RecordType = "/type/edition" | "/type/work" | "/type/author";

/** The record of a key, behind a few redirects at most; undefined when it is missing, deleted or of another type. */
export function recordOf(
  found: Found,
  key: string | undefined,
  type: RecordType,
): StoredForWrite | undefined {
  let record = key === undefined ? undefined : found.records.get(key);
  for (let hop = 0; hop < REDIRECT_HOPS_MAX && record?.type === "/type/redirect"; hop += 1) {
    const location = keyOf(record.document["location"]);
    record = location === undefined ? undefined : found.records.get(location);
  }
  return record?.type === type ? record : undefined;
}

/** The work of an edition: the first of its works that is there. */
export function workOf(found: Found, { works }: CatalogRecord): StoredForWrite | undefined {
  if (!Array.isArray(works)) return undefined;
  for (const reference of works) {
    const work = recordOf(found, keyOf(reference), "/type/work");
    if (work !== undefined) return work;
  }
  return undefined;
}

/** The authors that an edition or a work names, each once; those that are not there any more are left out. */
export function authorsOf(found: Found, references: Json | undefined): StoredForWrite[] {
  const authors = authorKeys(references).flatMap((key) => recordOf(found, key, "/type/author") ?? []);
  return [...new Map(authors.map((author) => [author.key, author])).values()];
}

/** What some lookups gave, of one type: each record once, the lowest number first. */
export function recordsAt(found: Found, lookups: readonly Lookup[], type: RecordType): StoredForWrite[] {
  const keys = lookups.flatMap((lookup) => found.hits.get(lookupName(lookup)) ?? []);
  const records = new Map(
    keys.flatMap((key): [string, StoredForWrite][] => {
      const record = recordOf(found, key, type);
      return record === undefined ? [] : [[record.key, record]];
    }),
  );
  return [...records.values()].sort((a, b) => a.id - b.id);
}
