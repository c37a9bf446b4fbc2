import type { StoredForWrite } from "../../catalog/write/prepare.ts";
import type { Found } from "../load/found.ts";
import { recordsAt } from "../load/found-records.ts";
import type { Lookup } from "../load/lookups.ts";
import type { ImportRecord } from "../record.ts";
import type { EditionWays } from "./ways.ts";

/** Editions that one way of looking adds to the pool. */
export const POOL_EDITIONS = 100;

/** Editions that may be the same book, each once, in the order in which they are compared (import.md 15.3). */
export function editionPool(record: ImportRecord, ways: EditionWays, found: Found): StoredForWrite[] {
  const at = (lookups: readonly Lookup[]): StoredForWrite[] => recordsAt(found, lookups, "/type/edition");
  const isTitled = ({ document }: StoredForWrite): boolean => document["title"] === record["title"];
  const parts =
    ways.wikisource === undefined
      ? [
          at([...ways.title, ...ways.longTitle]).filter(isTitled),
          // Q335: of very many with its title the one that the record itself has made.
          at(ways.origin).filter(isTitled),
          at(ways.oclc),
          at(ways.lccn),
          at(ways.ocaid),
          at(ways.titleKey),
          at(ways.isbn),
        ]
      : [at(ways.wikisource)];
  const pool = parts.flatMap((part) => part.slice(0, POOL_EDITIONS));
  return [...new Map(pool.map((edition) => [edition.key, edition])).values()];
}
