import type { CatalogRecord } from "../../catalog/record.ts";
import type { StoredForWrite } from "../../catalog/write/prepare.ts";
import type { Found } from "../load/found.ts";
import { authorsOf, workOf } from "../load/found-records.ts";
import type { ImportRecord } from "../record.ts";
import { comparable } from "./comparable.ts";
import { editionPool } from "./pool.ts";
import { quickMatch } from "./quick.ts";
import { COMPARED_MEMBERS, isSameRecord } from "./same-record.ts";
import { isSameBook } from "./score.ts";
import { editionWays } from "./ways.ts";

/** The edition of the same book, if the catalog has one (import.md 15.3 to 15.5). */
export function matchedEdition(record: ImportRecord, found: Found): StoredForWrite | undefined {
  const ways = editionWays(record);
  const pool = editionPool(record, ways, found);
  if (pool.length === 0) return undefined;
  const quick = quickMatch(ways, found);
  if (quick !== undefined || ways.wikisource !== undefined) return quick;
  // Q338: authors are compared as the record names them.
  const wanted = comparable(record);
  return (
    pool.find((edition) => isSameBook(wanted, comparable(comparedEdition(edition, found)))) ??
    pool.find(({ document: edition }) =>
      isSameRecord(record, { edition, authors: () => namedAuthors(edition, found), found }),
    )
  );
}

function comparedEdition({ document }: StoredForWrite, found: Found): CatalogRecord {
  const members = COMPARED_MEMBERS.map((name) => [name, document[name]] as const);
  const authors = namedAuthors(document, found).map((author) => author.document);
  return { ...Object.fromEntries(members), authors };
}

/** The authors of the work of an edition, then its own. */
function namedAuthors(edition: CatalogRecord, found: Found): StoredForWrite[] {
  const ofWork = authorsOf(found, workOf(found, edition)?.document["authors"]);
  return [...ofWork, ...authorsOf(found, edition["authors"])];
}
