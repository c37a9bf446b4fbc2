import type { StoredForWrite } from "../../catalog/write/prepare.ts";
import type { Found } from "../load/found.ts";
import { recordOf, recordsAt } from "../load/found-records.ts";
import type { Lookup } from "../load/lookups.ts";
import type { EditionWays } from "./ways.ts";

/**
 * The edition that the numbers of a record name, the first way that leads to one (import.md 15.4). Q332: nobody asks
 * whether anything else fits.
 */
export function quickMatch(ways: EditionWays, found: Found): StoredForWrite | undefined {
  const first = (lookups: readonly Lookup[]): StoredForWrite | undefined =>
    recordsAt(found, lookups, "/type/edition")[0];
  const named = recordOf(found, ways.openlibrary[0]?.value, "/type/edition");
  if (named !== undefined) return named;
  if (ways.wikisource !== undefined) return first(ways.wikisource);
  return (
    first(ways.ocaid) ??
    first(ways.isbn) ??
    first(ways.asin) ??
    first(ways.source) ??
    first(ways.oclc.slice(0, 1)) ??
    first(ways.lccn.slice(0, 1))
  );
}
