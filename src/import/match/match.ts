import { type CatalogRecord, isObject } from "../../catalog/record.ts";
import type { StoredForWrite } from "../../catalog/write/prepare.ts";
import { searchedAuthors } from "../authors/searched-author.ts";
import type { Found } from "../load/found.ts";
import { recordOf } from "../load/found-records.ts";
import { authorKeys, firstKey } from "../load/references.ts";
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
  const wanted = comparable(comparedRecord(record));
  const pairs = pool.map((edition) => ({
    edition,
    other: comparable(comparedEdition(edition, found)),
  }));
  const match =
    pairs.find(({ other }) => isSameBook(wanted, other)) ??
    pairs.find(({ edition: { document }, other }) =>
      isSameRecord({ record, edition: document, sides: [wanted, other] }),
    );
  return match?.edition;
}

/** Q338: authors are compared as the record names them, and as the catalog would. */
function comparedRecord(record: ImportRecord): CatalogRecord {
  const given = Array.isArray(record["authors"]) ? record["authors"] : [];
  return { ...record, authors: [...given, ...searchedAuthors(record).map(({ author }) => author)] };
}

function comparedEdition({ document }: StoredForWrite, found: Found): CatalogRecord {
  const members = COMPARED_MEMBERS.map((name) => [name, document[name]] as const);
  const work = recordOf(found, firstKey(document["works"]), "/type/work");
  const authors = [...authorKeys(work?.document["authors"]), ...authorKeys(document["authors"])];
  const records = authors.map((key) => recordOf(found, key, "/type/author")?.document);
  return { ...Object.fromEntries(members), authors: records.filter(isObject) };
}
